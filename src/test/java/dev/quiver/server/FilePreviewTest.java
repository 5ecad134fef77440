package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// The inspection of files of other formats than Arrow's.
class FilePreviewTest extends RunningService {

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private JsonNode inspected(String parameters, String mediaType, byte[] body) throws Exception {
    HttpResponse<byte[]> response = post("/inspect" + parameters, body, "Content-Type", mediaType);
    assertThat(response.statusCode()).as(text(response)).isEqualTo(200);
    return json(response);
  }

  @Test
  void tellsHowAFileIsRead() throws Exception {
    byte[] file =
        "Bericht 2024\n\nName;Preis;Datum;Anteil\nMüller;1,5;01/02/2024;5,5 %\nMeier;2;13/01/2024;\n"
            .getBytes(Charset.forName("windows-1252"));
    JsonNode preview = inspected("?rename=Preis:price", "text/csv", file);
    assertThat(preview.get("format").asString()).isEqualTo("csv");
    assertThat(preview.get("columns").toString())
        .isEqualTo(
            "[{\"name\":\"Name\",\"type\":\"utf8\"},{\"name\":\"price\",\"type\":\"float64\"},"
                + "{\"name\":\"Datum\",\"type\":\"utf8\"},{\"name\":\"Anteil\",\"type\":\"utf8\"}]");
    assertThat(preview.get("found").toString())
        .isEqualTo(
            "{\"encoding\":\"windows-1252\",\"delimiter\":\";\",\"skippedLines\":2,\"decimal\":\",\"}");
    assertThat(preview.get("read").toString())
        .isEqualTo(
            "[{\"option\":\"csv.delimiter\",\"value\":\";\"},"
                + "{\"option\":\"csv.encoding\",\"value\":\"windows-1252\"},"
                + "{\"option\":\"csv.decimal\",\"value\":\",\"},"
                + "{\"option\":\"csv.header\",\"value\":\"true\"},"
                + "{\"column\":\"Name\",\"option\":\"csv.types\",\"value\":\"Name:varchar\"},"
                + "{\"column\":\"Preis\",\"option\":\"csv.types\",\"value\":\"Preis:double\"},"
                + "{\"column\":\"Datum\",\"option\":\"csv.types\",\"value\":\"Datum:varchar\"},"
                + "{\"column\":\"Anteil\",\"option\":\"csv.types\",\"value\":\"Anteil:varchar\"}]");
    assertThat(preview.get("options").toString())
        .contains("\"option\":\"csv.dates\",\"value\":\"day-first\"")
        .contains("\"column\":\"Anteil\",\"option\":\"csv.types\",\"value\":\"Anteil:percent\"");
    assertThat(preview.get("rows").toString())
        .isEqualTo(
            "[[\"Müller\",\"1.5\",\"01/02/2024\",\"5,5 %\"],[\"Meier\",\"2\",\"13/01/2024\",null]]");
    // The options are ready to be sent, and nothing is stored.
    assertThat(get("/datasets/converted").statusCode()).isEqualTo(404);
    JsonNode stored =
        json(put("/datasets/previewed.csv?verbose=true&" + parameters(preview), file));
    assertThat(stored.get("rows").intValue()).isEqualTo(2);
    assertThat(stored.get("columns").size()).isEqualTo(4);
  }

  private static String parameters(JsonNode preview) {
    StringBuilder parameters = new StringBuilder();
    for (JsonNode option : preview.get("read")) {
      parameters
          .append(parameters.isEmpty() ? "" : "&")
          .append(option.get("option").asString())
          .append('=')
          .append(URLEncoder.encode(option.get("value").asString(), StandardCharsets.UTF_8));
    }
    return parameters.toString();
  }

