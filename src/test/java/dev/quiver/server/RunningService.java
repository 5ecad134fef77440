package dev.quiver.server;

import dev.quiver.Quiver;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The service on a random port, and requests to it. Its store contains the `sample` unless
/// configured otherwise.
@SpringBootTest(classes = Quiver.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
public abstract class RunningService extends TemporaryStore {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  protected static final JsonMapper JSON = JsonMapper.builder().build();

  @LocalServerPort protected int port;

  protected HttpResponse<byte[]> get(String path, String... headers) throws Exception {
    return send("GET", path, BodyPublishers.noBody(), headers);
  }

  protected HttpResponse<byte[]> head(String path, String... headers) throws Exception {
    return send("HEAD", path, BodyPublishers.noBody(), headers);
  }

  protected HttpResponse<byte[]> put(String path, byte[] body, String... headers) throws Exception {
    return send("PUT", path, BodyPublishers.ofByteArray(body), headers);
  }

  protected HttpResponse<byte[]> post(String path, byte[] body, String... headers)
      throws Exception {
    return send("POST", path, BodyPublishers.ofByteArray(body), headers);
  }

  protected HttpResponse<byte[]> delete(String path, String... headers) throws Exception {
    return send("DELETE", path, BodyPublishers.noBody(), headers);
  }

  protected HttpResponse<byte[]> patch(String path, byte[] body, String... headers)
      throws Exception {
    return send("PATCH", path, BodyPublishers.ofByteArray(body), headers);
  }

  protected HttpResponse<byte[]> send(
      String method, String path, HttpRequest.BodyPublisher body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).method(method, body);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return CLIENT.send(request.build(), BodyHandlers.ofByteArray());
  }

  /// Returns the JSON document at a path.
  protected JsonNode json(String path) throws Exception {
    return json(get(path));
  }

  public static JsonNode json(HttpResponse<byte[]> response) {
    return JSON.readTree(response.body());
  }

  protected static String text(HttpResponse<byte[]> response) {
    return new String(response.body(), StandardCharsets.UTF_8);
  }

  /// Returns the value of a header, or the empty string if absent. Repeated lines are joined by a
  /// word that no expected value contains.
  protected static String header(HttpResponse<byte[]> response, String name) {
    return String.join(" AND ", response.headers().allValues(name));
  }
}
