package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// CSV and TSV with a byte order mark, by the parameter `bom`.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ByteOrderMarkTest extends RunningService {

  private static final String CSV = "\uFEFFname\r\né\r\n";

  @BeforeAll
  void store() throws Exception {
    assertThat(put("/datasets/marked.csv", bytes("name\né\n")).statusCode()).isIn(200, 201);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void isOfferedWhereverCsvAndTsvAre() throws Exception {
    String sql = "SELECT * FROM marked";
    assertThat(get("/datasets/marked.csv?bom=true").body()).isEqualTo(bytes(CSV));
    assertThat(get("/datasets/marked?bom=true", "Accept", "text/csv").body()).isEqualTo(bytes(CSV));
    assertThat(get("/datasets/marked.tsv?bom=true").body()).isEqualTo(bytes("\uFEFFname\né\n"));
    assertThat(get("/datasets/marked.csv?bom=true&text=safe").body())
        .isEqualTo(bytes("\uFEFF\"name\"\r\n\"é\"\r\n"));
    assertThat(get("/sql.csv?bom=true&q=SELECT+*+FROM+marked").body()).isEqualTo(bytes(CSV));
    assertThat(post("/sql?bom=true", bytes(sql), "Accept", "text/csv").body())
        .isEqualTo(bytes(CSV));
    assertThat(
            post(
                    "/convert?bom=true",
                    bytes("name\né\n"),
                    "Content-Type",
                    "text/csv",
                    "Accept",
                    "text/csv")
                .body())
        .isEqualTo(bytes(CSV));
  }

  @ParameterizedTest
  @ValueSource(strings = {".csv", ".tsv"})
  void isARepresentationOfItsOwn(String suffix) throws Exception {
    String url = "/datasets/marked" + suffix;
    HttpResponse<byte[]> plain = get(url);
    HttpResponse<byte[]> marked = get(url + "?bom=true");
    assertThat(get(url + "?bom=false").body()).isEqualTo(plain.body());
    assertThat(header(get(url + "?bom=false"), "ETag")).isEqualTo(header(plain, "ETag"));
    assertThat(header(marked, "ETag")).isNotEqualTo(header(plain, "ETag"));
    assertThat(get(url + "?bom=true", "If-None-Match", header(plain, "ETag")).statusCode())
        .isEqualTo(200);
    assertThat(header(head(url + "?bom=true"), "Content-Length"))
        .isEqualTo("" + marked.body().length);
    assertThat(get(url + "?bom=true", "Range", "bytes=0-3").body())
        .isEqualTo(new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF, 'n'});
    // Not all formats have the parameter, so links to others omit it.
    assertThat(header(marked, "Link")).doesNotContain("bom=");
    assertThat(header(marked, "Content-Location"))
        .isEqualTo("/datasets/marked@1" + suffix + "?bom=true");
  }

  @ParameterizedTest
  @CsvSource({
    "/datasets/marked?, application/json",
    "/datasets/marked.arrow?, */*",
    "/datasets/marked.jsonl?, */*",
    "/datasets/marked.parquet?, */*",
    "/sql.json?q=SELECT+1&, */*",
  })
  void otherFormatsRejectIt(String path, String accept) throws Exception {
    HttpResponse<byte[]> response = get(path + "bom=true", "Accept", accept);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("detail").asString())
        .isEqualTo(
            "Expected no bom, which only CSV or TSV has, but found \"true\" at parameter bom");
  }

  @Test
  void anUploadOfItIsReadWithoutTheMark() throws Exception {
    put("/datasets/marked-again.csv", get("/datasets/marked.csv?bom=true").body());
    assertThat(text(get("/datasets/marked-again.csv"))).isEqualTo("name\r\né\r\n");
  }
}