  @Test
  void tellsWhereRecordsAre() throws Exception {
    byte[] file = utf8("{\"meta\":{\"x\":1},\"rows\":[{\"a\":1.5,\"b\":[1],\"c\":\"d\"}]}");
    JsonNode whole = inspected("", "application/json", file);
    assertThat(whole.get("format").asString()).isEqualTo("json");
    assertThat(whole.get("read").get(0).toString())
        .isEqualTo("{\"option\":\"json.records\",\"value\":\".\"}");
    assertThat(whole.get("options").toString())
        .isEqualTo("[{\"option\":\"json.records\",\"value\":\"rows\"}]");
    JsonNode rows = inspected("?json.records=rows", "application/json", file);
    assertThat(rows.get("read").toString())
        .isEqualTo(
            "[{\"option\":\"json.records\",\"value\":\"rows\"},"
                + "{\"column\":\"a\",\"option\":\"json.types\",\"value\":\"a:double\"},"
                + "{\"column\":\"c\",\"option\":\"json.types\",\"value\":\"c:varchar\"}]");
    assertThat(rows.get("rows").toString()).isEqualTo("[[\"1.5\",\"[1]\",\"d\"]]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "xlsx", "tsv", "jsonl"})
  void formatsAreKnownByTheirMediaType(String format) throws Exception {
    put("/datasets/preview-source.csv", utf8("a,b\nx,1\ny,2\n"));
    HttpResponse<byte[]> file = get("/datasets/preview-source." + format);
    JsonNode preview = inspected("", header(file, "Content-Type"), file.body());
    assertThat(preview.get("format").asString()).isEqualTo(format);
    assertThat(preview.get("rows").toString()).isEqualTo("[[\"x\",\"1\"],[\"y\",\"2\"]]");
    if (!format.equals("jsonl") && !format.equals("tsv")) {
      assertThat(inspected("", "application/octet-stream", file.body()).get("format").asString())
          .isEqualTo(format);
    }
  }

  /// The parameters that an inspection tells read the same table.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "csv | csv.null=n/a&csv.rows=skip&csv.comment=%23 | a,b~1,n/a~#~2~3,x~",
        "csv || 1;2;;~3;4;;~",
        "csv || a,a,b~1,x,2~",
        "csv | csv.quote=%27 | a,b~'1,5',2~",
        "tsv || a\tb~\\N\tx\\ty~",
        "json || [{\"a\":1,\"b\":{\"c\":1},\"d\":\"2024-01-31\"},{\"a\":1.5,\"b\":null,\"d\":null}]",
        "json | json.depth=1 | {\"n\":1,\"rows\":[{\"a\":\"x\",\"b\":[1]}]}",
        "json || {\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"id\":1,\"properties\":{\"id\":2,\"n\":3},\"geometry\":null}]}"
      })
  void parametersReadTheSameTable(String format, String parameters, String text) throws Exception {
    byte[] file = utf8(text.replace('~', '\n'));
    String stated = parameters == null ? "" : parameters;
    String mediaType = "text/" + (format.equals("tsv") ? "tab-separated-values" : format);
    JsonNode preview = inspected("?" + stated, mediaType, file);
    String path = "/datasets/preview-read." + format;
    HttpResponse<byte[]> first = put(path + "?" + stated, file);
    assertThat(first.statusCode()).as(text(first)).isIn(200, 201);
    byte[] expected = get("/datasets/preview-read.arrows").body();
    String depth = stated.contains("depth") ? "&json.depth=1" : "";
    HttpResponse<byte[]> again = put(path + "?" + parameters(preview) + depth, file);
    assertThat(again.statusCode()).as(text(again)).isEqualTo(200);
    assertThat(get("/datasets/preview-read.arrows").body()).isEqualTo(expected);
  }

  @Test
  void hasTheFirstRows() throws Exception {
    String rows =
        IntStream.range(0, 100_000).mapToObj(i -> i + ",x\n").collect(Collectors.joining());
    JsonNode preview = inspected("", "text/csv", utf8("a,b\n" + rows));
    assertThat(preview.get("rows").size()).isEqualTo(20);
    assertThat(preview.get("rows").get(19).toString()).isEqualTo("[\"19\",\"x\"]");
    // Of many columns, there are fewer rows: 8,000 texts of 100 characters are not a million.
    for (int columns : List.of(8_000, 1_000)) {
      String cells = "x".repeat(100) + ",".concat("x".repeat(100)).repeat(columns - 1) + "\n";
      byte[] wide = utf8(cells.repeat(21));
      assertThat(inspected("?csv.header=false", "text/csv", wide).get("rows").size())
          .isEqualTo(columns == 8_000 ? 2 : 11);
    }
  }

