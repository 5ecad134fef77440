package dev.quiver.web;

import dev.quiver.memory.ByteSource;
import dev.quiver.memory.Limit;
import dev.quiver.memory.Place;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketTimeoutException;

/// The bytes of a request's body as the client sends them, read as they arrive.
///
/// Reading is where a client learns that it may send: Tomcat answers `Expect: 100-continue` with
/// the first read. What the client does wrong is a [ProblemException] or an
/// [dev.quiver.memory.InputException], so that an [IOException] always is the store's.
final class ReceivedBody implements ByteSource {

  /// No read returns more, and a `ByteBuffer` counts in `int`.
  private static final long READ_BYTES = 1 << 20;

  private final ServletInputStream input;
  private final TransferClock clock;
  private final Limit limit;
  private long byteCount;

  ReceivedBody(ServletInputStream input, TransferClock clock, Limit limit) {
    this.input = input;
    this.clock = clock;
    this.limit = limit;
  }

  /// How many bytes came so far.
  long byteCount() {
    return byteCount;
  }

  @Override
  public long read(MemorySegment destination) {
    if (destination.byteSize() == 0) {
      return 0;
    }
    int count = readSome(destination);
    if (count > 0) {
      byteCount += count;
      limit.check(byteCount, "bytes in a request", Place.UNKNOWN);
      checkPace();
    }
    return count;
  }

  private int readSome(MemorySegment destination) {
    long byteSize = Math.min(destination.byteSize(), READ_BYTES);
    clock.startWaiting();
    try {
      return input.read(destination.asSlice(0, byteSize).asByteBuffer());
    } catch (SocketTimeoutException e) {
      throw timeout("Expected more of the body but found none in time at byte offset " + byteCount);
    } catch (IOException e) {
      throw Problem.of(
              ProblemType.TRUNCATED,
              "Expected the body that the request announces but found its end, or no chunk, at byte"
                  + " offset "
                  + byteCount)
          .with("byteOffset", byteCount)
          .asException();
    } finally {
      clock.endWaiting();
    }
  }

  private void checkPace() {
    String complaint = clock.uploadComplaint(byteCount);
    if (complaint != null) {
      throw timeout(complaint);
    }
  }

  private static ProblemException timeout(String detail) {
    return Problem.of(ProblemType.TIMEOUT, detail).asException();
  }
}
