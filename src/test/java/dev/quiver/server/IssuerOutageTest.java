package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/// The service starts without its issuer, and rejects only the requests that need it.
@TestPropertySource(
    properties = {
      "spring.security.oauth2.resourceserver.jwt.issuer-uri=http://127.0.0.1:1",
      "spring.security.oauth2.resourceserver.jwt.audiences=quiver",
      "quiver.auth.anonymous=read:sam*",
      "quiver.token=plain"
    })
class IssuerOutageTest extends RunningService {

  private static final String JWT = "Bearer eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.AAAA";

  @Test
  void requestsThatNeedTheIssuerMayComeAgain() throws Exception {
    for (String path : new String[] {"/metrics", "/datasets/other", "/jobs"}) {
      HttpResponse<byte[]> response = get(path, "Authorization", JWT);
      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(header(response, "Retry-After")).isEqualTo("5");
      assertThat(text(response))
          .contains("urn:quiver:problem:issuer-unavailable", "Retry-After says");
    }
  }

  @Test
  void otherRequestsGoOn() throws Exception {
    assertThat(get("/datasets/sample", "Authorization", JWT).statusCode()).isEqualTo(200);
    assertThat(get("/metrics", "Authorization", "Bearer plain").statusCode()).isEqualTo(200);
    assertThat(get("/metrics", "Authorization", "Bearer other").statusCode()).isIn(401, 503);
    assertThat(get("/metrics").statusCode()).isEqualTo(401);
  }
}
