package dev.quiver.server.transfer;

import dev.quiver.store.blob.Blob;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// The output through which a body leaves the service. Every [IOException] comes from the
/// connection to the client.
sealed interface BodyOutput extends AutoCloseable
    permits ServletBodyOutput, ConnectionBodyOutput, ChunkedBodyOutput, PacedBodyOutput {

  /// A smaller body fits into Tomcat's buffer with its head, and both are sent in one write.
  long CONNECTION_BYTES = DirectHttp11Protocol.SOCKET_BUFFER_BYTES - (2 << 10);

  /// Returns the output of a body: the connection itself where it is available and worthwhile.
  ///
  /// @param byteSize of the body as sent, or [BodyWriter#UNKNOWN]
  static BodyOutput of(
      long byteSize,
      HttpServletRequest request,
      HttpServletResponse response,
      TransferRateGuard guard)
      throws IOException {
    Pace pace = Exchange.of(request).pace();
    BodyOutput output = unpaced(byteSize, request, response, guard);
    return pace == null ? output : new PacedBodyOutput(output, pace);
  }

  private static BodyOutput unpaced(
      long byteSize,
      HttpServletRequest request,
      HttpServletResponse response,
      TransferRateGuard guard)
      throws IOException {
    ClientConnection connection =
        byteSize < CONNECTION_BYTES ? null : Exchange.of(request).connection();
    if (connection == null) {
      return ServletBodyOutput.of(response, guard);
    }
    return byteSize == BodyWriter.UNKNOWN
        ? new ChunkedBodyOutput(connection, request, response, guard)
        : new ConnectionBodyOutput(connection, request, response, guard);
  }

  /// Writes all of `sources`, after the response head if that was not sent before.
  void write(ByteBuffer... sources) throws IOException;

  /// Writes the end of a complete body. If nothing was written before, the response gets a length.
  void writeLast(ByteBuffer source) throws IOException;

  /// Returns whether [#transfer] can move bytes.
  default boolean transfers() {
    return false;
  }

  /// Moves bytes from a range of a blob without copying them into this process, after at least one
  /// [#write]. Only the wait for the client counts as waiting, since the range may have to be
  /// fetched.
  ///
  /// @return the number of bytes moved from the start of the range, or -1 if the caller must read
  ///   them instead, if only to find the cause of a failure
  default long transfer(Blob blob, long byteOffset, long byteSize) throws IOException {
    return -1;
  }

  /// Ends the body, whether or not it is complete.
  @Override
  void close();

  /// Returns the number of bytes in `sources`.
  static long remaining(ByteBuffer... sources) {
    return Arrays.stream(sources).mapToLong(ByteBuffer::remaining).sum();
  }
}
