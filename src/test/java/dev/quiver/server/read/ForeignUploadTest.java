package dev.quiver.server.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.server.RawHttp;
import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// Uploads of files in other formats than Arrow's. The client suite has Parquet, and compares
/// values with those that other programs read.
class ForeignUploadTest extends RunningService {

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String columns(JsonNode document) {
    StringBuilder columns = new StringBuilder();
    document
        .get("columns")
        .forEach(column ->
            columns
                .append(columns.isEmpty() ? "" : ", ")
                .append(column.get("name").asString())
                .append(' ')
                .append(column.get("type").asString()));
    return columns.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "put /datasets/foreign-csv.csv || a,b~1,x~ | a int64, b utf8",
        "put /datasets/foreign-upper.CSV | application/octet-stream | a,b~1,x~ | a int64, b utf8",
        "put /datasets/foreign-plain.csv | text/plain | a,b~1,x~ | a int64, b utf8",
        "put /datasets/foreign-typed | text/csv; charset=utf-8 | a,b~1,x~ | a int64, b utf8",
        "put /datasets/foreign-tsv.tsv | application/x-www-form-urlencoded | a\tb~1\tx~ | a int64, b utf8",
        "put /datasets/foreign-tab | text/tab-separated-values | a\tb~1\tx~ | a int64, b utf8",
        "put /datasets/foreign-json.json | application/json | [{\"a\": 1, \"b\": \"x\"}] | a int64, b utf8",
        "put /datasets/foreign-found | application/json | [{\"a\": 1, \"b\": \"x\"}] | a int64, b utf8",
        "put /datasets/foreign-lines.jsonl || {\"a\": 1}~{\"b\": \"x\"}~ | a int64, b utf8",
        "put /datasets/foreign-nd.ndjson | application/x-ndjson | {\"a\": 1}~{\"b\": \"x\"}~ | a int64, b utf8",
        "put /datasets/foreign-headless | text/csv; header=absent | 1,x~2,y~ | column0 int64, column1 utf8",
        "put /datasets/foreign-latin.csv | text/csv; charset=ISO-8859-1 | a,b~1,x~ | a int64, b utf8",
        "post /datasets/foreign-appended.csv || a,b~1,x~ | a int64, b utf8",
        "post /datasets | text/csv | a,b~1,x~ | a int64, b utf8",
        "put /datasets/foreign-option.csv?csv.types=a:varchar || a,b~1,x~ | a utf8, b utf8",
        "put /datasets/foreign-semi.csv?csv.delimiter=%3B || a;b~1;x~ | a int64, b utf8",
      })
  void formatIsKnownBySuffixTypeOrFirstBytes(
      String request, String type, String content, String expected) throws Exception {
    String path = request.substring(request.indexOf('/'));
    path += (path.contains("?") ? "&" : "?") + "verbose=true";
    String[] headers = type == null ? new String[0] : new String[] {"Content-Type", type};
    byte[] body = bytes(content.replace('~', '\n'));
    HttpResponse<byte[]> response =
        request.startsWith("put") ? put(path, body, headers) : post(path, body, headers);
    assertThat(response.statusCode()).as(text(response)).isEqualTo(201);
    JsonNode document = json(response);
    assertThat(columns(document)).isEqualTo(expected);
    assertThat(document.get("warnings").size()).isZero();
    assertThat(text(get("/datasets/" + document.get("name").asString() + ".csv")))
        .startsWith(expected.startsWith("a ") ? "a,b\r\n1," : "column0,column1\r\n1,");
  }

  @Test
  void appendsRowsToArrowData() throws Exception {
    put("/datasets/mixed-formats.csv", bytes("number\n1\n"));
    HttpResponse<byte[]> appended =
        post("/datasets/mixed-formats.json", bytes("[{\"number\": 2}]"));
    assertThat(json(appended).get("rows").intValue()).isEqualTo(2);
    HttpResponse<byte[]> other = post("/datasets/mixed-formats.csv", bytes("number\nx\n"));
    assertThat(other.statusCode()).isEqualTo(422);
    assertThat(json(other).get("column").asString()).isEqualTo("number");
    assertThat(json(other).get("hint").asString()).startsWith("Change the value");
    assertThat(text(get("/datasets/mixed-formats.csv"))).isEqualTo("number\r\n1\r\n2\r\n");
  }

  /// Rows that are added in another way, and a compaction, do not change how the next file is read.
  @Test
  void appendsAFileAsTheLastOneWasRead() throws Exception {
    String path = "/datasets/last-upload.csv";
    put(path + "?csv.dates=day-first", bytes("day;n\n13/01/2024;1,5\n"));
    post("/datasets/last-upload.json", bytes("[{\"day\": \"2024-01-14\", \"n\": 0.5}]"));
    assertThat(post("/datasets/last-upload/compact", new byte[0]).statusCode()).isLessThan(300);
    JsonNode appended = json(post(path, bytes("day;n\n01/02/2024;2,500\n")));
    assertThat(appended.at("/found/lastUpload/csv.dates").asString()).isEqualTo("day-first");
    assertThat(appended.at("/found/lastUpload/csv.delimiter").asString()).isEqualTo(";");
    JsonNode again = json(post(path, bytes("day;n\n02/02/2024;3,500\n")));
    assertThat(again.at("/found/lastUpload/csv.dates").asString()).isEqualTo("day-first");
    assertThat(text(get(path)))
        .isEqualTo(
            "day,n\r\n2024-01-13,1.5\r\n2024-01-14,0.5\r\n2024-02-01,2.5\r\n2024-02-02,3.5\r\n");
    // Text that the service writes comes back, and is then the last upload.
    JsonNode own = json(post(path, get(path).body()));
    assertThat(own.get("rows").intValue()).isEqualTo(8);
    assertThat(own.has("found")).isFalse();
    put(path, bytes("day,n\n2024-01-13,1.5\n"));
    HttpResponse<byte[]> plain = post(path, bytes("day;n\n01/02/2024;2,5\n"));
    assertThat(plain.statusCode()).isEqualTo(422);
  }

  @Test
  void countsWhatClientsSend() throws Exception {
    double found = counted("found", "records");
    double converted = counted("converted", "int64");
    double refused = counted("refused", "invalid-file");
    HttpResponse<byte[]> envelope =
        put("/datasets/sent.json", bytes("{\"data\":[{\"number\":1}],\"total\":1.5}"));
    assertThat(json(envelope).at("/found/records").asString()).isEqualTo("data");
    assertThat(json(envelope).at("/found/omitted/total").asDouble()).isEqualTo(1.5);
    assertThat(json(envelope).get("warnings").get(0).asString()).contains("json.records=.");
    HttpResponse<byte[]> appended =
        post(
            "/datasets/sent",
            Streams.of(
                Schema.of(Field.of("number", true, new ArrowType.Int(8, true))), List.of(2L)));
    assertThat(json(appended).get("rows").intValue()).isEqualTo(2);
    put("/datasets/sent.json", bytes("[{\"number\":01}]"));
    double skipped = counted("skipped", "fields");
    put("/datasets/sent.csv?csv.rows=skip", bytes("a,b\n1,2\n3\n4\n"));
    assertThat(counted("skipped", "fields")).isEqualTo(skipped + 2);
    assertThat(counted("found", "records")).isEqualTo(found + 1);
    assertThat(counted("converted", "int64")).isEqualTo(converted + 1);
    assertThat(counted("refused", "invalid-file")).isEqualTo(refused + 1);
  }

  private double counted(String name, String kind) throws Exception {
    String start = "quiver_%s_total{kind=\"%s\"} ".formatted(name, kind);
    return text(get("/metrics"))
        .lines()
        .filter(line -> line.startsWith(start))
        .mapToDouble(line -> Double.parseDouble(line.substring(start.length())))
        .sum();
  }

  @Test
  void retryWithAKeyIsNotReadAgain() throws Exception {
    String[] key = {"Idempotency-Key", "foreign-1"};
    HttpResponse<byte[]> first = post("/datasets/keyed-file.csv", bytes("a\n1\n"), key);
    HttpResponse<byte[]> second = post("/datasets/keyed-file.csv", bytes("not,even\ncsv\n"), key);
    assertThat(json(second).get("version")).isEqualTo(json(first).get("version"));
    assertThat(json(second).has("columns")).isFalse();
  }

  @Test
  void keepsNumbersExactAndReportsTheirColumn() throws Exception {
    HttpResponse<byte[]> response =
        put(
            "/datasets/foreign-ids.jsonl?verbose=true",
            bytes("{\"id\":18446744073709551617,\"x\":0.5,\"y\":1e400}\n"));
    assertThat(columns(json(response))).isEqualTo("id decimal128(38, 0), x float64, y utf8");
    assertThat(json(response).get("warnings").get(0).asString())
        .isEqualTo(
            "Column y is text: no other type holds \"1e400\" in row 1 and the values before it");
    assertThat(text(get("/datasets/foreign-ids.csv"))).contains("18446744073709551617,0.5,1e400");
  }

  @Test
  void reportsAColumnThatBecameText() throws Exception {
    HttpResponse<byte[]> response = put("/datasets/foreign-dirty.csv", bytes("a\n1\n2\nn/a\n3\n"));
    assertThat(json(response).get("warnings").get(0).asString())
        .startsWith("Column a is text: most values are of type ")
        .endsWith("but row 3 has \"n/a\"; the parameter csv.null=n/a makes it null");
    assertThat(json(response).get("options").toString())
        .isEqualTo("[{\"column\":\"a\",\"option\":\"csv.null\",\"value\":\"n/a\"}]");
  }

  @Test
  void formHasTheFormatOfItsFileName() throws Exception {
    String form =
        """
        --b\r
        Content-Disposition: form-data; name="file"; filename="C:\\\\peaks.tsv"\r
        Content-Type: application/octet-stream\r
        \r
        name	height
        Blanc	4806
        \r
        --b\r
        Content-Disposition: form-data; name="metadata"\r
        \r
        {"name": "foreign-peaks"}\r
        --b--\r
        """;
    HttpResponse<byte[]> response =
        post(
            "/datasets?verbose=true",
            bytes(form),
            "Content-Type",
            "multipart/form-data; boundary=b");
    assertThat(response.statusCode()).as(text(response)).isEqualTo(201);
    assertThat(columns(json(response))).isEqualTo("name utf8, height int64");
    assertThat(text(get("/datasets/foreign-peaks.csv"))).isEqualTo("name,height\r\nBlanc,4806\r\n");
  }

  @Test
  void conversionReadsTheSameFormats() throws Exception {
    HttpResponse<byte[]> response =
        post(
            "/convert?csv.delimiter=%7C&columns=b",
            bytes("a|b\n1|x\n"), "Content-Type", "text/csv", "Accept", "application/json");
    assertThat(text(response)).isEqualToIgnoringWhitespace("[{\"b\":\"x\"}]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "-",
      value = {
        "foreign-wide.csv | a,b~1,2~3,4,5~ | 3 | - | - | -",
        "foreign-narrow.csv | a,b~1,2~3~ | 3 | - | - | -",
        "foreign-value.csv?csv.types=a:integer | a~1~x~ | 3 | - | a | x",
        "foreign-zeros.csv?csv.sample=2 | a~1~2~007~ | 4 | - | a | 007",
        "foreign-number.json | 5 | 1 | - | 1 | -",
        "foreign-array.json | [] | - | - | - | -",
        "foreign-late.csv?csv.types=a:float64 | a~1~x~ | 3 | - | a | x",
        "foreign-late.json?json.types=a:int64 | [{\"a\": 1},~{\"a\": 1.5}] | 2 | - | a | 1.5",
        "foreign-broken.json | [{\"a\": 1}, {\"a\": | 1 | - | 17 | -",
        "foreign-broken.parquet | PAR1 and no footer PAR1 | - | - | - | -",
      })
  void reportsAnInvalidFileWithoutStoringIt(
      String file, String content, Integer line, Integer row, String column, String value)
      throws Exception {
    HttpResponse<byte[]> response = put("/datasets/" + file, bytes(content.replace('~', '\n')));
    JsonNode problem = json(response);
    assertThat(response.statusCode()).as(text(response)).isEqualTo(422);
    assertThat(problem.get("type").asString()).isEqualTo("urn:quiver:problem:invalid-file");
    assertThat(problem.get("detail").asString()).doesNotContain("/", "spool");
    assertThat(problem.path("line").isMissingNode()).isEqualTo(line == null);
    assertThat(problem.path("row").isMissingNode()).isEqualTo(row == null);
    assertThat(problem.path("line").asInt(0)).isEqualTo(line == null ? 0 : line);
    assertThat(problem.path("row").asInt(0)).isEqualTo(row == null ? 0 : row);
    if (column != null) {
      assertThat(problem.get("column").asString()).isEqualTo(column);
      assertThat(problem.path("value").asString("-")).isEqualTo(value == null ? "-" : value);
      assertThat(problem.path("hint").asString("")).contains(value == null ? "" : "types=a:utf8");
    }
    assertThat(get("/datasets/" + file.replaceFirst("\\..*", "")).statusCode()).isEqualTo(404);
  }

  /// A stated type holds its values exactly, or the file is an error.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "-",
      value = {
        // The type, a value, and what is stored of it in CSV; none if that would lose something.
        "int64 | 1.5 | -",
        "int64 | 1e3 | 1000",
        "int64 | 9223372036854775807 | 9223372036854775807",
        "int64 | 9223372036854775808 | -",
        "int8 | 127 | 127",
        "int8 | 300 | -",
        "uint8 | -1 | -",
        "uint64 | 18446744073709551615 | 18446744073709551615",
        "decimal(10,2) | 1.00 | 1.00",
        "decimal(10,2) | 1.5 | 1.50",
        "decimal(10,2) | 1.005 | -",
        "decimal(10,2) | 123456789.5 | -",
        "decimal(18,2) | 12345678901.25 | 12345678901.25",
        "decimal(38,0) | 99999999999999999999999999999999999999 | 99999999999999999999999999999999999999",
        "float32 | 16777217 | 16777216",
        "float64 | 0.1 | 0.1",
        "float64 | -0.0 | -0",
        "bool | 2 | -",
        "date | 2020-02-29 | 2020-02-29",
        "date | 2021-02-29 | -",
        "date | 2020-02-29 12:00:00 | -",
        "time | 23:59:59.123456 | 23:59:59.123456",
        "time | 23:59:59.1234567 | -",
        "time | 23:59:59+01 | -",
        "timestamp | 2020-02-29 12:00:00.123456 | 2020-02-29T12:00:00.123456",
        "timestamp | 2020-02-29 12:00:00.1234567 | -",
        "timestamp | 2020-02-29T12:00:00Z | -",
        "timestamp_ns | 2020-02-29 12:00:00.123456789 | 2020-02-29T12:00:00.123456789",
        "timestamp_ns | 3000-02-28 12:00:00 | -",
        "timestamptz | 2020-02-29T12:00:00+01:00 | 2020-02-29T11:00:00.000000Z",
        "timestamptz | 2020-02-29T12:00:00 | -",
        "uuid | 123e4567-e89b-12d3-a456-426614174000 | 123e4567-e89b-12d3-a456-426614174000",
        "uuid | 123e4567 | -",
        "utf8 | 007 | 007",
      })
  void statedTypeHoldsItsValuesExactly(String type, String value, String stored) throws Exception {
    boolean bare = value.matches("-?(0|[1-9][0-9]*)([.][0-9]+)?(e[0-9]+)?");
    String json = bare ? value : "\"" + value + "\"";
    stores("foreign-exact.csv?csv.types=a:" + type, "b,a\nx,\ny," + value + "\n", stored, value);
    stores(
        "foreign-exact.jsonl?json.types=a:" + type,
        "{\"b\":\"x\",\"a\":null}\n{\"b\":\"y\",\"a\":" + json + "}\n",
        stored,
        value);
  }

  private void stores(String file, String content, @Nullable String stored, String value)
      throws Exception {
    delete("/datasets/foreign-exact");
    HttpResponse<byte[]> response = put("/datasets/" + file + "&verbose=true", bytes(content));
    if (stored == null) {
      assertThat(response.statusCode()).as(file + text(response)).isEqualTo(422);
      JsonNode problem = json(response);
      assertThat(problem.get("column").asString()).as(text(response)).isEqualTo("a");
      assertThat(problem.get("value").asString()).isEqualTo(value);
      assertThat(get("/datasets/foreign-exact.csv").statusCode()).isIn(404, 410);
    } else {
      assertThat(response.statusCode()).as(file + text(response)).isEqualTo(201);
      assertThat(text(get("/datasets/foreign-exact.csv"))).contains(stored);
      assertThat(columns(json(response))).contains("a ");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "x.csv?csv.delimter=%3B | text/csv | Expected csv.delimiter",
        "x.csv?csv.skip=-1 | text/csv | Expected ",
        "x.csv?csv.types=b:bigint | text/csv | Expected the name of a column",
        "x.json | text/csv | Expected application/json, as the suffix of the path says, but found text/csv",
        "x.parquet | text/plain | Expected application/vnd.apache.parquet, as the suffix",
        "x?csv.skip=1 | application/vnd.apache.arrow.stream | Expected a file of another format but found Arrow data at parameter csv.skip",
        "x?json.depth=1 | application/octet-stream | Expected a file of another format but found Arrow data at parameter json.depth",
        "x.csv?json.depth=1 | text/csv | Expected a file of another format but found CSV at parameter json.depth",
        "x.csv | text/csv; charset=klingon | Expected the label of an encoding, such as windows-1252 or shift_jis, but found",
        "x.parquet?csv.skip=1 | application/vnd.apache.parquet | Expected a file of another format but found Parquet",
        "x@1.csv | text/csv | Expected GET, HEAD, OPTIONS but found PUT",
        "x.arrow.csv | text/csv | Expected a name without the suffix of a representation",
      })
  void optionsAndSuffixesAreChecked(String path, String type, String detail) throws Exception {
    byte[] body = type.startsWith("application/") ? Streams.numbers(0, 1) : bytes("a\n1\n");
    HttpResponse<byte[]> response = put("/datasets/" + path, body, "Content-Type", type);
    assertThat(response.statusCode()).as(text(response)).isIn(400, 405);
    assertThat(json(response).get("detail").asString()).startsWith(detail);
    assertThat(get("/datasets/x").statusCode()).isEqualTo(404);
  }

  @Test
  void reportsAFailedConditionBeforeRequestingTheBody() throws Exception {
    put("/datasets/present-file.csv", bytes("a\n1\n"));
    for (String path : List.of("present-file.csv", "present-file")) {
      String response =
          RawHttp.exchange(
              port,
              """
              PUT /datasets/%s HTTP/1.1
              Host: localhost
              If-None-Match: *
              Content-Length: 1000000
              Expect: 100-continue

              """
                  .formatted(path));
      assertThat(response).startsWith("HTTP/1.1 412 ");
    }
  }
}
