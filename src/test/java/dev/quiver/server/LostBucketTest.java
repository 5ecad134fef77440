package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.store.blob.S3ProxyServer;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// A service whose bucket is deleted.
@ExtendWith(OutputCaptureExtension.class)
class LostBucketTest extends RunningService {

  private static final String BUCKET = S3ProxyServer.newBucket();

  @DynamicPropertySource
  static void useBucket(DynamicPropertyRegistry registry) {
    registry.add("quiver.storage.s3.bucket", () -> BUCKET);
    registry.add("quiver.storage.s3.endpoint", S3ProxyServer::endpoint);
    registry.add("quiver.storage.s3.path-style", () -> "true");
    registry.add("quiver.storage.cache-path", () -> FOLDER.resolve("lost-bucket-cache"));
  }

  private static void assertUnavailable(HttpResponse<byte[]> response, String request) {
    assertThat(response.statusCode()).as(request + text(response)).isEqualTo(503);
    assertThat(text(response))
        .as(request)
        .contains("urn:quiver:problem:store-unavailable", "quiver.storage.s3");
  }

  @Test
  void aBucketThatIsGoneIsNotAnEmptyStore(CapturedOutput log) throws Exception {
    put("/datasets/kept", Streams.numbers(0, 3));
    Path bucket = S3ProxyServer.file(BUCKET, "");
    Path elsewhere = bucket.resolveSibling(BUCKET + "-elsewhere");
    Files.move(bucket, elsewhere);
    try {
      for (String path :
          List.of(
              "/",
              "/datasets",
              "/datasets/",
              "/datasets/kept",
              "/datasets/kept.csv",
              "/datasets/kept/versions",
              "/datasets/kept/events",
              "/datasets/never",
              "/datasets/kept.csv?link=" + "A".repeat(108),
              "/sql.csv?q=SELECT%20count(*)%20FROM%20kept")) {
        assertUnavailable(get(path), path);
        // Lists and pages are not made for a HEAD.
        if (path.startsWith("/datasets/kept")) {
          assertThat(head(path).statusCode()).as("HEAD " + path).isEqualTo(503);
        }
      }
      byte[] body = Streams.numbers(0, 3);
      assertUnavailable(put("/datasets/kept", body), "PUT");
      assertUnavailable(put("/datasets/new", body), "PUT new");
      assertUnavailable(post("/datasets/kept", body), "POST");
      assertUnavailable(post("/datasets/kept/verify", new byte[0]), "verify");
      assertUnavailable(post("/datasets/kept/compact", new byte[0]), "compact");
      assertUnavailable(delete("/datasets/kept"), "DELETE");
      assertThat(get("/health/readiness").statusCode()).isEqualTo(503);
    } finally {
      Files.move(elsewhere, bucket);
    }
    assertThat(get("/datasets/kept.csv").statusCode()).isEqualTo(200);
    assertThat(get("/health/readiness").statusCode()).isEqualTo(200);
    assertThat(log.getAll()).doesNotContain("\tat ");
  }
}
