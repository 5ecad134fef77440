package dev.quiver.server.transfer;

import dev.quiver.arrow.ipc.TruncationPoints;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.server.http.ContentEncoder;
import dev.quiver.server.http.ResponseCoding;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.blob.FailureLog;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes the body of a response; no other class does.
///
/// It collects large writes and commits the response with the first one, so that an earlier failure
/// still becomes a problem document. Every write but the last ends at one of the
/// [TruncationPoints], so that a reader recognizes an aborted body as incomplete. A [StreamingBody]
/// may also have bytes that make this explicit. After the commit, every failure becomes a
/// [ResponseAbortedException].
///
/// Where the connection allows it, the operating system moves large ranges of blobs, in steps that
/// end at truncation points. Small ranges are collected with the bytes before and after them. Large
/// segments of native memory are written without a copy.
///
/// Each write is content-coded as a whole. After a failure, a client can decode everything up to
/// the last write, but finds no end of the coded data.
public final class BodyWriter implements BlobSink {

  private static final Logger LOG = LoggerFactory.getLogger(BodyWriter.class);

  static final int WRITE_BYTES = 256 << 10;

  /// A smaller segment of memory is collected.
  private static final long DIRECT_BYTES = 64 << 10;

  /// Reading a smaller range is faster than moving it.
  private static final long TRANSFER_BYTES = 64 << 10;

  /// The bytes of the first range that are read rather than moved, so that a store that fails does
  /// so before the commit.
  private static final long HEAD_BYTES = 16 << 10;

  /// The size of a step, which is moved only after all of it was fetched.
  private static final long STEP_BYTES = 8 << 20;

  /// The length of a body that is still to be generated.
  static final long UNKNOWN = Long.MAX_VALUE;

  private final HttpServletResponse response;
  private final BodyOutput output;
  private final TransferRateGuard guard;
  private final TruncationPoints truncationPoints;
  private final long byteSize;
  private final BodyBuffer buffer;
  private final @Nullable ContentEncoder encoder;
  private boolean transfers;
  private int filled;
  private long written;
  private long sent;

  /// @param byteSize the size of the body, or [#UNKNOWN]
  private BodyWriter(
      HttpServletResponse response,
      BodyOutput output,
      BodyBuffer buffer,
      long byteSize,
      TruncationPoints truncationPoints,
      @Nullable ContentEncoder encoder,
      TransferRateGuard guard) {
    this.response = response;
    this.output = output;
    this.guard = guard;
    this.truncationPoints = truncationPoints;
    this.byteSize = byteSize;
    this.buffer = buffer;
    this.encoder = encoder;
    this.transfers = output.transfers();
  }

  /// Sends `body` in a coding that the header already names. An uncoded body of known length gets a
  /// `Content-Length`.
  ///
  /// @throws ResponseAbortedException if it fails after the status was sent
  public static void send(
      Body body,
      ResponseCoding coding,
      HttpServletRequest request,
      HttpServletResponse response,
      TransferRateGuard guard,
      BodyMetrics metrics)
      throws IOException {
    try (ContentEncoder encoder = coding.encoder();
        BodyBuffer buffer = new BodyBuffer()) {
      switch (body) {
        case FixedLengthBody fixed -> {
          long byteSize = fixed.byteSize();
          if (encoder == null) {
            response.setContentLengthLong(byteSize);
          }
          try (BodyOutput output =
              BodyOutput.of(encoder == null ? byteSize : UNKNOWN, request, response, guard)) {
            new BodyWriter(
                    response, output, buffer, byteSize, fixed.truncationPoints(), encoder, guard)
                .send(fixed::writeTo, request, metrics);
          }
        }
        case StreamingBody streaming -> {
          try (BodyOutput output = BodyOutput.of(UNKNOWN, request, response, guard)) {
            new BodyWriter(
                    response, output, buffer, UNKNOWN, streaming.truncationPoints(), encoder, guard)
                .send(streaming, request, metrics);
          }
        }
      }
    }
  }

