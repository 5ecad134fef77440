package dev.quiver.server.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/// A service without SQL, as on a platform for which the engine has no library.
@TestPropertySource(properties = "quiver.sql.enabled=false")
class SqlDisabledTest extends RunningService {

  private void assertUnavailable(HttpResponse<byte[]> response) {
    assertThat(response.statusCode()).isEqualTo(501);
    assertThat(json(response).get("type").asString()).endsWith(":not-implemented");
    assertThat(json(response).get("detail").asString()).contains("SQL", "quiver.sql.enabled");
  }

  @Test
  void statementsAndConditionsAreNotImplementedAndAllElseWorks() throws Exception {
    put("/datasets/numbers", Streams.numbers(0, 3));
    assertUnavailable(get("/sql.csv?q=SELECT+1"));
    assertUnavailable(post("/sql", "SELECT 1".getBytes(StandardCharsets.UTF_8)));
    assertThat(head("/sql?q=SELECT+1").statusCode()).isEqualTo(501);
    HttpResponse<byte[]> statements = get("/sql", "Accept", "text/html, */*;q=0.8");
    assertThat(statements.statusCode()).isEqualTo(501);
    assertThat(text(statements)).contains("quiver.sql.enabled");
    assertThat(text(get("/", "Accept", "text/html")))
        .contains("href=\"/docs\"")
        .doesNotContain("href=\"/sql");
    for (String path : new String[] {"/docs", "/docs/pages", "/inspect"}) {
      assertThat(text(get(path))).contains("<a href=\"/inspect\"").doesNotContain("href=\"/sql");
    }
    HttpResponse<byte[]> page = get("/datasets/numbers", "Accept", "text/html");
    assertThat(text(page)).contains("/versions\"").doesNotContain("href=\"/sql");
    assertThat(header(page, "ETag")).contains("-no-sql");
    assertUnavailable(get("/datasets/numbers.csv?where=number%2B1%3D2"));
    assertUnavailable(get("/datasets/numbers/partitions?where=number%3D1"));
    assertUnavailable(get("/datasets/numbers.csv?where=number%3D1&search=a"));
    assertThat(get("/datasets/numbers.csv?search=a").statusCode()).isEqualTo(200);
    assertThat(get("/datasets/numbers/partitions?columns=number").statusCode()).isEqualTo(200);
    assertThat(text(get("/datasets/numbers.csv?offset=1&limit=1&columns=number")))
        .isEqualToNormalizingNewlines("number\n1\n");
    assertThat(get("/datasets/numbers.arrow").statusCode()).isEqualTo(200);
    assertThat(get("/metrics").statusCode()).isEqualTo(200);
  }
}
