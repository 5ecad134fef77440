package dev.quiver.store.blob;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/// A proxy that forwards connections to a server, counts requests, and damages responses.
public final class WatchedServer implements AutoCloseable {

  private final URI server;
  private final ServerSocket socket;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<Socket> clients = new CopyOnWriteArrayList<>();
  private volatile Truncation nextTruncation = Truncation.NONE;
  private volatile Replacement replacement = new Replacement("", "");
  private final AtomicInteger replacements = new AtomicInteger();
  private volatile boolean ignoringRanges;

  public WatchedServer(URI server) throws IOException {
    this.server = server;
    this.socket = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(this::accept);
  }

  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + socket.getLocalPort());
  }

  /// Returns the number of requests of this method since the last [#take].
  public long count(String method) {
    return requests.stream().filter(request -> request.startsWith(method + " ")).count();
  }

  /// Returns the same as [#count] and resets it.
  public int take(String method) {
    int before = requests.size();
    requests.removeIf(request -> request.startsWith(method + " "));
    return before - requests.size();
  }

  /// Closes the connection during the next response to this method, after forwarding
  /// `afterByteSize` bytes.
  public void truncateNextResponse(String method, int afterByteSize) {
    nextTruncation = new Truncation(method, afterByteSize);
  }

  /// Replaces a text in the next so many responses that have it, which are short.
  ///
  /// @param other as long as the text
  public void replaceInNextResponses(int count, String text, String other) {
    replacement = new Replacement(text, other);
    replacements.set(count);
  }

  /// Makes the server ignore ranges, so responses are always complete.
  public void ignoreRanges() {
    ignoringRanges = true;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = socket.accept();
        clients.add(client);
        Thread.startVirtualThread(() -> forward(client));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void forward(Socket client) {
    AtomicReference<Truncation> truncation = new AtomicReference<>(Truncation.NONE);
    try (client;
        Socket upstream = new Socket(server.getHost(), server.getPort())) {
      Thread responses =
          Thread.startVirtualThread(() -> forwardResponses(upstream, client, truncation));
      byte[] buffer = new byte[1 << 16];
      InputStream source = client.getInputStream();
      for (int count = source.read(buffer); count >= 0; count = source.read(buffer)) {
        String start = new String(buffer, 0, Math.min(count, 300), StandardCharsets.ISO_8859_1);
        if (start.matches("(?s)(GET|PUT|POST|HEAD|DELETE) .*")) {
          requests.add(start);
          if (start.startsWith(nextTruncation.method() + " ")) {
            truncation.set(nextTruncation);
            nextTruncation = Truncation.NONE;
          }
        }
        String sent = new String(buffer, 0, count, StandardCharsets.ISO_8859_1);
        if (ignoringRanges && start.startsWith("GET ")) {
          sent = sent.replaceFirst("(?i)\nrange:", "\nother:");
        }
        upstream.getOutputStream().write(sent.getBytes(StandardCharsets.ISO_8859_1));
      }
      upstream.shutdownOutput();
      responses.join();
    } catch (IOException | InterruptedException e) {
      // One side has closed the connection.
    }
  }

  private void forwardResponses(
      Socket upstream, Socket client, AtomicReference<Truncation> truncation) {
    try (client;
        upstream) {
      byte[] buffer = new byte[1 << 16];
      InputStream source = upstream.getInputStream();
      OutputStream destination = client.getOutputStream();
      int forwarded = 0;
      for (int count = source.read(buffer); count >= 0; count = source.read(buffer)) {
        Truncation current = truncation.get();
        if (current != Truncation.NONE
            && isFinal(buffer, count)
            && forwarded + count > current.afterByteSize()) {
          destination.write(buffer, 0, Math.max(0, current.afterByteSize() - forwarded));
          return;
        }
        forwarded = current == Truncation.NONE ? 0 : forwarded + count;
        destination.write(replaced(buffer, count));
      }
    } catch (IOException e) {
      // One side has closed the connection.
    }
  }

  private byte[] replaced(byte[] buffer, int count) {
    String sent = new String(buffer, 0, count, StandardCharsets.ISO_8859_1);
    if (replacements.get() > 0 && sent.contains(replacement.text())) {
      replacements.decrementAndGet();
      sent = sent.replace(replacement.text(), replacement.other());
    }
    return sent.getBytes(StandardCharsets.ISO_8859_1);
  }

  /// Returns whether this is more than a `100 Continue`.
  private static boolean isFinal(byte[] buffer, int count) {
    String start = new String(buffer, 0, Math.min(count, 12), StandardCharsets.ISO_8859_1);
    return !start.equals("HTTP/1.1 100");
  }

  /// Closes all connections and accepts none.
  @Override
  public void close() throws IOException {
    socket.close();
    for (Socket client : clients) {
      client.close();
    }
  }

  private record Replacement(String text, String other) {}

  private record Truncation(String method, int afterByteSize) {

    static final Truncation NONE = new Truncation("none", 0);
  }
}
