package dev.quiver.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.RunningService;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/// A service that listens beyond loopback does not derive its URLs from `Host`.
@TestPropertySource(properties = "server.address=0.0.0.0")
class PublicUrlsTest extends RunningService {

  @Test
  void rejectsPartitionsWithoutPublicUrls() throws Exception {
    var response = get("/datasets/sample/partitions");
    assertThat(response.statusCode()).isEqualTo(501);
    assertThat(json(response).get("detail").asString())
        .isEqualTo(
            "Expected a URL for clients but found none at quiver.public-urls, which is required unless"
                + " the service listens on loopback");
  }
}
