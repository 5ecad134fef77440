package dev.quiver.web.response;

import dev.quiver.codec.ContentEncoder;
import dev.quiver.input.TooLargeInputException;
import dev.quiver.storage.Blob;
import dev.quiver.storage.BlobSink;
import dev.quiver.web.connector.ClientConnection;
import dev.quiver.web.connector.DirectHttp11Protocol;
import dev.quiver.web.connector.TransferRateGuard;
import dev.quiver.web.http.ResponseCoding;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one class that writes the body of a response.
///
/// It collects large writes and commits the response with the first one, so that what fails before
/// is still answered with a problem. Every write but the last ends where [TruncationPoints] allows,
/// so that what was sent shows that it is not whole, and nothing has to follow a failure; only a
/// [StreamingBody] may have something that says so better. After a commit every failure leaves as a
/// [ResponseAbortedException].
///
/// Where the connection takes them, large ranges of blobs are moved by the operating system, in
/// steps that end where a write may end; small ones are collected with what is before and after.
/// What lies in large pieces of native memory is written from there.
///
/// A content coding is put on each write as a whole, so that a client decodes up to where the write
/// was cut and no further, and has no end of the coded data after a failure.
public final class BodyWriter implements BlobSink {

  private static final Logger LOG = LoggerFactory.getLogger(BodyWriter.class);

  static final int WRITE_BYTES = 256 << 10;

  /// A smaller body fits into Tomcat's buffer with its head, and goes with it in one write.
  private static final long CONNECTION_BYTES = DirectHttp11Protocol.SOCKET_BUFFER_BYTES - (2 << 10);

  /// A smaller piece of memory is collected.
  private static final long DIRECT_BYTES = 64 << 10;

  /// A smaller range is read sooner than moved.
  private static final long TRANSFER_BYTES = 64 << 10;

  /// What is read of the first range, so that a store that fails is found out before the commit.
  private static final long HEAD_BYTES = 16 << 10;

  /// Of a step none is moved unless all of it is there.
  private static final long STEP_BYTES = 8 << 20;

  /// Stands for the length of a body that has not been made.
  private static final long UNKNOWN = Long.MAX_VALUE;

  private final HttpServletResponse response;
  private final BodyOutput output;
  private final TransferRateGuard clock;
  private final FixedLengthBody.Cuts madeCuts;
  private final long byteSize;
  private final BodyBuffer buffer;
  private final @Nullable ContentEncoder encoder;
  private @Nullable TruncationPoints cuts;
  private boolean transfers;
  private int filled;
  private long written;
  private long sent;

  /// @param byteSize of the body, or [#UNKNOWN]
  private BodyWriter(
      HttpServletResponse response,
      BodyOutput output,
      BodyBuffer buffer,
      long byteSize,
      FixedLengthBody.Cuts cuts,
      @Nullable ContentEncoder encoder,
      TransferRateGuard clock) {
    this.response = response;
    this.output = output;
    this.clock = clock;
    this.madeCuts = cuts;
    this.byteSize = byteSize;
    this.buffer = buffer;
    this.encoder = encoder;
    this.transfers = output.transfers();
  }

  /// Sends `body` in a coding, which the response has said; content as it is has its length.
  ///
  /// @throws ResponseAbortedException when it fails after the status was sent
  public static void send(
      Body body,
      ResponseCoding coding,
      HttpServletRequest request,
      HttpServletResponse response,
      TransferRateGuard clock,
      BodyMetrics metrics)
      throws IOException {
    try (ContentEncoder encoder = coding.encoder();
        BodyBuffer buffer = new BodyBuffer()) {
      switch (body) {
        case FixedLengthBody content -> {
          long byteSize = content.byteSize();
          if (encoder == null) {
            response.setContentLengthLong(byteSize);
          }
          try (BodyOutput output =
              output(encoder == null ? byteSize : UNKNOWN, request, response, clock)) {
            new BodyWriter(response, output, buffer, byteSize, content.cuts(), encoder, clock)
                .send(content::writeTo, request, metrics);
          }
        }
        case StreamingBody streamed -> {
          try (BodyOutput output = output(UNKNOWN, request, response, clock)) {
            new BodyWriter(response, output, buffer, UNKNOWN, streamed::cuts, encoder, clock)
                .send(streamed, request, metrics);
          }
        }
      }
    }
  }

