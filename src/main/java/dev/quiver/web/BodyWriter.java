package dev.quiver.web;

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
  private @Nullable SafeCuts cuts;
  private int filled;
  private long written;

  /// @param byteSize of the body, or [#UNKNOWN]
  private BodyWriter(
      HttpServletResponse response, long byteSize, Content.Cuts cuts, TransferClock clock)
      throws IOException {
    this.response = response;
    this.output = response.getOutputStream();
    this.clock = clock;
    this.madeCuts = cuts;
    this.byteSize = byteSize;
    this.buffer = new byte[(int) Math.min(byteSize, WRITE_BYTES)];
  }

  /// Sends `content` as the body of `response`, of exactly its length.
  ///
  /// @throws ResponseAbortedException when it fails after the status was sent
  static void send(Content content, HttpServletResponse response, TransferClock clock)
      throws IOException {
    response.setContentLengthLong(content.byteSize());
    BodyWriter writer = new BodyWriter(response, content.byteSize(), content.cuts(), clock);
    writer.send(sink -> {
      for (Piece piece : content.pieces()) {
        piece.writeTo(sink);
      }
    });
  }

  /// Sends a body of any length, which the response says only when one write holds all of it.
  ///
  /// @throws ResponseAbortedException when it fails after the status was sent
  static void send(StreamedBody body, HttpServletResponse response, TransferClock clock)
      throws IOException {
    new BodyWriter(response, UNKNOWN, body::cuts, clock).send(body);
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
    if (byteSize == UNKNOWN) {
      if (written == 0) {
        response.setContentLengthLong(filled);
      }
    } else if (written + filled != byteSize) {
      throw new IllegalStateException(
          "Expected a body of " + byteSize + " bytes but found " + (written + filled));
    }
    write(filled);
  }

  private void write(int count) throws IOException {
    clock.startWaiting();
    try {
      output.write(buffer, 0, count);
    } catch (IOException connectionLost) {
      LOG.debug("The client went away", connectionLost);
      throw new ResponseAbortedException("The client went away");
    } finally {
      clock.endWaiting();
    }
    written += count;
    String complaint = clock.rateComplaint(written);
    if (complaint != null && written < byteSize) {
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