  private void send(StreamingBody body, HttpServletRequest request, BodyMetrics metrics)
      throws IOException {
    boolean complete = false;
    try {
      send(body);
      complete = true;
    } finally {
      // Otherwise a problem document is sent instead.
      if (response.isCommitted() || complete) {
        metrics.count(request, complete, guard.elapsed(), sent);
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

  /// Returns whether a segment is worth writing without a copy. Mapped memory is copied, since a
  /// failure to read it would look like a lost client. A body that may still end up small is
  /// copied, too.
  private boolean isLarge(MemorySegment source) {
    return encoder == null
        && source.isNative()
        && !source.isMapped()
        && source.byteSize() >= DIRECT_BYTES
        && (written > 0 || filled + source.byteSize() > WRITE_BYTES);
  }

  /// Writes the start of a segment without a copy, up to its last truncation point.
  ///
  /// @return the number of bytes written
  private long writeFrom(MemorySegment source) throws IOException {
    long done = 0;
    while (source.byteSize() - done >= DIRECT_BYTES) {
      long count = Math.min(source.byteSize() - done, room());
      long start = written + filled;
      long safe = start + count == byteSize ? byteSize : truncationPoints.atOrBefore(start + count);
      if (safe <= start) {
        break;
      }
      MemorySegment slice = source.asSlice(done, safe - start);
      send(filled + (int) slice.byteSize(), bytes(filled), slice.asByteBuffer());
      filled = 0;
      done += slice.byteSize();
    }
    return done;
  }

  @Override
  public void write(Blob blob, long byteOffset, long byteSize) throws IOException {
    long done = 0;
    while (done < byteSize) {
      long remaining = byteSize - done;
      if (!transfers || remaining < TRANSFER_BYTES) {
        read(blob, byteOffset + done, remaining);
        done += remaining;
      } else if (written == 0 && filled < HEAD_BYTES) {
        long count = remaining - HEAD_BYTES < TRANSFER_BYTES ? remaining : HEAD_BYTES;
        read(blob, byteOffset + done, count);
        done += count;
      } else if (filled > 0 && truncationPoints.atOrBefore(written + filled) < written + filled) {
        long count = Math.min(remaining, HEAD_BYTES);
        read(blob, byteOffset + done, count);
        done += count;
      } else if (filled > 0) {
        writeBuffer(filled);
      } else {
        done += transferStep(blob, byteOffset + done, remaining);
      }
    }
  }

  /// Moves the next bytes up to a truncation point, or reads them if they are few.
  private long transferStep(Blob blob, long byteOffset, long byteSize) throws IOException {
    long stepByteSize = Math.min(byteSize, STEP_BYTES);
    long end = written + stepByteSize;
    long count = end == this.byteSize ? stepByteSize : truncationPoints.atOrBefore(end) - written;
    if (count < TRANSFER_BYTES) {
      read(blob, byteOffset, Math.min(stepByteSize, HEAD_BYTES));
      return Math.min(stepByteSize, HEAD_BYTES);
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

  /// Returns how many bytes can be collected before the next write, at least one.
  private long room() throws IOException {
    if (filled == WRITE_BYTES) {
      writeFullBuffer();
    }
    return WRITE_BYTES - filled;
  }

  private void writeFullBuffer() throws IOException {
    long safe = truncationPoints.atOrBefore(written + filled);
    // Without a truncation point, metadata fills the buffer: most readers report a truncation
    // there, too.
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

  /// @param count the number of the body's bytes that `bytes` encode
  private void send(int count, ByteBuffer... bytes) throws IOException {
    send(count, () -> output.write(bytes), bytes);
  }

  private void send(int count, Sending sending, ByteBuffer... bytes) throws IOException {
    long byteCount = BodyOutput.remaining(bytes);
    checkEnd(count);
    try {
      sending.send();
    } catch (IOException connectionLost) {
      throw clientWentAway(connectionLost);
    }
    note(count, byteCount);
  }

  /// Rejects bytes past the end, which a client would take for the start of the next response.
  private void checkEnd(long count) {
    if (count > byteSize - written) {
      throw new IllegalStateException(
          "Expected a body of " + byteSize + " bytes but found more than " + written);
    }
  }

  /// Counts sent bytes, and aborts the response if the client is too slow.
  ///
  /// @param count the bytes of the body
  /// @param byteCount the size of the same bytes after content coding
  private void note(long count, long byteCount) throws ResponseAbortedException {
    written += count;
    sent += byteCount;
    String violation = guard.violation();
    if (violation != null && written < byteSize) {
      throw new ResponseAbortedException(violation);
    }
  }

  private ResponseAbortedException clientWentAway(IOException e) {
    LOG.debug("The client went away", e);
    String violation = guard.violation();
    return new ResponseAbortedException(violation == null ? "The client went away" : violation);
  }

  /// Throws the failure itself while a problem document can still be sent.
  ///
  /// @return the exception that closes the connection otherwise
  private IOException abort(Throwable failure, StreamingBody body) throws IOException {
    if (response.isCommitted()) {
      if (failure instanceof TooLargeInputException tooLarge) {
        // A limit worked as intended.
        LOG.warn("A response was aborted after {} bytes: {}", written, tooLarge.getMessage());
      } else if (failure instanceof SqlException || failure instanceof CancelledException) {
        // The statement failed, not the service. Its author's words are not for the log.
        String kind = failure.getClass().getSimpleName();
        LOG.info("A result was aborted after {} bytes: {}", written, kind);
      } else if (FailureLog.ofStore(failure) instanceof IOException ofStore) {
        LOG.warn("A response was aborted after {} bytes: {}", written, ofStore.getMessage());
      } else {
        LOG.error("A response was aborted after {} bytes", written, failure);
      }
      sendAfterFailure(body);
      return new ResponseAbortedException("Aborted after " + written + " bytes");
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
    } catch (IOException | RuntimeException | Error secondFailure) {
      LOG.debug("Nothing was sent after a failure", secondFailure);
    }
  }
}
