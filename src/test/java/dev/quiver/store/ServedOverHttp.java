package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.store.Pieces.Piece;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The datasets of a service, read and written over HTTP.
record ServedOverHttp(HttpClient client, String origin) implements Ledger.Served {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Override
  public Set<DatasetName> names() throws Exception {
    Set<DatasetName> names = new HashSet<>();
    for (JsonNode dataset : JSON.readTree(get("/datasets").body()).path("datasets")) {
      names.add(new DatasetName(dataset.path("name").asString()));
    }
    return names;
  }

  @Override
  public List<Long> versions(DatasetName name) throws Exception {
    HttpResponse<byte[]> response = get("/datasets/" + name + "/versions?limit=1000");
    if (response.statusCode() == 404 || response.statusCode() == 410) {
      return List.of();
    }
    assertThat(response.statusCode()).as("status of the versions of %s", name).isEqualTo(200);
    List<Long> versions = new ArrayList<>();
    for (JsonNode version : JSON.readTree(response.body()).path("versions")) {
      versions.add(version.path("version").asLong());
    }
    return versions;
  }

  @Override
  public List<Piece> pieces(DatasetName name, @Nullable Long version) throws Exception {
    String path = "/datasets/" + new DatasetReference(name, version);
    HttpResponse<byte[]> file = get(path + ".arrow");
    HttpResponse<byte[]> stream = get(path + ".arrows");
    assertThat(List.of(file.statusCode(), stream.statusCode())).as(path).containsOnly(200);
    List<Piece> pieces = Pieces.ofFile(file.body());
    assertThat(Pieces.ofStream(stream.body())).as(path).isEqualTo(pieces);
    return pieces;
  }

  /// Executes an intent.
  ///
  /// @return whether the service acknowledged it
  boolean run(Intent intent) throws IOException, InterruptedException {
    String path = "/datasets/" + intent.name();
    return switch (intent.action()) {
      case PUT -> isDone(send("PUT", path, intent.body()));
      case APPEND ->
          isDone(send("POST", path, intent.body(), "Idempotency-Key", intent.key().value()));
      case COMPACT -> isDoneOrGone(send("POST", path + "/compact", new byte[0]));
      case DELETE -> isDoneOrGone(send("DELETE", path, new byte[0]));
    };
  }

  private static boolean isDone(HttpResponse<byte[]> response) {
    return response.statusCode() / 100 == 2;
  }

  /// Returns whether a request is done, which it also is for a missing dataset.
  private static boolean isDoneOrGone(HttpResponse<byte[]> response) {
    return isDone(response) || response.statusCode() == 404 || response.statusCode() == 410;
  }

  private HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(origin + path)).build(), BodyHandlers.ofByteArray());
  }

  private HttpResponse<byte[]> send(String method, String path, byte[] body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(origin + path))
            .method(method, BodyPublishers.ofByteArray(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }
}
