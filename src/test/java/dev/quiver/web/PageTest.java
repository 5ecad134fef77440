package dev.quiver.web;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.columnar.ArrowType;
import dev.quiver.web.representation.Html;
import java.net.http.HttpResponse;
import java.security.MessageDigest;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/// HTML pages, health and metrics. The store belongs to this test alone, since the home page lists
/// only the first hundred datasets.
@TestPropertySource(properties = "quiver.storage.path=${test.folder}/page")
class PageTest extends RunningService {

  @Test
  void homePageShowsTheSampleAndExampleCommands() throws Exception {
    HttpResponse<byte[]> response = get("/");
    assertThat(header(response, "Content-Type")).isEqualTo("text/html;charset=UTF-8");
    assertThat(text(response))
        .contains("<td><a href=\"/datasets/sample\">sample</a><td")
        .contains("<td>Apollo 11<td>Apollo<td>1969-07-16T13:32:00Z<td>")
        .contains(
            "[&quot;Neil Armstrong&quot;,&quot;Michael Collins&quot;,&quot;Buzz Aldrin&quot;]")
        .contains("href=\"/datasets/sample.arrow\"", "href=\"/datasets/sample.csv\"")
        .contains("curl -T flights.arrow http://localhost:" + port + "/datasets/")
        .contains("curl -X POST -T more.arrow http://localhost:" + port + "/datasets/flights")
        .contains("curl --data-binary @flights.arrow http://localhost:%d/inspect".formatted(port));
  }

  @Test
  void headFailsWithTheStatusOfGet() throws Exception {
    assertThat(head("/datasets?limit=0").statusCode()).isEqualTo(400);
    assertThat(head("/datasets/nothing/versions").statusCode()).isEqualTo(404);
  }

  @Test
  void contentSecurityPolicyAllowsOnlyTheInlineStyle() throws Exception {
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
  void datasetPageShowsSummaryLinksSchemaAndRows() throws Exception {
    HttpResponse<byte[]> response = get("/datasets/sample", "Accept", "text/html");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(header(response, "Content-Type")).isEqualTo("text/html;charset=UTF-8");
    assertThat(header(response, "Content-Security-Policy"))
        .isEqualTo(header(get("/"), "Content-Security-Policy"))
        .isNotEmpty();
    assertThat(header(response, "Content-Disposition")).isEmpty();
    assertThat(header(response, "ETag")).matches("\"[0-9a-z]+\\.1\\.html-2\"");
    assertThat(text(response))
        .contains("<title>sample · Quiver</title>", "<h1>sample</h1>")
        .contains("<tr><td>1<td class=\"number\">31<td class=\"number\">3<td class=\"number\">")
        .contains("<a href=\"/datasets/sample@1.arrow\">.arrow</a>")
        .contains("<a href=\"/datasets/sample@1/schema\">schema</a>")
        .contains("<a href=\"/datasets/sample/versions\">versions</a>")
        .contains("<tr><td>program<td>dictionary&lt;int8, utf8&gt;<td>not null\n")
        .contains("<tr><td>call_sign<td>utf8<td>\n")
        .contains("<td>Apollo 11<td>Apollo<td>1969-07-16T13:32:00Z<td>");
    assertThat(text(get("/datasets/sample@1", "Accept", "text/html")))
        .contains("<h1>sample@1</h1>");
  }

  @Test
  void pagesTruncateLongNames() throws Exception {
    byte[] stream =
        Streams.slot("<".repeat(100_000), new ArrowType.FixedSizeBinary(1), new byte[1]);
    put("/datasets/page-long", stream);
    String page = text(get("/datasets/page-long", "Accept", "text/html"));
    assertThat(page)
        .hasSizeLessThan(20_000)
        .contains("<tr><td>" + "&lt;".repeat(300) + "…<td>")
        .contains("<th>" + "&lt;".repeat(120) + "…<small>");
  }

  @Test
  void pageOfAnEmptyDatasetOmitsRows() throws Exception {
    put("/datasets/page-empty", Streams.numbers(0));
    assertThat(text(get("/datasets/page-empty", "Accept", "text/html")))
        .contains("<tr><td>number<td>int32<td>not null\n")
        .doesNotContain("first rows");
  }

  @Test
  void datasetPageOmitsTheRowsOfALargeBatch() throws Exception {
    put("/datasets/page-large?batches=keep", Streams.numbers(0, (32 << 20) / 4 + 1));
    assertThat(text(get("/datasets/page-large", "Accept", "text/html")))
        .contains("<td class=\"number\">8,388,609<td")
        .doesNotContain("first rows");
  }

  @Test
  void rejectsACodecForAnHtmlPage() throws Exception {
    HttpResponse<byte[]> response = get("/datasets/sample?codec=zstd", "Accept", "text/html");
    assertThat(response.statusCode()).isEqualTo(400);
  }

  @Test
  void escapesMarkupAndControlCharacters() {
    assertThat(Html.escape("<a href=\"x\">&'\u0000\u202e\ud800"))
        .isEqualTo("&lt;a href=&quot;x&quot;&gt;&amp;&#39;\uFFFD\uFFFD\uFFFD");
  }

  @Test
  void healthAndMetricsAreTheOnlyActuatorEndpoints() throws Exception {
    assertThat(json("/health").get("status").asString()).isEqualTo("UP");
    // A request is counted after its response is sent.
    eventually(
        () -> assertThat(text(get("/metrics"))).contains("http_server_requests_seconds_count"));
    for (String path : new String[] {"/actuator", "/env", "/beans", "/info", "/prometheus"}) {
      assertThat(get(path).statusCode()).as(path).isEqualTo(404);
    }
    HttpResponse<byte[]> nothing = get("/health/nothing");
    assertThat(nothing.statusCode()).isEqualTo(404);
    assertThat(header(nothing, "Content-Type")).isEqualTo("application/problem+json");
  }
}
