package dev.quiver.web.response;

import dev.quiver.storage.Blob;
import dev.quiver.web.connector.ClientConnection;
import dev.quiver.web.connector.TransferRateGuard;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.apache.catalina.Globals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A body of known length that goes straight to the connection. The kernel moves ranges of files.
final class ConnectionBodyOutput implements BodyOutput {

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionBodyOutput.class);

  private final ClientConnection connection;
  private final HttpServletRequest request;
  private final HttpServletResponse response;
  private final TransferRateGuard clock;
  private long byteCount;

  ConnectionBodyOutput(
      ClientConnection connection,
      HttpServletRequest request,
      HttpServletResponse response,
      TransferRateGuard clock) {
    this.connection = connection;
    this.request = request;
    this.response = response;
    this.clock = clock;
  }

  @Override
  public void write(ByteBuffer... sources) throws IOException {
    long count = BodyOutput.remaining(sources);
    try {
      if (response.isCommitted()) {
        connection.write(clock.idleMillis(), sources);
      } else {
        connection.writeFirst(clock.idleMillis(), sources);
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
        // The failure is the blob's or the client's; reading and writing separately tells which.
        LOG.debug("A transfer failed", e);
        return -1;
      }
      if (count != 0) {
        byteCount += Math.max(count, 0);
        return count;
      }
      clock.startWaiting();
      try {
        connection.awaitWritable(clock.idleMillis());
      } finally {
        clock.endWaiting();
      }
    }
  }

  /// Adds the bytes that Tomcat did not send to its access log.
  @Override
  public void close() {
    request.setAttribute(Globals.SENDFILE_FILE_START_ATTR, 0L);
    request.setAttribute(Globals.SENDFILE_FILE_END_ATTR, byteCount);
  }
}
