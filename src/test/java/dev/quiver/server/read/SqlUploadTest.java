package dev.quiver.server.read;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// Uploads of statements, whose results are stored. The client suite compares stored values with
/// those that DuckDB computes from the same rows.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlUploadTest extends RunningService {

  private static final String[] SQL = {"Content-Type", "application/sql"};

  private String source = "";

  @BeforeAll
  void upload() throws Exception {
    put("/datasets/sql-source", Streams.numbers(0, 3, 4));
    source = "sql-source@" + header(get("/datasets/sql-source.arrow"), "Quiver-Version");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private HttpResponse<byte[]> create(String name, String sql) throws Exception {
    HttpResponse<byte[]> response = put("/datasets/" + name + "?verbose=true", bytes(sql), SQL);
    assertThat(response.statusCode()).as(text(response)).isEqualTo(201);
    return response;
  }

  private String csv(String reference) throws Exception {
    return text(get("/datasets/" + reference + ".csv")).replace("\r\n", " ").strip();
  }

  private void assertAbsent(String name) throws Exception {
    assertThat(get("/datasets/" + name).statusCode()).isEqualTo(404);
  }

  @Test
  void storesTheResultLikeAnyUpload() throws Exception {
    String sql = "SELECT number, 'n' || number AS name FROM \"sql-source\" WHERE number > 4";
    JsonNode document = json(create("sql-result", sql));
    assertThat(document.get("columns").toString())
        .isEqualTo(
            "[{\"name\":\"number\",\"type\":\"int32\"},{\"name\":\"name\",\"type\":\"utf8\"}]");
    assertThat(document.get("rows").intValue()).isEqualTo(2);
    assertThat(document.get("warnings").size()).isZero();
    assertThat(csv("sql-result")).isEqualTo("number,name 5,n5 6,n6");
    byte[] file = get("/datasets/sql-result.arrow").body();
    HttpResponse<byte[]> range = get("/datasets/sql-result.arrow", "Range", "bytes=0-5");
    assertThat(range.statusCode()).isEqualTo(206);
    assertThat(text(range)).isEqualTo("ARROW1");
    assertThat(header(range, "Content-Range")).isEqualTo("bytes 0-5/" + file.length);
    assertThat(json("/datasets/sql-result/partitions?count=2").get("arrow_stream_files").size())
        .isPositive();
  }

  @Test
  void hasTheTypesOfSqlResults() throws Exception {
    String sql =
        "SELECT 1::DECIMAL(30,2) AS d, DATE '2026-01-02' AS day, [1, 2] AS l, {'a': 1} AS s,"
            + " TIMESTAMPTZ '2026-01-02 03:04:05+00' AS t, 'x'::ENUM('x', 'y') AS e";
    create("sql-types", sql);
    HttpResponse<byte[]> result = post("/sql.arrows", bytes(sql), SQL);
    HttpResponse<byte[]> converted = post("/convert", result.body(), "Accept", "application/json");
    assertThat(text(get("/datasets/sql-types.json"))).isEqualTo(text(converted));
    assertThat(json("/datasets/sql-types/schema").findValuesAsString("arrowType"))
        .startsWith("decimal128(30, 2)", "date32[day]");
  }

  @Test
  void appendsTheResult() throws Exception {
    put("/datasets/sql-appended", Streams.numbers(0, 2));
    HttpResponse<byte[]> response =
        post(
            "/datasets/sql-appended?p.least=5",
            bytes("SELECT number FROM \"sql-source\" WHERE number > $least"),
            SQL);
    // Fields of results may be null, and those of the dataset may not, so they must have no null.
    assertThat(response.statusCode()).as(text(response)).isEqualTo(200);
    response = post("/datasets/sql-appended", bytes("SELECT NULL::INTEGER AS number"), SQL);
    assertThat(response.statusCode()).as(text(response)).isEqualTo(409);
    create("sql-appended-2", "SELECT number FROM \"sql-source\" LIMIT 1");
    response =
        post(
            "/datasets/sql-appended-2?p.least=5",
            bytes("SELECT number FROM \"sql-source\" WHERE number > $least::INTEGER"),
            SQL);
    assertThat(response.statusCode()).as(text(response)).isEqualTo(200);
    assertThat(csv("sql-appended-2")).isEqualTo("number 0 6");
  }

  @Test
  void createsUnderAGeneratedName() throws Exception {
    HttpResponse<byte[]> response = post("/datasets", bytes("SELECT 42 AS answer"), SQL);
    assertThat(response.statusCode()).as(text(response)).isEqualTo(201);
    String name = json(response).get("name").asString();
    assertThat(header(response, "Location")).isEqualTo("/datasets/" + name);
    assertThat(csv(name)).isEqualTo("answer 42");
  }

  @Test
  void readsTheVersionBeforeItsOwn() throws Exception {
    create("sql-self", "SELECT number FROM \"sql-source\" WHERE number < 2");
    String doubled = "SELECT number + 10 AS number FROM \"sql-self\"";
    assertThat(post("/datasets/sql-self", bytes(doubled), SQL).statusCode()).isEqualTo(200);
    assertThat(csv("sql-self")).isEqualTo("number 0 1 10 11");
    HttpResponse<byte[]> replaced =
        put(
            "/datasets/sql-self?verbose=true",
            bytes("SELECT max(number) AS m FROM \"sql-self\""),
            SQL);
    assertThat(replaced.statusCode()).isEqualTo(200);
    assertThat(json(replaced).get("lineage").get("reads").toString()).isEqualTo("[\"sql-self@2\"]");
    assertThat(csv("sql-self")).isEqualTo("m 11");
    assertThat(csv("sql-self@2")).isEqualTo("number 0 1 10 11");
  }

  @Test
  void keepsTheLineageOfEachVersion() throws Exception {
    String sql = "SELECT number FROM \"sql-source\" WHERE number = $n OR number = $1\n";
    HttpResponse<byte[]> response =
        put(
            "/datasets/sql-lineage?p.n=3&p.1=%3C5%3E",
            bytes(sql.replace(" OR number = $1", "")), SQL);
    assertThat(response.statusCode()).isEqualTo(400);
    assertAbsent("sql-lineage");
    sql = "SELECT number FROM \"sql-source\" WHERE number = $n -- <b>\n";
    response = put("/datasets/sql-lineage?p.n=3&verbose=true", bytes(sql), SQL);
    assertThat(response.statusCode()).as(text(response)).isEqualTo(201);
    JsonNode lineage = json(response).get("lineage");
    assertThat(lineage.get("sql").asString()).isEqualTo(sql);
    assertThat(lineage.get("parameters").toString()).isEqualTo("{\"n\":\"3\"}");
    assertThat(lineage.get("reads").toString()).isEqualTo("[\"" + source + "\"]");
    put("/datasets/sql-lineage", Streams.numbers(0, 1));
    JsonNode versions = json("/datasets/sql-lineage/versions").get("versions");
    assertThat(versions.get(0).has("lineage")).isFalse();
    assertThat(versions.get(1).get("lineage")).isEqualTo(lineage);
    assertThat(text(get("/datasets/sql-lineage@1", "Accept", "text/html")))
        .contains(
            "WHERE number = $n -- &lt;b&gt;",
            "<tr><td>n<td>3",
            "<a href=\"/datasets/%1$s\">%1$s</a>".formatted(source));
    assertThat(text(get("/datasets/sql-lineage", "Accept", "text/html")))
        .doesNotContain("Statement");
  }

  @Test
  void statementWithoutParametersOrDatasetsHasAShortLineage() throws Exception {
    assertThat(json(create("sql-none", "SELECT 1 AS a")).get("lineage").toString())
        .isEqualTo("{\"sql\":\"SELECT 1 AS a\",\"reads\":[]}");
  }

  @Test
  void doesNotRunIfTheConditionFails() throws Exception {
    create("sql-condition", "SELECT 1 AS a");
    HttpResponse<byte[]> response =
        put(
            "/datasets/sql-condition",
            bytes("not even a statement"),
            "Content-Type",
            "application/sql",
            "If-None-Match",
            "*");
    assertThat(response.statusCode()).isEqualTo(412);
    HttpResponse<byte[]> matching =
        put(
            "/datasets/sql-condition",
            bytes("SELECT 2 AS a"),
            "Content-Type",
            "application/sql; charset=utf-8",
            "If-Match",
            header(get("/datasets/sql-condition.arrow"), "ETag"));
    assertThat(matching.statusCode()).as(text(matching)).isEqualTo(200);
  }

  @Test
  void retryWithTheSameKeyDoesNotRunAgain() throws Exception {
    String[] headers = {"Content-Type", "application/sql", "Idempotency-Key", "\"sql-upload-1\""};
    HttpResponse<byte[]> first =
        post("/datasets/sql-key?verbose=true", bytes("SELECT random() AS r"), headers);
    HttpResponse<byte[]> second =
        post("/datasets/sql-key?verbose=true", bytes("SELECT random() AS r"), headers);
    assertThat(json(second).get("etag")).isEqualTo(json(first).get("etag"));
    assertThat(json(second).get("lineage")).isEqualTo(json(first).get("lineage"));
    assertThat(json("/datasets/sql-key/versions").get("versions").size()).isOne();
  }

  @Test
  void codecAndBatchesApply() throws Exception {
    HttpResponse<byte[]> response =
        put(
            "/datasets/sql-codec?codec=zstd&batches=keep&verbose=true",
            bytes("SELECT range AS n FROM range(200000)"),
            SQL);
    assertThat(json(response).get("codec").asString()).isEqualTo("zstd");
    assertThat(json(response).get("batches").intValue()).isGreaterThan(1);
    assertThat(json(response).get("rows").intValue()).isEqualTo(200_000);
  }

  @Test
  void resultWithoutRowsHasItsColumns() throws Exception {
    JsonNode document =
        json(create("sql-empty", "SELECT number FROM \"sql-source\" WHERE number > 99"));
    assertThat(document.get("rows").intValue()).isZero();
    assertThat(csv("sql-empty")).isEqualTo("number");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELEC 1 | 400 | invalid-sql | Syntax error",
        "SELECT nothing FROM \"sql-source\" | 400 | invalid-sql | nothing",
        "SELECT * FROM \"sql-sourc\" | 400 | unknown-dataset | the nearest is sql-source",
        "SELECT * FROM \"sql-source@99\" | 400 | unknown-dataset | sql-source@99",
        "CREATE TABLE t AS SELECT 1 | 400 | sql-not-allowed | SELECT",
        "SELECT 1; SELECT 2 | 400 | sql-not-allowed | Expected one statement",
        "SELECT * FROM read_csv('/etc/passwd') | 400 | sql-not-allowed | read_csv",
        "SELECT 'x'::INTEGER AS n | 422 | invalid-value | x",
        // It fails after rows were written.
        "SELECT if(range < 1000000, range, concat('x', range)::BIGINT) AS n FROM range(1000001)"
            + " | 422 | invalid-value | x1000000",
        "SELECT $1 AS n | 400 | invalid-sql | ",
        "`` | 400 | bad-request | no data",
      })
  void failingStatementStoresNothing(String sql, int status, String problem, String detail)
      throws Exception {
    for (HttpResponse<byte[]> response :
        List.of(
            put("/datasets/sql-failed", bytes(sql), SQL),
            post("/datasets/sql-failed", bytes(sql), SQL))) {
      assertThat(response.statusCode()).as(text(response)).isEqualTo(status);
      assertThat(json(response).get("type").asString()).isEqualTo("urn:quiver:problem:" + problem);
      if (detail != null) {
        assertThat(json(response).get("detail").asString()).contains(detail);
      }
    }
    assertAbsent("sql-failed");
    HttpResponse<byte[]> unchanged = put("/datasets/sql-source", bytes(sql), SQL);
    assertThat(unchanged.statusCode()).isEqualTo(status);
    assertThat(source)
        .isEqualTo("sql-source@" + header(get("/datasets/sql-source.arrow"), "Quiver-Version"));
  }

  @Test
  void problemHasThePlaceInTheStatement() throws Exception {
    JsonNode problem = json(put("/datasets/sql-place", bytes("SELECT a\nFROM \"sql-sourc\""), SQL));
    assertThat(problem.get("position").intValue()).isEqualTo(14);
    assertThat(problem.get("line").intValue()).isEqualTo(2);
    assertThat(problem.get("excerpt").asString()).contains("sql-sourc");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/datasets/sql-other?p.a=1 | application/vnd.apache.arrow.stream"
            + " | Expected a statement but found Arrow data at parameter p.a",
        "/datasets/sql-other?p.a=1 | text/csv | Expected a statement but found a file at parameter p.a",
        "/datasets/sql-other?csv.skip=1 | application/sql"
            + " | Expected a file of another format but found a statement at parameter csv.skip",
        "/datasets/sql-other.csv | application/sql | Expected text/csv, as the suffix",
        "/datasets/sql-other.arrow | application/sql | Expected application/vnd.apache.arrow.file, as the suffix",
        "/datasets/sql-other?q=1 | application/sql | found q at the query",
        "/datasets/sql-other?explain=true | application/sql | found explain at the query",
      })
  void rejectsOptionsOfOtherBodies(String path, String type, String detail) throws Exception {
    HttpResponse<byte[]> response = put(path, bytes("SELECT 1"), "Content-Type", type);
    assertThat(response.statusCode()).as(text(response)).isEqualTo(400);
    assertThat(json(response).get("detail").asString()).contains(detail);
    assertAbsent("sql-other");
  }

  @Test
  void statementBeyondItsLimitIsTooLarge() throws Exception {
    String sql = "SELECT 1 AS a --" + "-".repeat(64 << 10);
    HttpResponse<byte[]> response = put("/datasets/sql-long", bytes(sql), SQL);
    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(text(response)).contains("quiver.sql.text-bytes");
    assertAbsent("sql-long");
    create("sql-long", sql.substring(0, 64 << 10));
    assertThat(
            json("/datasets/sql-long/versions")
                .get("versions")
                .get(0)
                .get("lineage")
                .get("sql")
                .asString())
        .hasSize(64 << 10);
  }

  @Test
  void runsAsAJob() throws Exception {
    HttpResponse<byte[]> accepted =
        put(
            "/datasets/sql-job?p.n=4",
            bytes("SELECT number FROM \"sql-source\" WHERE number > $n"),
            "Content-Type",
            "application/sql",
            "Prefer",
            "respond-async");
    assertThat(accepted.statusCode()).as(text(accepted)).isEqualTo(202);
    eventually(() -> assertThat(get(header(accepted, "Location")).statusCode()).isEqualTo(303));
    assertThat(csv("sql-job")).isEqualTo("number 5 6");
    assertThat(json("/datasets/sql-job/versions").at("/versions/0/lineage/reads/0").asString())
        .isEqualTo(source);
  }

  @Test
  void formsAndConversionsTakeNoStatements() throws Exception {
    HttpResponse<byte[]> converted = post("/convert", bytes("SELECT 1"), SQL);
    assertThat(converted.statusCode()).isEqualTo(415);
    assertThat(header(converted, "Accept-Post")).doesNotContain("application/sql");
  }
}
