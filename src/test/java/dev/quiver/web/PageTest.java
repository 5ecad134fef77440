package dev.quiver.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.security.MessageDigest;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/// The page for people, and what else of the service is not Arrow data.
class PageTest extends RunningService {

  @Test
  void thePageShowsTheSampleAndHowToUseIt() throws Exception {
    HttpResponse<byte[]> response = get("/");
    assertThat(header(response, "Content-Type")).isEqualTo("text/html;charset=UTF-8");
    assertThat(text(response))
        .contains("<td>sample<td")
        .contains("<td>Apollo 11<td>Apollo<td>1969-07-16T13:32:00Z<td>")
        .contains(
            "[&quot;Neil Armstrong&quot;,&quot;Michael Collins&quot;,&quot;Buzz Aldrin&quot;]")
        .contains("href=\"/datasets/sample.arrow\"", "href=\"/datasets/sample.csv\"")
        .contains("curl -T flights.arrow http://localhost:" + port + "/datasets/")
        .contains(
            "curl --data-binary @flights.arrow -H 'Content-Type: application/octet-stream'"
                + " http://localhost:%d/inspect".formatted(port));
  }

  @Test
  void aHeadIsRefusedAsTheGetIs() throws Exception {
    assertThat(head("/datasets?limit=0").statusCode()).isEqualTo(400);
    assertThat(head("/datasets/nothing/versions").statusCode()).isEqualTo(404);
  }

  @Test
  void thePageNeedsNothingFromElsewhereAndAllowsNothingElse() throws Exception {
    HttpResponse<byte[]> response = get("/");
    String page = text(response);
    String style = page.substring(page.indexOf("<style>") + 7, page.indexOf("</style>"));
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(style.getBytes("UTF-8"));
    assertThat(header(response, "Content-Security-Policy"))
        .isEqualTo(
            "default-src 'none'; style-src 'sha256-"
                + Base64.getEncoder().encodeToString(digest)
                + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    assertThat(page).doesNotContain("<script", " style=", "src=", "onclick");
  }

  @Test
  void textIsNothingButText() {
    assertThat(Html.escape("<a href=\"x\">&'\u0000\u202e\ud800"))
        .isEqualTo("&lt;a href=&quot;x&quot;&gt;&amp;&#39;\uFFFD\uFFFD\uFFFD");
  }

  @Test
  void healthAndMetricsAreThereAndNothingElseOfTheirKind() throws Exception {
    assertThat(json("/health").get("status").asString()).isEqualTo("UP");
    assertThat(text(get("/metrics"))).contains("http_server_requests_seconds_count");
    for (String path : new String[] {"/actuator", "/env", "/beans", "/info", "/prometheus"}) {
      assertThat(get(path).statusCode()).as(path).isEqualTo(404);
    }
    HttpResponse<byte[]> nothing = get("/health/nothing");
    assertThat(nothing.statusCode()).isEqualTo(404);
    assertThat(header(nothing, "Content-Type")).isEqualTo("application/problem+json");
  }
}