  /// Every beginning of a file with a whole record is read as its whole records. The first one ends
  /// at the mark `^`.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "text/csv | id,text~1,\"a~b \"\"c\"\"\"~^2,x 5\" wide~3,\"ü~, \"~4,z~",
        "text/csv | id;text~1;\"a;~b\"~^2;x~3;y~",
        "text/tab-separated-values | id\ttext~1\ta~^2\t\"b~3\tc~",
        "text/json | [{\"id\":1,\"text\":\"}]\"}^,{\"id\":2,\"text\":\"\\\"\"},{\"id\":3,\"text\":\"ü\"}]",
        "text/json | {\"n\":{\"m\":[{}]},\"data\":[{\"id\":1,\"text\":\"x\"}^,{\"id\":2,\"text\":\"y\"}],\"o\":[2]}",
        "application/x-ndjson | {\"id\":1,\"text\":[{\"a\":1}]}^~{\"id\":2,\"text\":[]}~"
      })
  void beginningHasWholeRecords(String mediaType, String text) throws Exception {
    String whole = text.replace('~', '\n');
    int firstEnd = utf8(whole.substring(0, whole.indexOf('^'))).length;
    byte[] file = utf8(whole.replace("^", ""));
    String records = text.startsWith("{\"n") ? "&json.records=data" : "";
    List<String> expected = rows(inspected("?" + records, mediaType, file));
    int longest = 0;
    for (int length = file.length; length >= firstEnd; length--) {
      byte[] beginning = Arrays.copyOf(file, length);
      List<String> rows = rows(inspected("?truncated=accept" + records, mediaType, beginning));
      assertThat(rows).isNotEmpty();
      assertThat(expected).startsWith(rows.toArray(String[]::new));
      longest = Math.max(longest, rows.size());
    }
    assertThat(longest).isEqualTo(expected.size());
  }

  private static List<String> rows(JsonNode preview) {
    return preview.get("rows").valueStream().map(JsonNode::toString).toList();
  }

  @Test
  void beginningMayBeCoded() throws Exception {
    byte[] text =
        utf8(
            "a,b\n"
                + IntStream.range(0, 50_000)
                    .mapToObj(i -> i + "," + Integer.toHexString(i * 7919) + "\n")
                    .collect(Collectors.joining()));
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    try (GZIPOutputStream output = new GZIPOutputStream(gzip)) {
      output.write(text);
    }
    for (byte[] coded : List.of(gzip.toByteArray(), Zstd.compress(text))) {
      byte[] beginning = Arrays.copyOf(coded, coded.length * 2 / 3);
      HttpResponse<byte[]> whole = post("/inspect", beginning, "Content-Type", "text/csv");
      assertThat(whole.statusCode()).isGreaterThanOrEqualTo(400);
      JsonNode preview = inspected("?truncated=accept", "text/csv", beginning);
      assertThat(preview.get("rows").size()).isEqualTo(20);
    }
  }

  @Test
  void beginningOfUtf16HasWholeRecords() throws Exception {
    for (String charset : List.of("UTF-16LE", "UTF-16BE")) {
      byte[] file = "\uFEFFa,b\n1,\u0A0A\n2,y\n3,z".getBytes(Charset.forName(charset));
      JsonNode preview =
          inspected("?truncated=accept", "text/csv", Arrays.copyOf(file, file.length - 1));
      assertThat(preview.get("rows").toString()).isEqualTo("[[\"1\",\"\u0A0A\"],[\"2\",\"y\"]]");
      // Without a mark, and in the middle of a line end.
      byte[] unmarked = "a,b\r\n1,x\r\n2,y\r\n3,z\r\n".getBytes(Charset.forName(charset));
      for (int length = unmarked.length - 12; length < unmarked.length - 4; length++) {
        JsonNode cut = inspected("?truncated=accept", "text/csv", Arrays.copyOf(unmarked, length));
        assertThat(cut.get("rows").toString()).startsWith("[[\"1\",\"x\"]");
        assertThat(cut.get("columns").get(0).get("type").asString()).isEqualTo("int64");
      }
    }
    byte[] json = "\uFEFF[{\"a\":1},{\"a\":2},{\"a".getBytes(StandardCharsets.UTF_16LE);
    JsonNode preview = inspected("?truncated=accept", "text/json", json);
    assertThat(preview.get("rows").toString()).isEqualTo("[[\"1\"],[\"2\"]]");
  }

  @Test
  void problemsAreThoseOfAnUpload() throws Exception {
    HttpResponse<byte[]> ragged =
        post("/inspect", utf8("a,b\n1\n2,3\n"), "Content-Type", "text/csv");
    assertThat(ragged.statusCode()).isEqualTo(422);
    assertThat(json(ragged).get("hint").asString()).contains("csv.rows");
    assertThat(
            post("/inspect?csv.delimter=x", utf8("a\n1\n"), "Content-Type", "text/csv")
                .statusCode())
        .isEqualTo(400);
    assertThat(
            post("/inspect?truncated=yes", utf8("a\n1\n"), "Content-Type", "text/csv").statusCode())
        .isEqualTo(400);
    assertThat(post("/inspect", utf8("x"), "Content-Type", "image/png").statusCode())
        .isEqualTo(415);
    HttpResponse<byte[]> arrow = post("/inspect?rename=number:n", Streams.numbers(0, 3));
    assertThat(arrow.statusCode()).isEqualTo(400);
    assertThat(json(arrow).get("detail").asString())
        .isEqualTo("Expected a file of another format but found Arrow data at parameter rename");
  }

  @Test
  void typesAreChecked() throws IOException, Exception {
    byte[] file = utf8("a\n1\nx\n");
    HttpResponse<byte[]> response =
        post("/inspect?csv.types=a:bigint", file, "Content-Type", "text/csv");
    assertThat(response.statusCode()).isEqualTo(422);
    assertThat(json(response).get("column").asString()).isEqualTo("a");
  }
}