  private static BodyOutput output(
      long byteSize,
      HttpServletRequest request,
      HttpServletResponse response,
      TransferRateGuard clock)
      throws IOException {
    ClientConnection connection = byteSize < CONNECTION_BYTES ? null : ClientConnection.of(request);
    if (connection == null) {
      return ServletBodyOutput.of(response);
    }
    return byteSize == UNKNOWN
        ? new ChunkedBodyOutput(connection, request, response, clock.idleMillis())
        : new ConnectionBodyOutput(connection, request, response, clock);
  }

  private void send(StreamingBody body, HttpServletRequest request, BodyMetrics metrics)
      throws IOException {
    boolean whole = false;
    try {
      send(body);
      whole = true;
    } finally {
      // Else it is a problem that is sent.
      if (response.isCommitted() || whole) {
        metrics.count(request, whole, clock.elapsed(), sent);
      }
    }
  }

  private void send(StreamingBody body) throws IOException {
    try {
      body.writeTo(this);
      finish();
    } catch (ResponseAbortedException e) {
      throw e;
    } catch (IOException | RuntimeException | Error failure) {
      throw abort(failure, body);
    }
  }

  @Override
  public void write(MemorySegment source) throws IOException {
    long offset = isLarge(source) ? writeFrom(source) : 0;
    while (offset < source.byteSize()) {
      long count = Math.min(source.byteSize() - offset, room());
      MemorySegment.copy(source, offset, buffer.memory(), filled, count);
      filled += (int) count;
      offset += count;
    }
  }

  /// Whether it is worth not to be copied. What is mapped may fail, which is then told from a
  /// client that went away; and a body that may still turn out to be small is collected.
  private boolean isLarge(MemorySegment source) {
    return encoder == null
        && source.isNative()
        && !source.isMapped()
        && source.byteSize() >= DIRECT_BYTES
        && (written > 0 || filled + source.byteSize() > WRITE_BYTES);
  }

  /// Writes from where it lies what is large of it and may be cut at its end.
  ///
  /// @return how many bytes from its start
  private long writeFrom(MemorySegment source) throws IOException {
    long done = 0;
    while (source.byteSize() - done >= DIRECT_BYTES) {
      long count = Math.min(source.byteSize() - done, room());
      long start = written + filled;
      long safe = start + count == byteSize ? byteSize : safeUpTo(start + count);
      if (safe <= start) {
        break;
      }
      MemorySegment piece = source.asSlice(done, safe - start);
      send(filled + (int) piece.byteSize(), bytes(filled), piece.asByteBuffer());
      filled = 0;
      done += piece.byteSize();
    }
    return done;
  }

  @Override
  public void write(Blob blob, long byteOffset, long byteSize) throws IOException {
    long done = 0;
    while (done < byteSize) {
      long left = byteSize - done;
      if (!transfers || left < TRANSFER_BYTES) {
        read(blob, byteOffset + done, left);
        done += left;
      } else if (written == 0 && filled < HEAD_BYTES) {
        long count = left - HEAD_BYTES < TRANSFER_BYTES ? left : HEAD_BYTES;
        read(blob, byteOffset + done, count);
        done += count;
      } else if (filled > 0 && safeUpTo(written + filled) < written + filled) {
        long count = Math.min(left, HEAD_BYTES);
        read(blob, byteOffset + done, count);
        done += count;
      } else if (filled > 0) {
        writeBuffer(filled);
      } else {
        done += transferStep(blob, byteOffset + done, left);
      }
    }
  }

  /// Moves what is next up to where a write may end, or reads it when that is little.
  private long transferStep(Blob blob, long byteOffset, long byteSize) throws IOException {
    long wanted = Math.min(byteSize, STEP_BYTES);
    long end = written + wanted;
    long count = end == this.byteSize ? wanted : safeUpTo(end) - written;
    if (count < TRANSFER_BYTES) {
      read(blob, byteOffset, Math.min(wanted, HEAD_BYTES));
      return Math.min(wanted, HEAD_BYTES);
    }
    buffer.release();
    long moved = 0;
    while (transfers && moved < count) {
      long step = transfer(blob, byteOffset + moved, count - moved);
      transfers = step >= 0;
      moved += Math.max(step, 0);
    }
    return moved;
  }

