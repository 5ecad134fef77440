package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.server.transfer.WorkbookFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/// Rows as workbooks of Excel over HTTP, by the texts and numbers of their cells.
/// [dev.quiver.arrow.text.WorkbookWriterTest] tests their cells, `test_excel.py` other programs.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkbooksTest extends RunningService {

  private static final String TYPE =
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
  private static final String ROWS =
      """
      id,name,at
      1,=SUM(A1),2024-02-29T12:00:00
      2,é,
      12345678901234567,c,2024-02-29T12:00:00.0001
      """;
  private static final List<String> CELLS =
      List.of(
          "id|name|at",
          "1|=SUM(A1)|45351.5",
          "2|é|",
          "12345678901234567|c|2024-02-29T12:00:00.000100");
  private static final String WARNINGS =
      "\"Integers and decimals of more than 15 digits are text: 1, the first in cell A4\","
          + " \"Times finer than a millisecond are text: 1, the first in cell C4\"";

  @Autowired private WorkbookFiles workbookFiles;

  @BeforeAll
  void store() throws Exception {
    String query = "?csv.types=at:timestamp";
    HttpResponse<byte[]> stored = put("/datasets/workbook.csv" + query, bytes(ROWS));
    assertThat(stored.statusCode()).as(text(stored)).isIn(200, 201);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> cells(HttpResponse<byte[]> response) throws IOException {
    assertThat(response.statusCode()).isIn(200);
    assertThat(header(response, "Content-Type")).isEqualTo(TYPE);
    List<String> rows = new ArrayList<>();
    for (Element row : elements(part(response, "xl/worksheets/"), "row")) {
      List<String> values = new ArrayList<>();
      for (Element cell : elements(row, "c")) {
        while (values.size() < cell.getAttribute("r").charAt(0) - 'A') {
          values.add("");
        }
        values.add(cell.getTextContent());
      }
      rows.add(String.join("|", values));
    }
    return rows;
  }

  /// Returns the first part of a workbook whose name begins so.
  private static Element part(HttpResponse<byte[]> response, String name) throws IOException {
    try (ZipInputStream archive = new ZipInputStream(new ByteArrayInputStream(response.body()))) {
      for (ZipEntry part = archive.getNextEntry(); part != null; part = archive.getNextEntry()) {
        if (part.getName().startsWith(name)) {
          byte[] content = archive.readAllBytes();
          return DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new ByteArrayInputStream(content))
              .getDocumentElement();
        }
      }
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(e);
    }
    throw new IOException("Expected a part but found none");
  }

  private static List<Element> elements(Element parent, String name) {
    NodeList nodes = parent.getElementsByTagName(name);
    return IntStream.range(0, nodes.getLength()).mapToObj(i -> (Element) nodes.item(i)).toList();
  }

  @Test
  void isOfferedWhereverRowsAre() throws Exception {
    String sql = "SELECT * FROM workbook";
    for (HttpResponse<byte[]> response :
        List.of(
            get("/datasets/workbook.xlsx"),
            get("/datasets/workbook@1", "Accept", TYPE),
            get("/sql.xlsx?q=" + URLEncoder.encode(sql, StandardCharsets.UTF_8)),
            post("/sql", bytes(sql), "Accept", TYPE),
            post("/convert", get("/datasets/workbook.arrow").body(), "Accept", TYPE))) {
      assertThat(cells(response)).isEqualTo(withoutNull(CELLS));
      assertThat(header(response, "Quiver-Warnings")).isEqualTo(WARNINGS);
      assertThat(header(response, "Content-Length")).isEqualTo("" + response.body().length);
    }
  }

  /// The last cell of a row that is null is absent.
  private static List<String> withoutNull(List<String> rows) {
    return rows.stream().map(row -> row.replaceFirst("\\|$", "")).toList();
  }

  @Test
  void theWorksheetHasTheNameOfTheDataset() throws Exception {
    assertThat(sheet(get("/datasets/workbook.xlsx"))).isEqualTo("workbook");
    assertThat(sheet(get("/sql.xlsx?q=SELECT+1+AS+a"))).isEqualTo("result");
    assertThat(header(get("/datasets/workbook.xlsx"), "Content-Disposition"))
        .startsWith("attachment; filename=\"workbook.xlsx\"");
    assertThat(header(get("/sql.xlsx?q=SELECT+1+AS+a"), "Content-Disposition"))
        .isEqualTo("attachment; filename=\"result.xlsx\"");
    HttpResponse<byte[]> named = get("/sql.xlsx?q=SELECT+1+AS+a&name=films.v2");
    assertThat(sheet(named)).isEqualTo("films.v2");
    assertThat(header(named, "Content-Disposition"))
        .isEqualTo("attachment; filename=\"films.v2.xlsx\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a%22b", "..%2Fa", ".a", "a%0D%0Ab", "%C3%A9"})
  void rejectsTheNameOfAFileThatNoDatasetMayHave(String name) throws Exception {
    HttpResponse<byte[]> response = get("/sql.csv?q=SELECT+1+AS+a&name=" + name);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("detail").asString()).startsWith("Expected ");
  }

  private static String sheet(HttpResponse<byte[]> response) throws IOException {
    return elements(part(response, "xl/workbook.xml"), "sheet").getFirst().getAttribute("name");
  }

  @Test
  void selectsColumnsAndRows() throws Exception {
    HttpResponse<byte[]> selected =
        get("/datasets/workbook.xlsx?columns=name,id&where=id%3E1&limit=1");
    assertThat(cells(selected)).containsExactly("name|id", "é|2");
    assertThat(selected.headers().firstValue("Quiver-Warnings")).isEmpty();
    assertThat(header(selected, "Arrow-Row-Count")).isEqualTo("1");
    HttpResponse<byte[]> cut =
        get("/datasets/workbook.xlsx?columns=name&max-value-bytes=2&limit=1");
    assertThat(cells(cut)).containsExactly("name", "=S…");
    assertThat(header(cut, "Quiver-Max-Value-Bytes")).isEqualTo("2");
  }

  @Test
  void hasALengthRangesAndAnEntityTag() throws Exception {
    HttpResponse<byte[]> head = head("/datasets/workbook.xlsx");
    HttpResponse<byte[]> whole = get("/datasets/workbook.xlsx");
    byte[] body = whole.body();
    assertThat(header(head, "Content-Length")).isEqualTo("" + body.length);
    assertThat(header(head, "Quiver-Warnings")).isEqualTo(WARNINGS);
    assertThat(header(whole, "Accept-Ranges")).isEqualTo("bytes");
    String tag = header(whole, "ETag");
    assertThat(tag).startsWith("\"").isEqualTo(header(head, "ETag"));
    // The end of an archive: APPNOTE.TXT §4.3.16.
    HttpResponse<byte[]> range = get("/datasets/workbook.xlsx", "Range", "bytes=-22");
    assertThat(range.statusCode()).isEqualTo(206);
    assertThat(range.body())
        .isEqualTo(Arrays.copyOfRange(body, body.length - 22, body.length))
        .startsWith(bytes("PK\005\006"));
    assertThat(get("/datasets/workbook.xlsx", "Range", "bytes=" + body.length + "-").statusCode())
        .isEqualTo(416);
    assertThat(get("/datasets/workbook.xlsx", "If-None-Match", tag).statusCode()).isEqualTo(304);
    assertThat(get("/datasets/workbook@1.xlsx").body()).isEqualTo(body);
    assertThat(header(get("/datasets/workbook.xlsx?limit=1"), "ETag")).isNotEqualTo(tag);
    assertThat(header(get("/datasets/workbook.arrow"), "Link"))
        .contains("</datasets/workbook@1.xlsx>; rel=\"alternate\"; type=\"" + TYPE + "\"");
  }

  @Test
  void isWrittenOnceAndNotForAClientThatHasIt() throws Exception {
    put("/datasets/workbook-once", Streams.table(Codec.NONE, 30));
    long before = workbookFiles.writtenCount();
    String tag = "";
    for (int i = 0; i < 3; i++) {
      tag = header(get("/datasets/workbook-once.xlsx", "Range", "bytes=" + i + "-10"), "ETag");
    }
    assertThat(workbookFiles.writtenCount()).isEqualTo(before + 1);
    assertThat(get("/datasets/workbook-once.xlsx", "If-None-Match", tag).statusCode())
        .isEqualTo(304);
    assertThat(head("/sql.xlsx?q=SELECT+1").statusCode()).isEqualTo(200);
    assertThat(workbookFiles.writtenCount()).isEqualTo(before + 1);
  }

  @ParameterizedTest
  @CsvSource({
    "codec=zstd, Arrow data",
    "dictionaries=used, Arrow data",
    "text=safe, CSV or TSV",
    "bom=true, CSV or TSV"
  })
  void rejectsTheParametersOfOtherFormats(String parameter, String others) throws Exception {
    HttpResponse<byte[]> response = get("/datasets/workbook.xlsx?" + parameter);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("detail").asString())
        .startsWith("Expected no")
        .contains("which only " + others + " has");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SELECT * FROM range(1048576) | Expected at most 1048575 rows below the names of the \
          columns (a worksheet of Excel) but found | limit=
          SELECT repeat('é', 32768) AS a | Expected at most 32767 characters (a cell of Excel) but \
          found 32768 at cell A2 | max-value-bytes=
          """)
  void resultsBeyondTheLimitsOfExcelAre413(String sql, String detail, String hint)
      throws Exception {
    HttpResponse<byte[]> response = post("/sql.xlsx", bytes(sql));
    assertThat(response.statusCode()).as(text(response)).isEqualTo(413);
    assertThat(json(response).get("detail").asString()).startsWith(detail);
    assertThat(json(response).get("hint").asString()).contains(hint, ".csv");
    assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
  }

  @Test
  void datasetsBeyondTheLimitsOfExcelAre413() throws Exception {
    byte[] rows = post("/sql.arrows", bytes("SELECT 1::TINYINT AS a FROM range(1048576)")).body();
    put("/datasets/workbook-rows", rows);
    long before = workbookFiles.writtenCount();
    HttpResponse<byte[]> response = get("/datasets/workbook-rows.xlsx");
    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(json(response).get("hint").asString()).contains("limit=", "where=");
    assertThat(workbookFiles.writtenCount()).isEqualTo(before);
    put("/datasets/workbook-long.csv", bytes("a\n" + "x".repeat(32_768) + "\n"));
    assertThat(get("/datasets/workbook-long.xlsx").statusCode()).isEqualTo(413);
    assertThat(get("/datasets/workbook-long.xlsx?max-value-bytes=24000").statusCode())
        .isEqualTo(200);
  }

  @Test
  void comesBack() throws Exception {
    byte[] workbook = get("/datasets/workbook.xlsx").body();
    for (HttpResponse<byte[]> response :
        List.of(
            put("/datasets/workbook-in.xlsx", workbook),
            put("/datasets/workbook-in-typed", workbook, "Content-Type", TYPE),
            put("/datasets/workbook-in-bytes", workbook))) {
      assertThat(response.statusCode()).as(text(response)).isEqualTo(201);
      String name = json(response).get("name").asString();
      assertThat(get("/datasets/" + name + ".csv").body())
          .asString(StandardCharsets.UTF_8)
          .isEqualTo(text(get("/datasets/workbook.csv")).replace("12:00:00.000000", "12:00:00"));
    }
  }
}
