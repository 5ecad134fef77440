package dev.quiver.server.transfer;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.ProblemType;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The bytes of a request body as the client sends them, read as they arrive.
///
/// The first read makes Tomcat send `100 Continue`. Errors of the client are a [ProblemException]
/// or an [dev.quiver.arrow.memory.InputException], so an [IOException] is always an error of the
/// store.
public final class RawRequestBody implements ByteSource {

  /// The maximum size of a read, since a `ByteBuffer` has an `int` size.
  private static final long READ_BYTES = 1 << 20;

  /// The minimum size of a direct read; smaller ones are not worth a system call, since small
  /// bodies arrive whole.
  private static final int DIRECT_BYTES = 16 << 10;

  private final ServletInputStream input;
  private final @Nullable IncomingBody direct;
  private final TransferRateGuard rateGuard;
  private final Limit limit;
  private long byteCount;

  /// @param direct the same body without Tomcat's buffers, or null if unavailable
  RawRequestBody(
      ServletInputStream input,
      @Nullable IncomingBody direct,
      TransferRateGuard rateGuard,
      Limit limit) {
    this.input = input;
    this.direct = direct;
    this.rateGuard = rateGuard;
    this.limit = limit;
  }

  /// Returns the unread body of `request`.
  public static RawRequestBody of(HttpServletRequest request, RequestLimits limits)
      throws IOException {
    return new RawRequestBody(
        request.getInputStream(),
        Exchange.of(request).body(),
        TransferRateGuard.ofUpload(limits, request),
        limits.request());
  }

  @Override
  public long read(MemorySegment destination) {
    if (destination.byteSize() == 0) {
      return 0;
    }
    int count = readSome(destination);
    if (count > 0) {
      byteCount += count;
      rateGuard.count(count);
      limit.check(byteCount, "bytes in a request", InputLocation.UNKNOWN);
    }
    checkRate();
    return count;
  }

  private int readSome(MemorySegment destination) {
    long byteSize = Math.min(destination.byteSize(), READ_BYTES);
    ByteBuffer buffer = destination.asSlice(0, byteSize).asByteBuffer();
    rateGuard.startWaiting();
    try {
      int count = readDirectly(buffer);
      return count > 0 ? count : input.read(buffer);
    } catch (SocketTimeoutException e) {
      throw timeout(
          "Expected more of the body but found none before the timeout at byte offset "
              + byteCount);
    } catch (IOException e) {
      checkRate();
      throw Problem.of(
              ProblemType.TRUNCATED,
              "Expected the rest of the declared body but found its end or an invalid chunk at"
                  + " byte offset "
                  + byteCount)
          .withHint("Send all of the body again.")
          .with("byteOffset", byteCount)
          .asException();
    } finally {
      rateGuard.endWaiting();
    }
  }

  /// @return the number of bytes read, or 0 if the body has to be read through Tomcat
  private int readDirectly(ByteBuffer buffer) throws IOException {
    if (direct == null || !buffer.isDirect() || buffer.remaining() < DIRECT_BYTES) {
      return 0;
    }
    return input.available() == 0 ? direct.read(buffer) : 0;
  }

  private void checkRate() {
    String violation = rateGuard.violation();
    if (violation != null) {
      throw timeout(violation);
    }
  }

  private static ProblemException timeout(String detail) {
    return Problem.of(ProblemType.TIMEOUT, detail)
        .withHint(
            "Send the body again over a faster connection, or in parts as a resumable upload.")
        .asException();
  }
}