  private long transfer(Blob blob, long byteOffset, long count) throws IOException {
    long moved;
    checkEnd(count);
    try {
      moved = output.transfer(blob, byteOffset, count);
    } catch (IOException connectionLost) {
      throw clientWentAway(connectionLost);
    }
    if (moved > 0) {
      note(moved, moved);
    }
    return moved;
  }

  private void read(Blob blob, long byteOffset, long byteSize) throws IOException {
    long done = 0;
    while (done < byteSize) {
      long count = Math.min(byteSize - done, room());
      blob.readFully(byteOffset + done, buffer.memory().asSlice(filled, count));
      filled += (int) count;
      done += count;
    }
  }

  /// How many bytes can be collected before the next write, at least one.
  private long room() throws IOException {
    if (filled == WRITE_BYTES) {
      writeFullBuffer();
    }
    return WRITE_BYTES - filled;
  }

  private long safeUpTo(long position) throws IOException {
    if (cuts == null) {
      cuts = madeCuts.make();
    }
    return cuts.atOrBefore(position);
  }

  private void writeFullBuffer() throws IOException {
    long safe = safeUpTo(written + filled);
    // Metadata that fills the whole buffer: cut there too, which most readers report.
    writeBuffer(safe <= written ? filled : (int) (safe - written));
  }

  private void writeBuffer(int count) throws IOException {
    send(
        count,
        encoder == null ? bytes(count) : ByteBuffer.wrap(encoder.encode(copy(count), count)));
    MemorySegment memory = buffer.memory();
    MemorySegment.copy(memory, count, memory, 0, filled - count);
    filled -= count;
  }

  private ByteBuffer bytes(int count) {
    return count == 0 ? ByteBuffer.allocate(0) : buffer.memory().asSlice(0, count).asByteBuffer();
  }

  private byte[] copy(int count) {
    return buffer.memory().asSlice(0, count).toArray(ValueLayout.JAVA_BYTE);
  }

  private void finish() throws IOException {
    if (byteSize != UNKNOWN && written + filled != byteSize) {
      throw new IllegalStateException(
          "Expected a body of " + byteSize + " bytes but found " + (written + filled));
    }
    ByteBuffer last =
        encoder == null ? bytes(filled) : ByteBuffer.wrap(encoder.encodeLast(copy(filled), filled));
    if (written == 0 && (byteSize == UNKNOWN || encoder != null)) {
      response.setContentLengthLong(last.remaining());
    }
    send(filled, () -> output.writeLast(last), last);
  }

  private interface Sending {
    void send() throws IOException;
  }

  /// @param count of the body's bytes that these stand for
  private void send(int count, ByteBuffer... bytes) throws IOException {
    send(count, () -> output.write(bytes), bytes);
  }

  private void send(int count, Sending sending, ByteBuffer... bytes) throws IOException {
    long byteCount = BodyOutput.remaining(bytes);
    checkEnd(count);
    clock.startWaiting();
    try {
      sending.send();
    } catch (IOException connectionLost) {
      throw clientWentAway(connectionLost);
    } finally {
      clock.endWaiting();
    }
    note(count, byteCount);
  }

  /// What went past the end would be taken for the start of the next answer.
  private void checkEnd(long count) {
    if (count > byteSize - written) {
      throw new IllegalStateException(
          "Expected a body of " + byteSize + " bytes but found more than " + written);
    }
  }

  /// Notes that so many bytes of the body were sent, as so many bytes, and gives up when that takes
  /// too long.
  private void note(long count, long byteCount) throws ResponseAbortedException {
    written += count;
    sent += byteCount;
    String complaint = clock.rateViolation(sent);
    if (complaint != null && written < byteSize) {
      throw new ResponseAbortedException(complaint);
    }
  }

  private static ResponseAbortedException clientWentAway(IOException e) {
    LOG.debug("The client went away", e);
    return new ResponseAbortedException("The client went away");
  }

  /// The failure itself while a problem can still be sent, else what closes the connection.
  private IOException abort(Throwable failure, StreamingBody body) throws IOException {
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

  private void sendAfterFailure(StreamingBody body) {
    try {
      MemorySegment last = body.afterFailure(written + filled);
      if (last.byteSize() > 0) {
        write(last);
        writeBuffer(filled);
        response.flushBuffer();
      }
    } catch (IOException | RuntimeException | Error second) {
      LOG.debug("Nothing was sent after a failure", second);
    }
  }
}
