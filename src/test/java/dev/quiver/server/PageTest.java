package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.server.pages.Html;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.test.context.TestPropertySource;

/// HTML pages, health and metrics. The store belongs to this test alone, since the home page lists
/// only the first hundred datasets.
@TestPropertySource(properties = "quiver.storage.path=${test.folder}/page")
class PageTest extends RunningService {

  @Test
  void homePageShowsTheSampleAndExampleCommands() throws Exception {
    HttpResponse<byte[]> response = get("/", "Accept", "text/html");
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
  void inspectionHasTheCommandWithoutScripts() throws Exception {
    HttpResponse<byte[]> response = get("/inspect", "Accept", "text/html");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(header(response, "Content-Type")).isEqualTo("text/html;charset=UTF-8");
    assertThat(header(response, "Content-Security-Policy"))
        .isEqualTo(header(get("/", "Accept", "text/html"), "Content-Security-Policy"));
    assertThat(text(response))
        .contains("<main data-writable>", "Nothing is stored.")
        .contains("curl --data-binary @flights.arrow http://localhost:%d/inspect".formatted(port));
    assertThat(text(get("/", "Accept", "text/html"))).contains("<a href=\"/inspect\">Inspect</a>");
    assertThat(head("/inspect").statusCode()).isEqualTo(200);
    assertThat(put("/inspect", new byte[0]).statusCode()).isEqualTo(405);
  }

  @Test
  void headFailsWithTheStatusOfGet() throws Exception {
    assertThat(head("/datasets?limit=0").statusCode()).isEqualTo(400);
    assertThat(head("/datasets/nothing/versions").statusCode()).isEqualTo(404);
  }

  @Test
  void contentSecurityPolicyAllowsOnlyFilesOfTheService() throws Exception {
    HttpResponse<byte[]> response = get("/", "Accept", "text/html");
    assertThat(header(response, "Content-Security-Policy"))
        .isEqualTo(
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
                + " img-src 'self' data:; require-trusted-types-for 'script'; trusted-types 'none';"
                + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    String page = text(response);
    assertThat(page).doesNotContain("<style", " style=", "onclick", "<script>");
    Matcher assets = Pattern.compile("(?:href|src)=\"(/assets/[^\"]+)\"").matcher(page);
    List<String> paths = assets.results().map(found -> found.group(1)).toList();
    assertThat(paths).hasSize(2);
    for (String path : paths) {
      HttpResponse<byte[]> file = get(path, "Accept-Encoding", "gzip");
      assertThat(file.statusCode()).as(path).isEqualTo(200);
      assertThat(header(file, "Cache-Control")).contains("max-age=31536000", "immutable");
      assertThat(header(file, "Content-Encoding")).isEqualTo("gzip");
      assertThat(header(file, "Content-Length")).isEqualTo("" + file.body().length);
      byte[] plain = get(path).body();
      InputStream coded = new GZIPInputStream(new ByteArrayInputStream(file.body()));
      assertThat(coded.readAllBytes()).isEqualTo(plain).hasSizeGreaterThan(file.body().length);
      assertThat(get(path.replaceAll("[0-9a-f]{24}", "0".repeat(24))).statusCode()).isEqualTo(404);
      String[] cached = {"Accept-Encoding", "gzip", "If-None-Match", header(file, "ETag")};
      assertThat(get(path, cached).statusCode()).isEqualTo(304);
    }
    String folder = paths.getFirst().replaceAll("lib/[^/]+$", "");
    assertThat(header(get(folder + "grid/grid.js"), "Content-Type"))
        .isEqualTo("text/javascript;charset=UTF-8");
    assertThat(get(folder + "vendor/flechette-2.6.0.LICENSE").statusCode()).isEqualTo(404);
    assertThat(get(folder + "grid/grid.txt").statusCode()).isEqualTo(404);
    assertThat(get(folder + "grid.js").statusCode()).isEqualTo(404);
    String joined = paths.getLast().replaceAll("upload/[^/]+$", "");
    assertThat(text(get(joined + "grid/grid.js")))
        .startsWith("import { modules } from '../upload/list-page.js';\n");
    assertThat(get(joined + "grid/grid.txt").statusCode()).isEqualTo(404);
    assertThat(get(joined.replace("list-page", "row-page") + "grid/grid.js").statusCode())
        .isEqualTo(404);
  }

  /// A library is served as it was published, or as a `bundle` of `src/build` made it of its parts.
  @ParameterizedTest
  @CsvSource({
    "flechette-2.6.0.min.js, c7a24cb1bc920ce095a16b58899a134faa12a5cb5c06d1d63e7f8cea415174f5",
    "codemirror-6.43.15.min.js, f18e7e31fab89b959a85b450b90373d573217f14e6bb3d8cf05f8381963a47d3",
    "plot-0.6.17.min.js, 42a9b1fdc1cd5833c197a0d1275078ecae6ed753fd48e0a5cc8409c792b87977",
    "world-2.0.2.min.js, 4de605d68cb33cb3c84b3b981a9019b17ce261efe48512f077aa1edaaa50d30b"
  })
  void vendoredFileIsUnchanged(String name, String hash) throws Exception {
    assertThat(Sha256.hex(vendored(name))).isEqualTo(hash);
    assertThat(Path.of("src/main/resources/META-INF/NOTICE"))
        .content()
        .contains(name + ", SHA-256 " + hash + ".");
    assertThat(vendored(name.replaceAll("\\.min\\..*", ".LICENSE"))).contains("Copyright");
  }

  @Test
  void homePageAndPageOfADatasetLeadToSql() throws Exception {
    assertThat(text(get("/", "Accept", "text/html"))).contains("<a href=\"/sql\">SQL</a>");
    assertThat(text(get("/datasets/sample", "Accept", "text/html")))
        .contains("<a href=\"/sql?q=SELECT+*+FROM+%22sample%22+LIMIT+1000\">Ask in SQL</a>");
    assertThat(text(get("/datasets/sample@1", "Accept", "text/html")))
        .contains("<a href=\"/sql?q=SELECT+*+FROM+%22sample%401%22+LIMIT+1000\">Ask in SQL</a>");
  }

  @Test
  void everyPageBeginsWithLinksToTheOthersAndMarksItsOwn() throws Exception {
    Map<String, String> titles =
        Map.of(
            "/", "Datasets",
            "/datasets/sample", "Datasets",
            "/sql", "SQL",
            "/inspect", "Inspect",
            "/docs", "Documentation",
            "/docs/sql", "Documentation");
    for (Map.Entry<String, String> title : titles.entrySet()) {
      String page = text(get(title.getKey(), "Accept", "text/html, */*;q=0.8"));
      String header = page.substring(page.indexOf("<body>"), page.indexOf("</nav>"));
      assertThat(header)
          .startsWith("<body>\n<nav class=\"site\" aria-label=\"Quiver\"><a href=\"/\"><svg ");
      assertThat(header.replace(" aria-current=\"true\"", ""))
          .endsWith(
              """
              <span class="name">Quiver</span></a> <a href="/">Datasets</a> <a href="/sql">SQL</a>\
               <a href="/inspect">Inspect</a> <a href="/docs">Documentation</a>\
               <a href="/api">API</a>\
              """);
      assertThat(header)
          .as(title.getKey())
          .containsOnlyOnce("aria-current")
          .contains(" aria-current=\"true\">" + title.getValue() + "</a>");
    }
  }

  private static String vendored(String name) throws Exception {
    try (InputStream file =
        PageTest.class.getResourceAsStream("/dev/quiver/server/pages/page/vendor/" + name)) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void datasetPageShowsSummaryLinksSchemaAndRows() throws Exception {
    HttpResponse<byte[]> response = get("/datasets/sample", "Accept", "text/html");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(header(response, "Content-Type")).isEqualTo("text/html;charset=UTF-8");
    assertThat(header(response, "Content-Security-Policy"))
        .isEqualTo(header(get("/", "Accept", "text/html"), "Content-Security-Policy"))
        .isNotEmpty();
    assertThat(header(response, "Content-Disposition")).isEmpty();
    assertThat(header(response, "ETag")).matches("\"[0-9a-z]+\\.1\\.html-7-[0-9a-f]{24}\"");
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
