package dev.quiver.web.request;

import dev.quiver.input.InputLocation;
import dev.quiver.input.Limit;
import dev.quiver.memory.ByteSource;
import dev.quiver.web.connector.IncomingBody;
import dev.quiver.web.connector.TransferRateGuard;
import dev.quiver.web.problem.Problem;
import dev.quiver.web.problem.ProblemException;
import dev.quiver.web.problem.ProblemType;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The bytes of a request's body as the client sends them, read as they arrive.
///
/// Reading is where a client learns that it may send: Tomcat answers `Expect: 100-continue` with
/// the first read. What the client does wrong is a [ProblemException] or an
/// [dev.quiver.input.InputException], so that an [IOException] always is the store's.
public final class RawRequestBody implements ByteSource {

  /// No read returns more, and a `ByteBuffer` counts in `int`.
  private static final long READ_BYTES = 1 << 20;

  /// From where on going past Tomcat is worth a call of the system: what is small comes together.
  private static final int DIRECT_BYTES = 16 << 10;

  private final ServletInputStream input;
  private final @Nullable IncomingBody direct;
  private final TransferRateGuard clock;
  private final Limit limit;
  private long byteCount;

  /// @param direct the same body, where it can be read past Tomcat
  public RawRequestBody(
      ServletInputStream input,
      @Nullable IncomingBody direct,
      TransferRateGuard clock,
      Limit limit) {
    this.input = input;
    this.direct = direct;
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
      limit.check(byteCount, "bytes in a request", InputLocation.UNKNOWN);
      checkPace();
    }
    return count;
  }

  private int readSome(MemorySegment destination) {
    long byteSize = Math.min(destination.byteSize(), READ_BYTES);
    ByteBuffer buffer = destination.asSlice(0, byteSize).asByteBuffer();
    clock.startWaiting();
    try {
      int count = readDirectly(buffer);
      return count > 0 ? count : input.read(buffer);
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

  /// @return 0 when it has to be read through Tomcat
  private int readDirectly(ByteBuffer buffer) throws IOException {
    if (direct == null || !buffer.isDirect() || buffer.remaining() < DIRECT_BYTES) {
      return 0;
    }
    return input.available() == 0 ? direct.read(buffer) : 0;
  }

  private void checkPace() {
    String complaint = clock.uploadViolation(byteCount);
    if (complaint != null) {
      throw timeout(complaint);
    }
  }

  private static ProblemException timeout(String detail) {
    return Problem.of(ProblemType.TIMEOUT, detail).asException();
  }
}
