package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.server.Streams;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.S3ProxyServer;
import dev.quiver.store.blob.WatchedServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/// Two services on one bucket. A write to one is visible to the next read from the other.
@Tag("long")
class SharedBucketTest {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir private static Path folder;
  private static String bucket;
  private static ConfigurableApplicationContext one;
  private static ConfigurableApplicationContext other;

  @BeforeAll
  static void start() {
    bucket = S3ProxyServer.newBucket();
    one = start("one");
    other = start("other");
  }

  @AfterAll
  static void stop() {
    one.close();
    other.close();
    CLIENT.close();
  }

  private static ConfigurableApplicationContext start(String name) {
    return start(name, S3ProxyServer.endpoint());
  }

  private static ConfigurableApplicationContext start(String name, URI endpoint) {
    return Quiver.application()
        .run(
            "--server.port=0",
            "--quiver.storage.path=" + folder.resolve("unused"),
            "--quiver.storage.s3.bucket=" + bucket,
            "--quiver.storage.s3.endpoint=" + endpoint,
            "--quiver.storage.s3.prefix=quiver",
            "--quiver.storage.s3.path-style=true",
            "--quiver.storage.cache-path=" + folder.resolve(name));
  }

  private HttpResponse<byte[]> send(
      ConfigurableApplicationContext service, String method, String path, byte[] body)
      throws Exception {
    String port = service.getEnvironment().getRequiredProperty("local.server.port");
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .method(method, BodyPublishers.ofByteArray(body))
            .header("Content-Type", "application/vnd.apache.arrow.stream")
            .build();
    return CLIENT.send(request, BodyHandlers.ofByteArray());
  }

  private HttpResponse<byte[]> get(ConfigurableApplicationContext service, String path)
      throws Exception {
    return send(service, "GET", path, new byte[0]);
  }

  private List<String> keys() throws Exception {
    return one.getBean(BlobStore.class).list("", null, 100);
  }

  @Test
  void writesAreVisibleToTheOtherService() throws Exception {
    byte[] sample = get(one, "/datasets/sample.arrows").body();
    assertThat(get(other, "/datasets/sample.arrows").body()).isEqualTo(sample);

    assertThat(send(one, "PUT", "/datasets/a", sample).statusCode()).isEqualTo(201);
    HttpResponse<byte[]> first = get(other, "/datasets/a.arrows");
    assertThat(first.headers().firstValue("Arrow-Row-Count")).hasValue("31");
    assertThat(send(other, "POST", "/datasets/a", sample).statusCode()).isEqualTo(200);
    HttpResponse<byte[]> appended = get(one, "/datasets/a.arrow");
    assertThat(appended.headers().firstValue("Arrow-Row-Count")).hasValue("62");
    assertThat(get(other, "/datasets/a.arrow").body()).isEqualTo(appended.body());
    assertThat(get(one, "/datasets/a@1.arrows").body()).isEqualTo(first.body());

    assertThat(send(one, "DELETE", "/datasets/a", new byte[0]).statusCode()).isEqualTo(204);
    assertThat(get(other, "/datasets/a.arrows").statusCode()).isEqualTo(410);
    assertThat(folder.resolve("unused")).doesNotExist();
  }

  @Test
  void metricsTellOfRequestsToTheBucket() throws Exception {
    // More than what is read together with the identity of a blob.
    byte[] sample = get(one, "/datasets/sample.arrows").body();
    byte[] large = Streams.table(Codec.NONE, 20_000);
    assertThat(send(one, "PUT", "/datasets/large", large).statusCode()).isEqualTo(201);
    assertThat(send(other, "PUT", "/datasets/small", sample).statusCode()).isEqualTo(201);
    get(other, "/datasets/large.arrows");
    get(other, "/datasets/large.arrows");
    String metrics = new String(get(other, "/metrics").body(), StandardCharsets.UTF_8);
    assertThat(DocumentedMetrics.in(metrics)).containsAll(DocumentedMetrics.OF_BUCKETS);
    assertThat(metrics)
        .containsPattern(
            "quiver_store_requests_seconds_count\\{method=\"PUT\",outcome=\"success\"} [1-9]")
        .containsPattern("quiver_store_sent_bytes_total [1-9]")
        .containsPattern("quiver_store_received_bytes_total [1-9]")
        .containsPattern("quiver_store_cache_hits_total [1-9]")
        .containsPattern("quiver_store_cache_misses_total [1-9]");
  }

  @Test
  void conversionAndInspectionWriteNothingToTheBucket() throws Exception {
    byte[] sample = get(one, "/datasets/sample.arrows").body();
    List<String> before = keys();
    assertThat(before).isNotEmpty();
    assertThat(send(one, "POST", "/convert", sample).statusCode()).isEqualTo(200);
    assertThat(send(one, "POST", "/inspect", sample).statusCode()).isEqualTo(200);
    assertThat(keys()).isEqualTo(before);
  }

  @Test
  void reportsAnUnavailableStore() throws Exception {
    try (WatchedServer server = new WatchedServer(S3ProxyServer.endpoint());
        ConfigurableApplicationContext service = start("third", server.endpoint())) {
      byte[] sample = get(service, "/datasets/sample.arrows").body();
      assertThat(get(service, "/health/readiness").statusCode()).isEqualTo(200);
      server.close();
      HttpResponse<byte[]> read = get(service, "/datasets/sample.arrows");
      assertThat(read.statusCode()).isEqualTo(503);
      assertThat(read.headers().firstValue("Retry-After")).hasValue("5");
      assertThat(new String(read.body(), StandardCharsets.UTF_8))
          .contains(
              "urn:quiver:problem:store-unavailable",
              "Expected a response from the store but found none");
      assertThat(send(service, "PUT", "/datasets/unavailable", sample).statusCode()).isEqualTo(503);
      HttpResponse<byte[]> health = get(service, "/health/readiness");
      assertThat(health.statusCode()).isEqualTo(503);
      assertThat(new String(health.body(), StandardCharsets.UTF_8)).contains("OUT_OF_SERVICE");
      assertThat(get(service, "/health/liveness").statusCode()).isEqualTo(200);
    }
    assertThat(get(one, "/datasets/unavailable").statusCode()).isEqualTo(404);
  }
}
