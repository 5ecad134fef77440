package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import dev.quiver.Quiver;
import dev.quiver.Trials;
import dev.quiver.arrow.ipc.TruncationPoints;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.http.EntityTag;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.ResponseCoding;
import dev.quiver.server.transfer.Body;
import dev.quiver.server.transfer.BodyBuffer;
import dev.quiver.server.transfer.BodyMetrics;
import dev.quiver.server.transfer.BodyPart;
import dev.quiver.server.transfer.BodySource;
import dev.quiver.server.transfer.BodyWriter;
import dev.quiver.server.transfer.FixedLengthBody;
import dev.quiver.server.transfer.Representation;
import dev.quiver.server.transfer.Responder;
import dev.quiver.server.transfer.StreamingBody;
import dev.quiver.server.transfer.TransferRateGuard;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.DelegatingBlob;
import dev.quiver.store.blob.folder.FolderBlobStore;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// A response that fails after its status was sent is truncated, nothing is appended, and the
/// connection closes. A response that fails earlier becomes a problem. `TruncationPointsTest` tests
/// where a response may be truncated.
@SpringBootTest(classes = Quiver.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@Import(BodyWriterTest.FailingBodies.class)
@Tag("random")
class BodyWriterTest extends TemporaryStore {

  private static final int MIB = 1 << 20;
  private static final int WRITE_BYTES = 256 << 10;

  /// The size of the first part of a body, which is read even if the rest is transferred directly.
  private static final int HEAD_BYTES = 16 << 10;

  @LocalServerPort private int port;

  /// Sends 2 MiB of `x` in parts of 64 KiB, every other one from native memory. The part at the
  /// offset in the path fails.
  @RestController
  static class FailingBodies {

    @Autowired private Responder responder;
    @Autowired private QuiverProperties properties;
    @Autowired private BodyMetrics metrics;

    /// Sends 2 MiB in parts that each take ten minutes to read.
    @GetMapping("/test/slow")
    void slow(HttpServletRequest request, HttpServletResponse response) throws IOException {
      AtomicLong now = new AtomicLong();
      FixedLengthBody content = content("none", 0, TruncationPoints.anywhere());
      List<BodyPart> parts = new ArrayList<>();
      content.parts().forEach(part -> parts.add(slowly(part, now)));
      BodyWriter.send(
          new FixedLengthBody(parts, content.truncationPoints()),
          ResponseCoding.IDENTITY,
          request,
          response,
          TransferRateGuard.ofDownload(properties.limits(), now::get),
          metrics);
    }

    @GetMapping("/test/fixed/{failure}/{byteOffset}")
    void fixed(
        @PathVariable String failure,
        @PathVariable int byteOffset,
        HttpServletRequest request,
        HttpServletResponse response)
        throws IOException {
      send(content(failure, byteOffset, TruncationPoints.anywhere()), request, response);
    }

    /// Sends the same bytes as messages of 64 KiB, which begin with 40 bytes of metadata. Without
    /// truncation points, every write would end with a message.
    @GetMapping("/test/stream/{byteOffset}")
    void stream(
        @PathVariable int byteOffset, HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      List<Block> messages = new ArrayList<>();
      for (int offset = 0; offset < 2 * MIB; offset += 64 << 10) {
        messages.add(new Block(offset, 40, (64 << 10) - 40));
      }
      send(content("storage", byteOffset, within(messages)), request, response);
    }

    /// Sends the same parts as a body of unknown length.
    @GetMapping("/test/unknown/{failure}/{byteOffset}")
    void unknown(
        @PathVariable String failure,
        @PathVariable int byteOffset,
        HttpServletRequest request,
        HttpServletResponse response)
        throws IOException {
      StreamingBody body =
          sink -> {
            for (BodyPart part :
                content(failure, byteOffset, TruncationPoints.anywhere()).parts()) {
              part.writeTo(sink);
            }
          };
      send(body, request, response);
    }

    /// Sends messages of 64 KiB as a body of unknown length. `END` follows a failure, unless it
    /// fails, too.
    @GetMapping("/test/messages/{after}/{byteOffset}")
    void messages(
        @PathVariable String after,
        @PathVariable int byteOffset,
        HttpServletRequest request,
        HttpServletResponse response)
        throws IOException {
      send(
          new Messages(content("storage", byteOffset, TruncationPoints.anywhere()), after),
          request,
          response);
    }

    /// Sends messages as `/test/stream` does, but of incompressible bytes.
    @GetMapping("/test/noise/{byteOffset}")
    void noise(
        @PathVariable int byteOffset, HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      List<Block> messages = new ArrayList<>();
      List<BodyPart> parts = new ArrayList<>();
      Random random = new Random(byteOffset);
      for (int offset = 0; offset < 2 * MIB; offset += 64 << 10) {
        byte[] bytes = new byte[64 << 10];
        random.nextBytes(bytes);
        BodyPart part = BodyPart.Bytes.of(bytes);
        parts.add(offset == byteOffset ? failing(part, "storage") : part);
        messages.add(new Block(offset, 40, (64 << 10) - 40));
      }
      send(new FixedLengthBody(parts, within(messages)), request, response);
    }

    /// Sends messages of 1 MiB from a file. Only bytes before the offset in the path can be
    /// transferred directly, and each transfer takes ten minutes.
    @GetMapping("/test/transfer/{byteOffset}")
    void transfer(
        @PathVariable long byteOffset, HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      List<Block> messages = new ArrayList<>();
      for (int offset = 0; offset < 24 * MIB; offset += MIB) {
        messages.add(new Block(offset, 40, MIB - 40));
      }
      BlobStore store = FolderBlobStore.open(FOLDER.resolve("transfer"));
      store.putIfAbsent("data/blob", MemorySegment.ofArray(randomBytes()));
      try (Blob blob = store.open("data/blob")) {
        AtomicLong now = new AtomicLong();
        BodyPart part = rangeOf(new PartlyTransferable(blob, byteOffset, now), blob.byteSize());
        BodyWriter.send(
            new FixedLengthBody(List.of(part), within(messages)),
            ResponseCoding.IDENTITY,
            request,
            response,
            TransferRateGuard.ofDownload(properties.limits(), now::get),
            metrics);
      }
    }

    /// Sends the same, but the first message is as long as the first read. Without truncation
    /// points, each step would therefore end with a message. From the third step on, the file is
    /// missing.
    @GetMapping("/test/transfer-of-missing-file")
    void transferOfMissingFile(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      List<Block> messages = new ArrayList<>();
      messages.add(new Block(0, 40, HEAD_BYTES - 40));
      for (int offset = HEAD_BYTES; offset < 24 * MIB; offset += MIB) {
        messages.add(new Block(offset, 40, MIB - 40));
      }
      BlobStore store = FolderBlobStore.open(FOLDER.resolve("transfer"));
      store.putIfAbsent("data/blob", MemorySegment.ofArray(randomBytes()));
      try (Blob blob = store.open("data/blob")) {
        long movable = HEAD_BYTES + 16L * MIB;
        BodyPart present =
            rangeOf(new PartlyTransferable(blob, movable, new AtomicLong()), movable);
        BodyPart missing = failing(present.slice(0, blob.byteSize() - movable), "storage");
        send(new FixedLengthBody(List.of(present, missing), within(messages)), request, response);
      }
    }

    /// Sends 24 MiB from a file, whose transfer fails if the response still holds its buffer.
    @GetMapping("/test/transfer-without-memory")
    void transferWithoutMemory(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      BlobStore store = FolderBlobStore.open(FOLDER.resolve("transfer"));
      store.putIfAbsent("data/blob", MemorySegment.ofArray(randomBytes()));
      try (Blob blob = store.open("data/blob")) {
        BodyPart part = rangeOf(new BufferChecking(blob), blob.byteSize());
        send(new FixedLengthBody(List.of(part), TruncationPoints.anywhere()), request, response);
      }
    }

    private void send(Body content, HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      EntityTag tag = new EntityTag(false, "test");
      Representation representation =
          new Representation(
              "text/plain", tag, Instant.EPOCH, false, Map.of(), new BodySource.Ready(content));
      boolean coded = request.getHeader("Accept-Encoding") != null;
      responder.send(request, response, coded ? representation.asText() : representation);
    }

    private static FixedLengthBody content(
        String failure, int byteOffset, TruncationPoints truncationPoints) {
      List<BodyPart> parts = new ArrayList<>();
      for (int offset = 0; offset < 2 * MIB; offset += 64 << 10) {
        BodyPart bytes = BodyPart.Bytes.of("x".repeat(64 << 10).getBytes());
        BodyPart part = offset % (128 << 10) == 0 ? bytes : inNativeMemory(bytes);
        parts.add(offset == byteOffset ? failing(part, failure) : part);
      }
      return new FixedLengthBody(parts, truncationPoints);
    }
  }

  private static TruncationPoints within(List<Block> messages) {
    return TruncationPoints.within(List.of(), messages, 0);
  }

  static final class Messages implements StreamingBody {

    private final FixedLengthBody content;
    private final String after;
    private long end;

    Messages(FixedLengthBody content, String after) {
      this.content = content;
      this.after = after;
    }

    @Override
    public void writeTo(BlobSink sink) throws IOException {
      for (BodyPart part : content.parts()) {
        part.writeTo(sink);
        end += part.byteSize();
      }
    }

    @Override
    public TruncationPoints truncationPoints() {
      return position -> end - 1;
    }

    @Override
    public MemorySegment afterFailure(long position) throws IOException {
      if (after.equals("fails")) {
        throw new EOFException("the end cannot be read");
      }
      return MemorySegment.ofArray((position + "END").getBytes());
    }
  }

  private static BodyPart inNativeMemory(BodyPart part) {
    return written(
        part.byteSize(),
        sink -> {
          try (Arena arena = Arena.ofConfined()) {
            ByteSink lent = bytes -> sink.write(arena.allocate(bytes.byteSize()).copyFrom(bytes));
            part.writeTo(BlobSink.reading(lent));
          }
        });
  }

  /// Returns a part that takes ten minutes to read.
  private static BodyPart slowly(BodyPart part, AtomicLong now) {
    return written(
        part.byteSize(),
        sink -> {
          now.addAndGet(TimeUnit.MINUTES.toNanos(10));
          part.writeTo(sink);
        });
  }

  /// Returns a part whose bytes come from `writer`.
  private static BodyPart written(long byteSize, StreamingBody writer) {
    return new BodyPart.Range((_, _, sink) -> writer.writeTo(sink), 0, byteSize);
  }

  private static byte[] randomBytes() {
    byte[] bytes = new byte[24 * MIB];
    new Random(1).nextBytes(bytes);
    return bytes;
  }

  /// Returns the first `byteSize` bytes of a blob as a part.
  private static BodyPart rangeOf(Blob blob, long byteSize) {
    return new BodyPart.Range((offset, size, sink) -> sink.write(blob, offset, size), 0, byteSize);
  }

  /// A blob that can only be read from an offset on, and whose direct transfers take ten minutes.
  static final class PartlyTransferable extends DelegatingBlob {

    private final Blob blob;
    private final long transferableBytes;
    private final AtomicLong now;

    PartlyTransferable(Blob blob, long transferableBytes, AtomicLong now) {
      super(blob);
      this.blob = blob;
      this.transferableBytes = transferableBytes;
      this.now = now;
    }

    @Override
    public long transferTo(long byteOffset, long byteSize, WritableByteChannel target)
        throws IOException {
      now.addAndGet(TimeUnit.MINUTES.toNanos(10));
      return byteOffset + byteSize > transferableBytes
          ? -1
          : blob.transferTo(byteOffset, byteSize, target);
    }
  }

  /// A blob that rejects direct transfers until the buffer of its last read is free for reuse.
  static final class BufferChecking extends DelegatingBlob {

    private final Blob blob;
    private long address;

    BufferChecking(Blob blob) {
      super(blob);
      this.blob = blob;
    }

    @Override
    public long read(long byteOffset, MemorySegment destination) throws IOException {
      address = destination.address();
      return super.read(byteOffset, destination);
    }

    @Override
    public long transferTo(long byteOffset, long byteSize, WritableByteChannel target)
        throws IOException {
      try (BodyBuffer next = new BodyBuffer()) {
        if (next.memory().address() != address) {
          throw new IllegalStateException("The response still holds its buffer");
        }
        return blob.transferTo(byteOffset, byteSize, target);
      }
    }
  }

  private static BodyPart failing(BodyPart part, String failure) {
    return written(
        part.byteSize(),
        sink -> {
          switch (failure) {
            case "none" -> part.writeTo(sink);
            case "short" -> part.slice(0, 1).writeTo(sink);
            case "long" -> {
              for (int i = 0; i < 10; i++) {
                part.writeTo(sink);
              }
            }
            case "storage" -> throw new EOFException("the blob is shorter than its manifest says");
            case "input" ->
                throw new MalformedInputException("a blob", "none", InputLocation.UNKNOWN);
            case "problem" -> throw Problem.of(ProblemType.NOT_FOUND, "too late").asException();
            case "bug" -> throw new IllegalStateException("a bug");
            default -> throw new LinkageError("not really");
          }
        });
  }

  /// Sends two requests on one connection, so that any bytes after the first response are seen.
  private String exchangeTwo(String path) throws IOException {
    String request = "GET " + path + " HTTP/1.1\nHost: localhost\n\n";
    String last = "GET /health HTTP/1.1\nHost: localhost\nConnection: close\n\n";
    return RawHttp.exchange(port, request + last);
  }

  private static String body(String response) {
    return response.substring(response.indexOf("\r\n\r\n") + 4);
  }

  @Test
  void completeBodyIsFollowedByTheNextResponse() throws IOException {
    String response = exchangeTwo("/test/fixed/none/0");
    assertThat(response)
        .startsWith("HTTP/1.1 200 ")
        .contains("\r\nContent-Length: " + 2 * MIB + "\r\n");
    assertThat(body(response).substring(2 * MIB)).startsWith("HTTP/1.1 200 ");
    assertThat(body(response).substring(0, 2 * MIB)).matches("x+");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 9 * MIB, 20 * MIB, 24 * MIB})
  void bytesThatCannotBeTransferredDirectlyAreRead(long transferableBytes) throws IOException {
    String response = exchangeTwo("/test/transfer/" + transferableBytes);
    byte[] bytes = body(response).getBytes(StandardCharsets.ISO_8859_1);
    assertThat(Arrays.equals(bytes, 0, 24 * MIB, randomBytes(), 0, 24 * MIB)).isTrue();
    assertThat(body(response).substring(24 * MIB)).startsWith("HTTP/1.1 200 ");
  }

  /// Many slow clients may receive bodies at the same time.
  @Test
  void directTransferHoldsNoBuffer() throws IOException {
    assertThat(body(exchangeTwo("/test/transfer-without-memory")).substring(24 * MIB))
        .startsWith("HTTP/1.1 200 ");
  }

  /// A failure truncates the response at the end of a step.
  @Test
  void stepsOfADirectTransferDoNotEndBetweenMessages() throws IOException {
    String request = "GET /test/transfer-of-missing-file HTTP/1.1\nHost: localhost\n\n";
    int received = body(RawHttp.exchange(port, request)).length();
    assertThat(received).isGreaterThan(8 * MIB);
    assertThat((received - HEAD_BYTES) % MIB).as("%d bytes", received).isNotZero();
  }

  @Test
  void slowStoreIsNotMistakenForASlowClient() throws IOException {
    assertThat(body(exchangeTwo("/test/slow")).substring(2 * MIB)).startsWith("HTTP/1.1 200 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"storage", "input", "problem", "bug", "error", "short"})
  void failureAfterTheStatusTruncatesTheBodyAndClosesTheConnection(String failure)
      throws IOException {
    String response = exchangeTwo("/test/fixed/" + failure + "/" + MIB);
    assertThat(response)
        .startsWith("HTTP/1.1 200 ")
        .contains("\r\nContent-Length: " + 2 * MIB + "\r\n");
    assertThat(body(response).replace("[reset]", "")).matches("x+").hasSizeLessThan(2 * MIB);
  }

  @Test
  void sendsNothingBeyondTheContentLength() throws IOException {
    String response = exchangeTwo("/test/fixed/long/" + MIB);
    assertThat(response).startsWith("HTTP/1.1 200 ");
    // Closing a connection early may discard bytes that its client has not read.
    assertThat(body(response).replace("[reset]", ""))
        .matches("x*")
        .hasSizeLessThanOrEqualTo(2 * MIB);
  }

  @Test
  void bodyOfUnknownLengthIsChunkedAndFollowedByTheNextResponse() throws IOException {
    String response = exchangeTwo("/test/unknown/none/0");
    assertThat(response)
        .startsWith("HTTP/1.1 200 ")
        .contains("\r\nTransfer-Encoding: chunked\r\n", "\r\nAccept-Ranges: none\r\n")
        .contains("x\r\n0\r\n\r\nHTTP/1.1 200 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"storage", "input", "problem", "bug", "error"})
  void failureAfterTheStatusOmitsTheLastChunk(String failure) throws IOException {
    String response = exchangeTwo("/test/unknown/" + failure + "/" + MIB);
    assertThat(response).startsWith("HTTP/1.1 200 ").doesNotContain("\r\n0\r\n");
    assertThat(body(response).replace("[reset]", "")).matches("[x0-9a-f\r\n]+");
  }

  @Test
  void streamingBodyMayReportItsFailureAtTheEnd() throws IOException {
    for (int failure = WRITE_BYTES + (64 << 10); failure < 2 * MIB; failure += 64 << 10) {
      String response = exchangeTwo("/test/messages/END/" + failure);
      assertThat(response).startsWith("HTTP/1.1 200 ").doesNotContain("[reset]");
      assertThat(new String(RawHttp.unfinishedChunks(response)))
          .matches("x{%d}%1$dEND".formatted(failure));
    }
  }

  @Test
  void failedBodyOfUnknownLengthDoesNotEndBetweenMessages() throws IOException {
    for (int failure = WRITE_BYTES + (64 << 10); failure < 2 * MIB; failure += 64 << 10) {
      String response = exchangeTwo("/test/messages/fails/" + failure);
      assertThat(response).startsWith("HTTP/1.1 200 ").doesNotContain("\r\n0\r\n");
      long received = body(response).chars().filter(c -> c == 'x').count();
      assertThat(received % (64 << 10)).as("%d bytes", received).isNotZero();
    }
  }

  @ParameterizedTest
  @CsvSource({"fixed, storage", "fixed, bug", "fixed, error", "unknown, storage", "unknown, bug"})
  void failureBeforeTheStatusIsSentAsAProblem(String path, String failure) throws IOException {
    assertThat(exchangeTwo("/test/" + path + "/" + failure + "/0"))
        .startsWith("HTTP/1.1 500 ")
        .contains("\r\nContent-Type: application/problem+json\r\n")
        .contains("\"type\":\"urn:quiver:problem:internal\"")
        .doesNotContain("\r\nETag:", "\r\nAccept-Ranges:", "\r\nLast-Modified:");
  }

  @Test
  void statusIsNotSentBeforeTheFirstWriteIsComplete() throws IOException {
    assertThat(exchangeTwo("/test/fixed/bug/" + (192 << 10))).startsWith("HTTP/1.1 500 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  void failedCodedBodyEndsWithinAMessageAndWithoutATrailer(String coding) throws IOException {
    for (int failure = WRITE_BYTES + (64 << 10);
        failure < 2 * MIB;
        failure += Trials.stride() * (64 << 10)) {
      String response =
          RawHttp.exchange(
              port,
              "GET /test/noise/%d HTTP/1.1\nHost: localhost\nAccept-Encoding: %s\n\n"
                  .formatted(failure, coding));
      assertThat(response)
          .startsWith("HTTP/1.1 200 ")
          .contains("\r\nTransfer-Encoding: chunked\r\n", "\r\nContent-Encoding: " + coding)
          .doesNotContain("[reset]");
      InputStream coded = new ByteArrayInputStream(RawHttp.unfinishedChunks(response));
      InputStream decoder =
          coding.equals("gzip")
              ? new GZIPInputStream(coded)
              : new ZstdInputStreamNoFinalizer(coded);
      ByteArrayOutputStream content = new ByteArrayOutputStream();
      assertThatThrownBy(
              () -> {
                for (int next = decoder.read(); next >= 0; next = decoder.read()) {
                  content.write(next);
                }
              })
          .isInstanceOf(IOException.class);
      assertThat(content.size() % (64 << 10)).as("%d bytes", content.size()).isGreaterThan(40);
      assertThat(content.size()).isBetween(failure - WRITE_BYTES - (64 << 10), failure);
    }
  }

  @Test
  void failedStreamEndsWithinTheBodyOfAMessage() throws IOException {
    for (int failure = WRITE_BYTES + (64 << 10); failure < 2 * MIB; failure += 64 << 10) {
      String response = exchangeTwo("/test/stream/" + failure);
      assertThat(response).startsWith("HTTP/1.1 200 ");
      int received = body(response).replace("[reset]", "").length();
      assertThat(received % (64 << 10)).as("%d bytes", received).isGreaterThanOrEqualTo(40);
    }
  }
}
