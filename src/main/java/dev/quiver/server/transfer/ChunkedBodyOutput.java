package dev.quiver.server.transfer;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.catalina.Globals;
import org.jspecify.annotations.Nullable;

/// A body of unknown length that is written directly to the connection, one chunk per write,
/// without Tomcat's copies.
///
/// Tomcat sends the body itself if the client speaks HTTP/1.0, which has no chunks. It also does so
/// if the first write completes the body, since the length is then known.
final class ChunkedBodyOutput implements BodyOutput {

  private static final String LINE_END = "\r\n";
  private static final String LAST_CHUNK = "0" + LINE_END + LINE_END;

  private final ClientConnection connection;
  private final HttpServletRequest request;
  private final HttpServletResponse response;
  private final TransferRateGuard guard;
  private @Nullable BodyOutput servletOutput;
  private boolean chunked;
  private long byteCount;

  ChunkedBodyOutput(
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
    if (!chunked && servletOutput == null) {
      response.flushBuffer();
      chunked = "chunked".equals(response.getHeader("Transfer-Encoding"));
      servletOutput = chunked ? null : ServletBodyOutput.of(response, guard);
    }
    if (servletOutput != null) {
      servletOutput.write(sources);
    } else {
      writeChunk("", sources);
    }
  }

  @Override
  public void writeLast(ByteBuffer source) throws IOException {
    if (chunked) {
      writeChunk(LAST_CHUNK, source);
      connection.endResponse();
    } else {
      ServletBodyOutput.of(response, guard).writeLast(source);
    }
  }

  /// Writes one chunk, unless it is empty: an empty chunk would be the last.
  private void writeChunk(String after, ByteBuffer... sources) throws IOException {
    long count = BodyOutput.remaining(sources);
    List<ByteBuffer> written = new ArrayList<>();
    if (count > 0) {
      written.add(line(Long.toHexString(count) + LINE_END));
      Collections.addAll(written, sources);
      written.add(line(LINE_END));
    }
    written.add(line(after));
    try {
      connection.write(guard, written.toArray(ByteBuffer[]::new));
    } finally {
      byteCount += count - BodyOutput.remaining(sources);
    }
  }

  private static ByteBuffer line(String text) {
    return StandardCharsets.US_ASCII.encode(text);
  }

  /// Makes Tomcat's access log count the bytes that bypassed Tomcat.
  @Override
  public void close() {
    if (chunked) {
      request.setAttribute(Globals.SENDFILE_FILE_START_ATTR, 0L);
      request.setAttribute(Globals.SENDFILE_FILE_END_ATTR, byteCount);
    }
  }
}
