package dev.quiver.web;

import dev.quiver.codec.ContentEncoder;
import dev.quiver.memory.TooLargeInputException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one class that writes the body of a response.
///
/// It collects large writes and commits the response with the first one, so that what fails before
/// is still answered with a problem. Every write but the last ends where [SafeCuts] allows, so that
/// what was sent shows that it is not whole, and nothing has to follow a failure; only a
/// [StreamedBody] may have something that says so better. After a commit every failure leaves as a
/// [ResponseAbortedException].
///
/// A content coding is put on each write as a whole, so that a client decodes up to where the write
/// was cut and no further, and has no end of the coded data after a failure.
final class BodyWriter {

  private static final Logger LOG = LoggerFactory.getLogger(BodyWriter.class);

  private static final int WRITE_BYTES = 256 << 10;

  /// Stands for the length of a body that has not been made.
  private static final long UNKNOWN = Long.MAX_VALUE;

  private final HttpServletResponse response;
  private final OutputStream output;
  private final TransferClock clock;
  private final Content.Cuts madeCuts;
  private final long byteSize;
  private final byte[] buffer;
  private final @Nullable ContentEncoder encoder;
  private @Nullable SafeCuts cuts;
  private int filled;
  private long written;
  private long sent;

  /// @param byteSize of the body, or [#UNKNOWN]
  private BodyWriter(
      HttpServletResponse response,
      long byteSize,
      Content.Cuts cuts,
      @Nullable ContentEncoder encoder,
      TransferClock clock)
      throws IOException {
    this.response = response;
    this.output = response.getOutputStream();
    this.clock = clock;
    this.madeCuts = cuts;
    this.byteSize = byteSize;
    this.buffer = new byte[(int) Math.min(byteSize, WRITE_BYTES)];
    this.encoder = encoder;
  }

  /// Sends `body` in a coding, which the response has said.
  ///
  /// @throws ResponseAbortedException when it fails after the status was sent
  static void send(
      Body body, ResponseCoding coding, HttpServletResponse response, TransferClock clock)
      throws IOException {
    try (ContentEncoder encoder = encoder(coding)) {
      switch (body) {
        case Content content -> sendContent(content, encoder, response, clock);
        case StreamedBody streamed ->
            new BodyWriter(response, UNKNOWN, streamed::cuts, encoder, clock).send(streamed);
      }
    }
  }

  private static @Nullable ContentEncoder encoder(ResponseCoding coding) {
    return switch (coding) {
      case IDENTITY -> null;
      case ZSTD -> ContentEncoder.zstandard();
      case GZIP -> ContentEncoder.gzip();
    };
  }

  /// Sends `content` as the body of `response`, of exactly its length.
  ///
  /// @throws ResponseAbortedException when it fails after the status was sent
  static void send(Content content, HttpServletResponse response, TransferClock clock)
      throws IOException {
    sendContent(content, null, response, clock);
  }

  private static void sendContent(
      Content content,
      @Nullable ContentEncoder encoder,
      HttpServletResponse response,
      TransferClock clock)
      throws IOException {
    if (encoder == null) {
      response.setContentLengthLong(content.byteSize());
    }
    new BodyWriter(response, content.byteSize(), content.cuts(), encoder, clock)
        .send(sink -> {
          for (Piece piece : content.pieces()) {
            piece.writeTo(sink);
          }
        });
  }

  private void send(StreamedBody body) throws IOException {
    try {
      body.writeTo(this::append);
      finish();
    } catch (ResponseAbortedException e) {
      throw e;
    } catch (IOException | RuntimeException | Error failure) {
      throw abort(failure, body);
    }
  }

  private void append(MemorySegment source) throws IOException {
    long offset = 0;
    while (offset < source.byteSize()) {
      if (filled == buffer.length) {
        writeFullBuffer();
      }
      int count = (int) Math.min(source.byteSize() - offset, buffer.length - filled);
      MemorySegment.copy(source, ValueLayout.JAVA_BYTE, offset, buffer, filled, count);
      filled += count;
      offset += count;
    }
  }

  private void writeFullBuffer() throws IOException {
    if (cuts == null) {
      cuts = madeCuts.make();
    }
    long safe = cuts.atOrBefore(written + filled);
    // Metadata that fills the whole buffer: cut there too, which most readers report.
    int count = safe <= written ? filled : (int) (safe - written);
    write(count);
    System.arraycopy(buffer, count, buffer, 0, filled - count);
    filled -= count;
  }

  private void finish() throws IOException {
    if (byteSize != UNKNOWN && written + filled != byteSize) {
      throw new IllegalStateException(
          "Expected a body of " + byteSize + " bytes but found " + (written + filled));
    }
    byte[] last = encoder == null ? buffer : encoder.encodeLast(buffer, filled);
    int lastByteSize = encoder == null ? filled : last.length;
    if (written == 0 && (byteSize == UNKNOWN || encoder != null)) {
      response.setContentLengthLong(lastByteSize);
    }
    send(last, lastByteSize, filled);
  }

  private void write(int count) throws IOException {
    byte[] coded = encoder == null ? buffer : encoder.encode(buffer, count);
    send(coded, encoder == null ? count : coded.length, count);
  }

  /// @param count of the body's bytes that these stand for
  private void send(byte[] bytes, int byteSize, int count) throws IOException {
    clock.startWaiting();
    try {
      output.write(bytes, 0, byteSize);
    } catch (IOException connectionLost) {
      LOG.debug("The client went away", connectionLost);
      throw new ResponseAbortedException("The client went away");
    } finally {
      clock.endWaiting();
    }
    written += count;
    sent += byteSize;
    String complaint = clock.rateComplaint(sent);
    if (complaint != null && written < this.byteSize) {
      throw new ResponseAbortedException(complaint);
    }
  }

  /// The failure itself while a problem can still be sent, else what closes the connection.
  private IOException abort(Throwable failure, StreamedBody body) throws IOException {
    if (response.isCommitted()) {
      if (failure instanceof TooLargeInputException passed) {
        // A limit did what it is for.
        LOG.warn("A response was cut off after {} bytes: {}", written, passed.getMessage());
      } else {
        LOG.error("A response was cut off after {} bytes", written, failure);
      }
      sendAfterFailure(body);
      return new ResponseAbortedException("Cut off after " + written + " bytes");
    }
    switch (failure) {
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError(failure);
    }
  }

  private void sendAfterFailure(StreamedBody body) {
    try {
      MemorySegment last = body.afterFailure(written + filled);
      if (last.byteSize() > 0) {
        append(last);
        write(filled);
        response.flushBuffer();
      }
    } catch (IOException | RuntimeException | Error second) {
      LOG.debug("Nothing was sent after a failure", second);
    }
  }
}
