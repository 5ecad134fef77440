package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// CSV and TSV for spreadsheets, by the parameter `text`.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpreadsheetTest extends RunningService {

  private static final String ROWS = "=name,number\n@SUM(A1),-1\nplain,2\n";
  private static final String SAFE_CSV =
      "\"'=name\",\"number\"\r\n\"'@SUM(A1)\",-1\r\n\"plain\",2\r\n";
  private static final String SAFE_TSV = "'=name\tnumber\n'@SUM(A1)\t-1\nplain\t2\n";

  @BeforeAll
  void store() throws Exception {
    assertThat(put("/datasets/formulas.csv", bytes(ROWS)).statusCode()).isIn(200, 201);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void isOfferedWhereverCsvAndTsvAre() throws Exception {
    assertThat(text(get("/datasets/formulas.csv?text=safe"))).isEqualTo(SAFE_CSV);
    assertThat(text(get("/datasets/formulas.tsv?text=safe"))).isEqualTo(SAFE_TSV);
    assertThat(text(get("/datasets/formulas?text=safe", "Accept", "text/csv"))).isEqualTo(SAFE_CSV);
    assertThat(text(get("/datasets/formulas@1.csv?text=safe&where=number<0".replace("<", "%3C"))))
        .isEqualTo("\"'=name\",\"number\"\r\n\"'@SUM(A1)\",-1\r\n");
    String sql = "SELECT * FROM formulas";
    assertThat(text(get("/sql.csv?text=safe&q=" + URLEncoder.encode(sql, StandardCharsets.UTF_8))))
        .isEqualTo(SAFE_CSV);
    assertThat(text(post("/sql?text=safe", bytes(sql), "Accept", "text/tab-separated-values")))
        .isEqualTo(SAFE_TSV);
    assertThat(
            text(
                post(
                    "/convert?text=safe",
                    bytes(ROWS),
                    "Content-Type",
                    "text/csv",
                    "Accept",
                    "text/csv")))
        .isEqualTo(SAFE_CSV);
  }

  @ParameterizedTest
  @CsvSource({".csv", ".tsv"})
  void isARepresentationOfItsOwn(String suffix) throws Exception {
    String url = "/datasets/formulas" + suffix;
    HttpResponse<byte[]> exact = get(url);
    HttpResponse<byte[]> safe = get(url + "?text=safe");
    assertThat(get(url + "?text=exact").body()).isEqualTo(exact.body()).isNotEqualTo(safe.body());
    assertThat(text(exact)).contains("\n@SUM(A1)");
    assertThat(header(safe, "ETag")).isNotEqualTo(header(exact, "ETag"));
    assertThat(get(url + "?text=safe", "If-None-Match", header(exact, "ETag")).statusCode())
        .isEqualTo(200);
    assertThat(header(head(url + "?text=safe"), "Content-Length"))
        .isEqualTo("" + safe.body().length);
    assertThat(get(url + "?text=safe", "Range", "bytes=-9").body())
        .isEqualTo(Arrays.copyOfRange(safe.body(), safe.body().length - 9, safe.body().length));
    // Not all formats have the parameter, so links to others omit it.
    assertThat(header(safe, "Link")).doesNotContain("text=");
    assertThat(header(safe, "Content-Location"))
        .isEqualTo("/datasets/formulas@1" + suffix + "?text=safe");
  }

  @ParameterizedTest
  @CsvSource({
    "/datasets/formulas, application/vnd.apache.arrow.stream",
    "/datasets/formulas, application/json",
    "/datasets/formulas, multipart/mixed",
    "/datasets/formulas.arrow, */*",
    "/datasets/formulas.jsonl, */*",
    "/datasets/formulas.parquet, */*",
    "/sql.json, */*",
    "/sql.parquet, */*",
  })
  void otherFormatsRejectIt(String path, String accept) throws Exception {
    String query = path.startsWith("/sql") ? "?q=SELECT+1&text=safe" : "?text=safe";
    HttpResponse<byte[]> response = get(path + query, "Accept", accept);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("detail").asString())
        .isEqualTo(
            "Expected no text, which only CSV or TSV has, but found \"safe\" at parameter text");
  }

  @ParameterizedTest
  @CsvSource({"SAFE", "true", "''"})
  void rejectsUnknownForms(String value) throws Exception {
    for (String path : new String[] {"/datasets/formulas.csv?", "/sql.tsv?q=SELECT+1&"}) {
      HttpResponse<byte[]> response = get(path + "text=" + value);
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(json(response).get("detail").asString())
          .isEqualTo("Expected exact or safe but found \"%s\" at parameter text".formatted(value));
    }
    assertThat(get("/datasets/formulas.csv?text=safe&text=safe").statusCode()).isEqualTo(400);
  }
}
