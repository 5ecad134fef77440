package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// A connection on which tests write raw bytes, for requests that HTTP clients do not send.
public final class RawHttp implements AutoCloseable {

  private final Socket socket;

  public RawHttp(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  /// Connects from another address of this machine.
  RawHttp(int port, String address) throws IOException {
    this(
        new Socket(
            InetAddress.getLoopbackAddress(),
            port,
            InetAddress.ofLiteral(address),
            /* localPort= */ 0));
  }

  private RawHttp(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(60_000);
  }

  /// Sends `request`, whose lines end in `\n`, and returns everything until the server closes.
  public static String exchange(int port, String request) throws IOException {
    try (RawHttp connection = new RawHttp(port)) {
      connection.send(request);
      return connection.readToEnd();
    }
  }

  public void send(String text) throws IOException {
    sendExactly(text.replace("\n", "\r\n"));
  }

  public void sendExactly(String bytes) throws IOException {
    socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  /// Closes the sending side, like a client that disconnects.
  public void finishSending() throws IOException {
    socket.shutdownOutput();
  }

  /// Resets the connection, like a client that is killed.
  public void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  public String readToEnd() throws IOException {
    StringBuilder received = new StringBuilder();
    InputStream input = socket.getInputStream();
    byte[] buffer = new byte[8192];
    try {
      for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
        received.append(new String(buffer, 0, count, StandardCharsets.ISO_8859_1));
      }
    } catch (SocketException reset) {
      received.append("[reset]");
    }
    return received.toString();
  }

  /// Sends `drop` again and again until the service has closed the connection.
  ///
  /// @return all that the service sent
  String dripUntilClosed(String drop) throws Exception {
    try (ExecutorService reader = Executors.newSingleThreadExecutor()) {
      Future<String> received = reader.submit(this::readToEnd);
      while (!received.isDone()) {
        try {
          sendExactly(drop);
        } catch (IOException closed) {
          break;
        }
        TimeUnit.MILLISECONDS.sleep(100);
      }
      return received.get();
    }
  }

  /// Reads up to and including `end`.
  public String readUntil(String end) throws IOException {
    StringBuilder received = new StringBuilder();
    while (received.indexOf(end) < 0) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        break;
      }
      received.append((char) next);
    }
    return received.toString();
  }

  /// Returns the content of a chunked response that lacks the last, empty chunk.
  static byte[] unfinishedChunks(String response) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    int position = response.indexOf("\r\n\r\n") + 4;
    while (position < response.length()) {
      int start = response.indexOf("\r\n", position) + 2;
      int byteSize = Integer.parseInt(response.substring(position, start - 2), 16);
      assertThat(byteSize).isPositive();
      String chunk = response.substring(start, start + byteSize);
      content.writeBytes(chunk.getBytes(StandardCharsets.ISO_8859_1));
      position = start + byteSize + 2;
    }
    return content.toByteArray();
  }

  /// Returns the content of a complete chunked response, and the bytes after it.
  public static List<String> chunks(String response) {
    StringBuilder content = new StringBuilder();
    int position = response.indexOf("\r\n\r\n") + 4;
    while (true) {
      int start = response.indexOf("\r\n", position) + 2;
      int end = start + Integer.parseInt(response.substring(position, start - 2), 16);
      assertThat(response.substring(end, end + 2)).isEqualTo("\r\n");
      position = end + 2;
      if (end == start) {
        return List.of(content.toString(), response.substring(position));
      }
      content.append(response, start, end);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
