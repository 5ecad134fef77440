package dev.quiver.server;

import java.io.IOException;
import org.springframework.boot.test.web.server.LocalServerPort;

/// A service that gets requests whose headers no client would send.
abstract class RawService extends TemporaryStore {

  @LocalServerPort private int port;

  /// Sends a request with the headers that are given, and returns the whole response.
  final String exchange(String requestLine, String... headers) throws IOException {
    String request = requestLine + " HTTP/1.1\n" + String.join("\n", headers);
    return RawHttp.exchange(port, request + "\nConnection: close\n\n");
  }
}
