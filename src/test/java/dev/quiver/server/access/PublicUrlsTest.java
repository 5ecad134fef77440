package dev.quiver.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.RawHttp;
import dev.quiver.server.RunningService;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/// A service that listens beyond loopback derives only the URLs of commands from `Host`, which the
/// sender alone gets.
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

  @Test
  void commandsHaveTheHostOfTheRequest() throws Exception {
    String[] others = {"X-Forwarded-Host", "evil.test", "X-Forwarded-Proto", "https"};
    assertThat(text(get("/", others)))
        .startsWith("Quiver at http://localhost:%d".formatted(port))
        .contains("curl http://localhost:%d/datasets/".formatted(port))
        .doesNotContain("this-service", "evil.test");
    String named =
        RawHttp.exchange(port, "GET / HTTP/1.1\nHost: data.example:81\nConnection: close\n\n");
    assertThat(named).contains("\r\nQuiver at http://data.example:81\n");
    String unnamed = RawHttp.exchange(port, "GET / HTTP/1.0\n\n");
    assertThat(unnamed).contains("\r\nQuiver at https://this-service\n");
    for (String path : new String[] {"/", "/sql", "/inspect"}) {
      assertThat(text(get(path, "Accept", "text/html")))
          .as(path)
          .contains("<title>")
          .doesNotContain("this-service");
    }
  }
}
