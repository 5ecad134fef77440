package dev.quiver.web;

import dev.quiver.memory.ByteSource;
import dev.quiver.memory.Place;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketTimeoutException;

/// The body of a request, read as it arrives.
///
/// Reading is where a client learns that it may send: Tomcat answers `Expect: 100-continue` with
/// the first read. What the client does wrong is a [ProblemException], so that an [IOException]
/// always is the store's. How much may come, `dataset` counts; a length that is announced is
/// checked before anything is read.
final class UploadBody implements ByteSource {

  /// No read returns more, and a `ByteBuffer` counts in `int`.
  private static final long READ_BYTES = 1 << 20;

  private final ServletInputStream input;
  private final TransferClock clock;
  private long byteCount;

  UploadBody(ServletInputStream input, TransferClock clock) {
    this.input = input;
    this.clock = clock;
  }

  /// The body of `request`, of which nothing is read yet.
  ///
  /// @throws dev.quiver.memory.TooLargeInputException when its length is announced and too large
  static UploadBody of(HttpServletRequest request, QuiverProperties.RequestLimits limits)
      throws IOException {
    limits.request().check(request.getContentLengthLong(), "bytes of a request", Place.UNKNOWN);
    return new UploadBody(request.getInputStream(), TransferClock.start(limits));
  }

  @Override
  public long read(MemorySegment destination) {
    if (destination.byteSize() == 0) {
      return 0;
    }
    int count = readSome(destination);
    if (count > 0) {
      byteCount += count;
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
