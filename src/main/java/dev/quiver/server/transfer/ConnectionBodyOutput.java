package dev.quiver.server.transfer;

import dev.quiver.store.blob.Blob;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.apache.catalina.Globals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A body of known length that is written directly to the connection. The kernel moves ranges of
/// files.
final class ConnectionBodyOutput implements BodyOutput {

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionBodyOutput.class);

  private final ClientConnection connection;
  private final HttpServletRequest request;
  private final HttpServletResponse response;
  private final TransferRateGuard guard;
  private long byteCount;

  ConnectionBodyOutput(
      ClientConnection connection,
      HttpServletRequest request,
      HttpServletResponse response,
      TransferRateGuard guard) {
    this.connection = connection;
    this.request = request;
    this.response = response;
    this.guard = guard;
  }

  @Override
  public void write(ByteBuffer... sources) throws IOException {
    long count = BodyOutput.remaining(sources);
    try {
      if (response.isCommitted()) {
        connection.write(guard, sources);
      } else {
        connection.writeFirst(guard, sources);
      }
    } finally {
      byteCount += count - BodyOutput.remaining(sources);
    }
  }

  @Override
  public void writeLast(ByteBuffer source) throws IOException {
    write(source);
  }

  @Override
  public boolean transfers() {
    return true;
  }

  @Override
  public long transfer(Blob blob, long byteOffset, long byteSize) throws IOException {
    while (true) {
      long count;
      try {
        count = blob.transferTo(byteOffset, byteSize, connection.channel());
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException e) {
        // The failure is the blob's or the client's; reading and writing separately shows which.
        LOG.debug("A transfer failed", e);
        return -1;
      }
      if (count != 0) {
        byteCount += Math.max(count, 0);
        guard.count(Math.max(count, 0));
        return count;
      }
      connection.awaitWritable(guard);
    }
  }

  /// Makes Tomcat's access log count the bytes that bypassed Tomcat.
  @Override
  public void close() {
    request.setAttribute(Globals.SENDFILE_FILE_START_ATTR, 0L);
    request.setAttribute(Globals.SENDFILE_FILE_END_ATTR, byteCount);
  }
}
