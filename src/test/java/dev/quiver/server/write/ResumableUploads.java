package dev.quiver.server.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.RunningService;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;

/// A running service, and the requests of resumable uploads.
abstract class ResumableUploads extends RunningService {

  static final String NEWEST = "8";

  private final HttpClient client = HttpClient.newHttpClient();

  HttpResponse<byte[]> request(
      String method, String path, byte[] body, String version, String... headers) throws Exception {
    List<String> all = new ArrayList<>(List.of(headers));
    if (!version.equals(NEWEST)) {
      all.addAll(List.of("Upload-Draft-Interop-Version", version));
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
            .method(method, BodyPublishers.ofByteArray(body));
    if (!all.isEmpty()) {
      request.headers(all.toArray(String[]::new));
    }
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }

  HttpResponse<byte[]> create(String method, String path, String version, String... more)
      throws Exception {
    List<String> headers = new ArrayList<>(List.of("Upload-Complete", "?0"));
    headers.addAll(List.of(more));
    return request(method, path, new byte[0], version, headers.toArray(String[]::new));
  }

  HttpResponse<byte[]> patch(
      String upload, byte[] part, long offset, boolean complete, String version) throws Exception {
    List<String> headers =
        new ArrayList<>(
            List.of(
                "Upload-Offset", Long.toString(offset), "Upload-Complete", complete ? "?1" : "?0"));
    if (!version.equals("5")) {
      headers.addAll(List.of("Content-Type", "application/partial-upload"));
    }
    return request("PATCH", upload, part, version, headers.toArray(String[]::new));
  }

  long offset(String upload) throws Exception {
    HttpResponse<byte[]> response = head(upload);
    assertThat(response.statusCode()).isEqualTo(204);
    assertThat(header(response, "Cache-Control")).isEqualTo("no-store");
    return Long.parseLong(header(response, "Upload-Offset"));
  }
}
