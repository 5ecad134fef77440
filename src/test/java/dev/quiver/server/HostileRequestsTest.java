package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests that try to reach files, to add headers, or to name another host.
class HostileRequestsTest extends RunningService {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/datasets/../../../../etc/passwd",
        "/datasets/%2e%2e/%2e%2e/etc/passwd",
        "/datasets/..%2f..%2f..%2fetc%2fpasswd",
        "/datasets/..%5c..%5cetc%5cpasswd",
        "/datasets/..\\..\\etc\\passwd",
        "/datasets/..;/..;/etc/passwd",
        "/datasets/sample%00.arrow",
        "/datasets/%252e%252e%252fetc",
        "/docs/..%2f..%2fetc%2fpasswd",
        "/docs/%2e%2e/application.properties",
        "/swagger-ui/%2e%2e/%2e%2e/%2e%2e/application.yml",
        "/swagger-ui/..%2fapplication.yml",
        "/swagger-ui//etc/passwd",
        "/META-INF/MANIFEST.MF",
        "/WEB-INF/web.xml"
      })
  void noPathLeavesTheResourcesOfTheService(String path) throws Exception {
    String request = "GET " + path + " HTTP/1.1\nHost: localhost\nConnection: close\n\n";
    assertThat(RawHttp.exchange(port, request))
        .matches("(?s)HTTP/1\\.1 (400|404) .*")
        .contains("application/problem+json")
        .doesNotContain("root:", "/tmp/", "spring:", "Manifest-Version");
  }

  @Test
  void noParameterAddsAHeader() throws Exception {
    for (String parameter :
        List.of(
            "columns=%0d%0aX-Injected:%20y",
            "columns=%0AX-Injected:y", "limit=1%0d%0aX-Injected:y")) {
      HttpResponse<byte[]> response = get("/datasets/sample.csv?" + parameter);
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(header(response, "X-Injected")).isEmpty();
    }
    put(
        "/datasets/injecting",
        Streams.empty(Field.of("\r\nX-Injected: y", true, new ArrowType.Utf8())));
    HttpResponse<byte[]> response = get("/datasets/injecting.csv?columns=%0d%0aX-Injected:%20y");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(header(response, "X-Injected")).isEmpty();
  }

  @Test
  void believesNoForwardedHost() throws Exception {
    String[] forwarded = {
      "X-Forwarded-Host",
      "evil.example",
      "X-Forwarded-Proto",
      "https",
      "Forwarded",
      "host=evil.example"
    };
    for (String path : List.of("/", "/datasets", "/datasets/sample/partitions", "/openapi")) {
      HttpResponse<byte[]> response = get(path, forwarded);
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(text(response)).doesNotContain("evil");
    }
    assertThat(get("/openapi/swagger-config", forwarded).statusCode()).isEqualTo(404);
  }
}
