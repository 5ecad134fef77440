package dev.quiver.server.sql;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.server.RawHttp;
import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import dev.quiver.sql.execution.WorkerPools;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/// Statements over HTTP, in real workers.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestPropertySource(
    properties = {
      "quiver.sql.workers=2",
      "quiver.sql.spare=false",
      "quiver.sql.queue=2",
      "quiver.sql.threads=1",
      "quiver.sql.memory=256MB",
      "quiver.cors.allowed-origins=https://elsewhere.test"
    })
class SqlTest extends RunningService {

  private static final String ENDLESS = "SELECT count(*) FROM range(1000000000000000000)";

  @Autowired private WorkerPools pools;

  private String version = "";

  @BeforeAll
  void upload() throws Exception {
    put("/datasets/numbers", Streams.numbers(0, 3, 7));
    // Other tests of this service may have had a dataset of this name.
    version = header(get("/datasets/numbers.arrow"), "Quiver-Version");
    put("/datasets/a.b-c", Streams.numbers(5, 1));
  }

  private static String url(String suffix, String sql) {
    return "/sql" + suffix + "?q=" + URLEncoder.encode(sql, StandardCharsets.UTF_8);
  }

  private HttpResponse<byte[]> run(String suffix, String sql, String... headers) throws Exception {
    return get(url(suffix, sql), headers);
  }

  private HttpResponse<byte[]> post(String path, String body, String... headers) throws Exception {
    return post(path, body.getBytes(StandardCharsets.UTF_8), headers);
  }

  private double metric(String start) throws Exception {
    return text(get("/metrics"))
        .lines()
        .filter(line -> line.startsWith(start + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(start.length() + 1)))
        .sum();
  }

  /// The other formats are sent while their rows are counted.
  @ParameterizedTest
  @ValueSource(strings = {".txt", ".xlsx", ".parquet"})
  void resultThatIsCompleteBeforeItIsSentStatesItsRows(String suffix) throws Exception {
    String sql = "SELECT unnest(range(3000)) AS n";
    for (HttpResponse<byte[]> response : List.of(run(suffix, sql), post("/sql" + suffix, sql))) {
      assertThat(response.statusCode()).as(text(response)).isEqualTo(200);
      assertThat(header(response, "Arrow-Row-Count")).isEqualTo("3000");
    }
    assertThat(header(run(suffix, "SELECT 1 WHERE false"), "Arrow-Row-Count")).isEqualTo("0");
    HttpResponse<byte[]> failed =
        run(suffix, "SELECT (n || 'x')::INT AS m FROM (SELECT unnest(range(3000)) AS n)");
    assertThat(failed.statusCode()).as(text(failed)).isBetween(400, 499);
    assertThat(header(failed, "Arrow-Row-Count")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        ".json | application/json | [{\"number\":0},{\"number\":1}]",
        ".jsonl | application/x-ndjson | {\"number\":0}_{\"number\":1}_",
        ".csv | text/csv | number_0_1_",
        ".tsv | text/tab-separated-values | number_0_1_",
      })
  void resultHasTheFormatOfTheSuffixOrOfAccept(String suffix, String type, String expected)
      throws Exception {
    String sql = "SELECT number FROM numbers ORDER BY number LIMIT 2";
    for (HttpResponse<byte[]> response :
        List.of(
            run(suffix, sql),
            run("", sql, "Accept", type),
            post("/sql" + suffix, sql),
            post("/sql", sql, "Accept", type))) {
      assertThat(response.statusCode()).as(text(response)).isEqualTo(200);
      assertThat(text(response).replaceAll("\r?\n", "_").replace(" ", ""))
          .isEqualTo(
              expected.contains("[")
                  ? text(response).replaceAll("\r?\n", "_").replace(" ", "")
                  : expected);
      assertThat(header(response, "Content-Type")).startsWith(type);
      assertThat(header(response, "Quiver-Versions")).isEqualTo("numbers@" + version);
      assertThat(header(response, "Content-Disposition"))
          .contains("filename=\"result" + suffix + "\"");
    }
    assertThat(JSON.readTree(run(".json", sql).body()).findValuesAsString("number"))
        .containsExactly("0", "1");
  }

  @ParameterizedTest
  @CsvSource({
    ".arrows, application/vnd.apache.arrow.stream",
    ".arrow, application/vnd.apache.arrow.file"
  })
  void arrowResultCanBeStored(String suffix, String type) throws Exception {
    String sql = "SELECT * FROM numbers";
    byte[] expected = get("/datasets/numbers.csv").body();
    for (HttpResponse<byte[]> response :
        List.of(run(suffix, sql), run("", sql, "Accept", type), post("/sql" + suffix, sql))) {
      assertThat(response.statusCode()).as(text(response)).isEqualTo(200);
      assertThat(header(response, "Content-Type")).isEqualTo(type);
      assertThat(put("/datasets/stored-result", response.body()).statusCode()).isIn(200, 201);
      assertThat(get("/datasets/stored-result.csv").body()).isEqualTo(expected);
    }
  }

  /// The libraries of codecs are loaded before the kernel denies all files.
  @Test
  void compressedDatasetsAreRead() throws Exception {
    for (Codec codec : List.of(Codec.LZ4, Codec.ZSTD)) {
      put("/datasets/compressed?batches=keep", Streams.inCodecs(20_000, codec, codec));
      assertThat(text(run(".csv", "SELECT count(*) AS n, sum(number) AS s FROM compressed")))
          .isEqualToNormalizingNewlines("n,s\n40000,799980000\n");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT 1 AS a, 2 AS a, 3 AS A, 4 AS a_1, 5 AS a FROM numbers LIMIT 1 | a,a_1,A_2,a_1_1,a_3",
        "SELECT 1, 1 | 1,1_1",
        "SELECT * FROM numbers x JOIN numbers y USING (number) LIMIT 0 | number",
        "SELECT * FROM numbers x, numbers y LIMIT 0 | number,number_1",
      })
  void columnsHaveDistinctNames(String sql, String names) throws Exception {
    assertThat(text(run(".csv", sql)).lines().findFirst()).contains(names);
    if (!sql.contains("LIMIT 0")) {
      assertThat(json(run(".json", sql)).get(0).propertyNames()).containsExactly(names.split(","));
    }
    // Parameters make the engine describe the result later.
    String late = "SELECT * FROM (%s) WHERE $1 = 1".formatted(sql);
    assertThat(text(get(url(".csv", late) + "&p.1=1")).lines().findFirst()).contains(names);
  }

  /// SQL has no decimals of that many digits, but a count needs no values.
  @Test
  void rowsAreCountedWithoutReadingAColumn() throws Exception {
    put(
        "/datasets/unsupported",
        Streams.slot("number", new ArrowType.Decimal(60, 0, 256), new byte[32]));
    assertThat(text(run(".csv", "SELECT count(*) AS n FROM unsupported")))
        .isEqualToNormalizingNewlines("n\n1\n");
    String joined = "SELECT count(*) AS n FROM unsupported, numbers x WHERE random() < 2";
    assertThat(text(run(".csv", joined))).isEqualToNormalizingNewlines("n\n10\n");
    for (String sql :
        List.of("SELECT * FROM unsupported", "SELECT count(number) FROM unsupported")) {
      HttpResponse<byte[]> response = run(".csv", sql);
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(json(response).get("type").asString()).endsWith("unsupported-type");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT error('it is theirs')",
        "SELECT strptime('x', '%Q')",
        "SELECT list_value(1)[1:2:0]",
        "SELECT json_extract('{', '$')",
        "SELECT CAST('a' AS ENUM ('b'))",
        "SELECT make_date(1, 2, 300)",
        "SELECT union_extract(1, 'x')",
        "SELECT regexp_matches('a', '(')",
        "SELECT substr('a', 9223372036854775807, 9223372036854775807)",
        "SELECT date_trunc('x', DATE '2020-01-01')",
        "SELECT map([1, 1], [2, 3])",
        "SELECT unnest(1)",
        "SELECT format('{}')",
        "SELECT chr(-1)",
        "SELECT decode('\\xff'::BLOB)",
        "SELECT list_reduce([]::INTEGER[], lambda x, y: x + y)",
      })
  void faultsOfStatementsAreNotServerErrors(String sql) throws Exception {
    HttpResponse<byte[]> response = run(".csv", sql);
    assertThat(response.statusCode()).as(text(response)).isIn(400, 422);
    assertThat(text(response)).doesNotContain("/tmp", FOLDER.toString(), "Stack");
  }

  /// The engine advises to change a setting, which is locked.
  @Test
  void deepStatementIsRejectedWithoutAdviceOnSettings() throws Exception {
    String sql = "SELECT " + "- ".repeat(300) + "a";
    HttpResponse<byte[]> response = run(".csv", sql);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("detail").asString())
        .isEqualTo("Max expression depth limit of 250 exceeded.");
    sql = "SELECT " + "abs(".repeat(251) + "1" + ")".repeat(251);
    JsonNode problem = json(run(".csv", sql));
    assertThat(problem.get("status").asInt()).isEqualTo(400);
    assertThat(problem.get("position").asInt()).isEqualTo(7 + 250 * 4 + 3);
  }

  private static final String BROWSER =
      "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

  @Test
  void tabOfABrowserShowsThePage() throws Exception {
    HttpResponse<byte[]> response = get("/sql", "Accept", BROWSER);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(header(response, "Content-Type")).isEqualTo("text/html;charset=UTF-8");
    assertThat(header(response, "Vary")).contains("Accept");
    assertThat(header(response, "Cache-Control")).contains("no-cache");
    assertThat(header(response, "Content-Security-Policy"))
        .contains("script-src 'self'", "trusted-types 'none'");
    assertThat(text(response))
        .contains("<title>SQL · Quiver</title>", "<main data-writable>", "/sql/sql-page.js\"")
        .contains("curl -d 'SELECT * FROM sample LIMIT 10' http://localhost:" + port + "/sql.csv")
        .doesNotContain("Run this statement?");
    assertThat(head("/sql", "Accept", BROWSER).statusCode()).isEqualTo(200);
    assertThat(get("/sql?plan=1", "Accept", BROWSER).statusCode()).isEqualTo(400);
    assertThat(get("/sql").statusCode()).isEqualTo(400);
  }

  /// The page asks before it runs what a link says, which another site may have made.
  @Test
  void pageShowsTheStatementOfALinkAndDoesNotRunIt() throws Exception {
    double before = metric("quiver_sql_workers_started_total");
    String sql = "SELECT '<b>' FROM range(1000000000000000000)";
    HttpResponse<byte[]> response = run("", sql, "Accept", BROWSER);
    assertThat(header(response, "Content-Type")).startsWith("text/html");
    assertThat(text(response))
        .contains("<pre>SELECT &#39;&lt;b&gt;&#39; FROM range", "href=\"/sql.json?q=SELECT+");
    assertThat(metric("quiver_sql_workers_started_total")).isEqualTo(before);
  }

  /// A browser would save a stream.
  @Test
  void postOfAFormShowsJson() throws Exception {
    HttpResponse<byte[]> response = post("/sql", "SELECT 1 AS n", "Accept", BROWSER);
    assertThat(header(response, "Content-Type")).isEqualTo("application/json");
    assertThat(header(response, "Content-Disposition")).startsWith("inline");
    assertThat(text(response)).isEqualToIgnoringWhitespace("[{\"n\":1}]");
    HttpResponse<byte[]> page = post("/sql", "SELECT 1", "Accept", "text/html");
    assertThat(page.statusCode()).isEqualTo(406);
    assertThat(text(page)).contains("Expected application/json or ");
  }

  @Test
  void withoutAcceptTheResultIsAStream() throws Exception {
    assertThat(header(post("/sql", "SELECT 1"), "Content-Type"))
        .isEqualTo("application/vnd.apache.arrow.stream");
  }

  @Test
  void namesStandForVersions() throws Exception {
    put("/datasets/changing", Streams.numbers(0, 4));
    put("/datasets/changing", Streams.numbers(0, 6));
    HttpResponse<byte[]> both =
        run(
            ".csv",
            "SELECT (SELECT count(*) FROM changing) AS now, (SELECT count(*) FROM \"changing@1\")"
                + " AS before, (SELECT count(*) FROM \"a.b-c\") AS quoted");
    assertThat(text(both)).isEqualToNormalizingNewlines("now,before,quoted\n6,4,1\n");
    assertThat(header(both, "Quiver-Versions")).isEqualTo("changing@2, changing@1, a.b-c@1");
  }

  @ParameterizedTest
  @CsvSource({
    "application/sql",
    "text/plain;charset=UTF-8",
    "application/x-www-form-urlencoded",
    "application/octet-stream"
  })
  void bodyIsTheStatementAsItIs(String type) throws Exception {
    HttpResponse<byte[]> response = post("/sql.csv", "SELECT '50%+ä' AS t", "Content-Type", type);
    assertThat(text(response)).isEqualToNormalizingNewlines("t\n50%+ä\n");
    assertThat(header(response, "Cache-Control")).isEqualTo("no-store");
    assertThat(header(response, "ETag")).isEmpty();
  }

  @Test
  void formHasTheStatementAsItsField() throws Exception {
    HttpResponse<byte[]> response =
        post(
            "/sql.csv",
            "q=SELECT+%2750%25%27+AS+t",
            "Content-Type",
            "application/x-www-form-urlencoded");
    assertThat(text(response)).isEqualToNormalizingNewlines("t\n50%\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/x-www-form-urlencoded | q=SELECT+1&p.a=2 | Expected q as the only field of the form but found others",
        "application/x-www-form-urlencoded | q=%zz | Expected percent-encoded text but found other characters at field q",
        "application/sql | '' | Expected a statement but found no data",
        "application/json | [] | Expected an object with the member sql but found other JSON",
        "application/json | {\"sql\":\"SELECT ?\",\"parameters\":[[[1]]]} | 'Expected texts, numbers or booleans but found other JSON in an array of the parameters'",
        "application/json | {\"sql\":\"SELECT ?\",\"parameters\":[[1,\"a\"]]} | 'Expected only texts, only numbers or only booleans but found several of these in an array of the parameters'",
        "application/json | {\"sql\":\"SELECT ?\",\"parameters\":[{}]} | 'Expected a text, a number, a boolean, null or an array of these but found other JSON at the parameters'",
        "application/json | {\"sql\":\"SELECT 1\",\"sq\":1} | Expected sql, parameters or timeout but found the member sq",
      })
  void invalidBodyIsABadRequest(String type, String body, String detail) throws Exception {
    HttpResponse<byte[]> response = post("/sql.csv", body, "Content-Type", type);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("type").asString()).isEqualTo("urn:quiver:problem:bad-request");
    assertThat(json(response).get("detail").asString()).isEqualTo(detail);
  }

  @Test
  void otherMediaTypesAreUnsupported() throws Exception {
    HttpResponse<byte[]> response = post("/sql", "SELECT 1", "Content-Type", "image/png");
    assertThat(response.statusCode()).isEqualTo(415);
    assertThat(json(response).get("detail").asString()).contains("application/sql");
    assertThat(header(response, "Accept-Post")).contains("application/sql");
  }

  @Test
  void statementIsRequired() throws Exception {
    assertThat(get("/sql").statusCode()).isEqualTo(400);
    assertThat(json("/sql").get("detail").asString())
        .isEqualTo("Expected a statement but found none at parameter q");
  }

  /// Parameters of a URL are text, which takes the type of whatever it meets.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT count(*) AS n FROM numbers WHERE number > $least | p.least=6 | 3",
        "SELECT count(*) AS n FROM numbers WHERE number > ? AND number < ? | p.1=2&p.2=5 | 2",
        "SELECT count(*) AS n FROM numbers WHERE number IN ($1, $2) | p.1=2&p.2=5 | 2",
        "SELECT DATE '2020-05-01' > $day AS n | p.day=2020-01-01 | true",
        "SELECT $text AS n | p.text=a%26b | a&b",
        "SELECT $1::INTEGER + 1 AS n | p.1=41 | 42",
      })
  void parametersOfTheUrlAreBound(String sql, String parameters, String expected) throws Exception {
    HttpResponse<byte[]> response = get(url(".csv", sql) + "&" + parameters);
    assertThat(text(response)).isEqualToNormalizingNewlines("n\n" + expected + "\n");
    assertThat(text(post("/sql.csv?" + parameters, sql)))
        .isEqualToNormalizingNewlines("n\n" + expected + "\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'sql': 'SELECT count(*) AS n FROM numbers WHERE number > $1', 'parameters': [6]} | 3",
        "{'sql': 'SELECT $a + $b AS n', 'parameters': {'a': 1.25, 'b': 2}} | 3.25",
        "{'sql': 'SELECT $1 AS n', 'parameters': [true]} | true",
        "{'sql': 'SELECT $1 IS NULL AS n', 'parameters': [null]} | true",
        "{'sql': 'SELECT $1 AS n', 'parameters': [9223372036854775808]} | 9223372036854775808",
        "{'sql': 'SELECT typeof($1) AS n', 'parameters': [1e300]} | DOUBLE",
        "{'sql': 'SELECT sum(number) AS n FROM numbers WHERE number = ANY($1)', 'parameters': [[1, 3, 99]]} | 4",
        "{'sql': 'SELECT sum(number) AS n FROM numbers WHERE number IN $list', 'parameters': {'list': [1, 3]}} | 4",
        "{'sql': 'SELECT list_contains(?, ?) AS n', 'parameters': [['a', null, 'b'], 'b']} | true",
        "{'sql': 'SELECT count(*) AS n FROM numbers WHERE number = ANY(?)', 'parameters': [[]]} | 0",
        "{'sql': 'SELECT typeof(?)[:7] AS n', 'parameters': [[1, 2.25, 123456.5]]} | DECIMAL",
        "{'sql': 'SELECT typeof(?) AS n', 'parameters': [[1, 1e300]]} | DOUBLE[]",
        "{'sql': 'SELECT typeof(?) AS n', 'parameters': [[true, null]]} | BOOLEAN[]",
        "{'sql': 'SELECT len(?) AS n', 'parameters': [[null]]} | 1",
        "{'sql': 'SELECT 1 AS n', 'timeout': '5s'} | 1",
        "{'sql': 'SELECT 1 AS n', 'timeout': 5} | 1",
      })
  void parametersOfADocumentAreBound(String document, String expected) throws Exception {
    HttpResponse<byte[]> response =
        post("/sql.csv", document.replace('\'', '"'), "Content-Type", "application/json");
    assertThat(text(response)).isEqualToNormalizingNewlines("n\n" + expected + "\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT $1 AS n | | a value for the parameter $1",
        "SELECT 1 AS n | p.x=1 | a parameter $x in the statement",
      })
  void eachParameterNeedsAValueAndEachValueAParameter(String sql, String parameters, String detail)
      throws Exception {
    HttpResponse<byte[]> response =
        get(url(".csv", sql) + (parameters == null ? "" : "&" + parameters));
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("detail").asString()).contains(detail);
  }

  @Test
  void datasetsAndColumnsAreListed() throws Exception {
    HttpResponse<byte[]> tables = run(".csv", "SHOW TABLES");
    assertThat(text(tables).lines()).contains("name", "numbers", "a.b-c");
    assertThat(header(tables, "ETag")).isEmpty();
    assertThat(header(tables, "Quiver-Versions")).isEmpty();
    assertThat(
            text(
                run(
                    ".csv",
                    "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'numbers'")))
        .isEqualToNormalizingNewlines("column_name,data_type\nnumber,INTEGER\n");
    assertThat(text(run(".csv", "SELECT count(*) AS n FROM main.numbers")))
        .isEqualToNormalizingNewlines("n\n10\n");
    assertThat(head(url(".csv", "SHOW TABLES")).statusCode()).isEqualTo(200);
  }

  @Test
  void rejectionSaysWhatToDo() throws Exception {
    JsonNode problem = json(run(".csv", "SELECT * FROM numbers WHERE number = \"ten\""));
    assertThat(problem.get("hint").asString())
        .isEqualTo("Write text in single quotes, such as 'ten'; double quotes are for names.");
    assertThat(problem.get("position").asInt()).isEqualTo(37);
    assertThat(json(run(".csv", "DROP TABLE numbers")).get("hint").asString())
        .isEqualTo("Send DELETE to /datasets/numbers.");
  }

  @Test
  void planIsExplained() throws Exception {
    HttpResponse<byte[]> plan = get(url(".json", "SELECT count(*) FROM numbers") + "&explain=true");
    assertThat(plan.statusCode()).isEqualTo(200);
    assertThat(text(plan)).contains("physical_plan", "Aggregate");
    assertThat(text(run(".json", "EXPLAIN SELECT count(*) FROM numbers"))).isEqualTo(text(plan));
    HttpResponse<byte[]> wrong = get(url(".json", "SELECT nmber FROM numbers") + "&explain=true");
    assertThat(json(wrong).get("position").asInt()).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT 1 frm numbers x | invalid-sql | 13 | 1 | SELECT 1 frm numbers x",
        "SELECT 'ä',_ nmber_ FROM numbers | invalid-sql | 13 | 2 | _nmber",
        "SELECT * FROM nmbers | unknown-dataset | 14 | 1 | SELECT * FROM nmbers",
        "SELECT * FROM read_csv('/etc/passwd') | sql-not-allowed | 14 | 1 | SELECT * FROM read_csv('/etc/passwd')",
      })
  void problemHasThePlaceInTheStatement(
      String sql, String type, int position, int line, String excerpt) throws Exception {
    HttpResponse<byte[]> response =
        post("/sql.csv", sql.replace('_', sql.contains("ä") ? '\n' : '_'));
    JsonNode problem = json(response);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(problem.get("type").asString()).isEqualTo("urn:quiver:problem:" + type);
    assertThat(problem.get("position").asInt()).as(problem.toString()).isEqualTo(position);
    assertThat(problem.get("line").asInt()).isEqualTo(line);
    assertThat(problem.get("excerpt").asString()).isEqualTo(excerpt.replace("_nmber", " nmber"));
    for (String name : List.of("Content-Disposition", "Quiver-Versions", "ETag")) {
      assertThat(header(response, name)).as(name).isEmpty();
    }
    assertThat(header(response, "Cache-Control")).isEqualTo("no-store");
  }

  @Test
  void unknownDatasetNamesTheNearest() throws Exception {
    JsonNode problem = json(run(".csv", "SELECT * FROM nmbers"));
    assertThat(problem.get("detail").asString())
        .isEqualTo("Expected the name of a dataset but found nmbers; the nearest is numbers");
    assertThat(problem.get("length").asInt()).isEqualTo(6);
  }

  @Test
  void valueThatDoesNotConvertIsUnprocessable() throws Exception {
    HttpResponse<byte[]> response = run(".csv", "SELECT 'x'::INTEGER");
    assertThat(response.statusCode()).isEqualTo(422);
    assertThat(json(response).get("type").asString()).isEqualTo("urn:quiver:problem:invalid-value");
  }

  @Test
  void statementThatNeedsTooMuchMemoryNamesTheKey() throws Exception {
    HttpResponse<byte[]> response = run(".csv", "SELECT length(repeat('x', 4000000000))");
    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(json(response).get("type").asString()).isEqualTo("urn:quiver:problem:query-memory");
    assertThat(json(response).at("/limit/key").asString()).isEqualTo("quiver.sql.memory");
    assertThat(json(response).get("hint").asString()).contains("raise quiver.sql.memory");
    assertThat(text(run(".csv", "SELECT 1 AS n"))).startsWith("n");
  }

  @Test
  void statementThatTakesTooLongTimesOut() throws Exception {
    HttpResponse<byte[]> response =
        post(
            "/sql.csv",
            "{\"sql\":\"" + ENDLESS + "\",\"timeout\":0.2}",
            "Content-Type",
            "application/json");
    assertThat(response.statusCode()).isEqualTo(504);
    assertThat(json(response).get("type").asString()).isEqualTo("urn:quiver:problem:query-timeout");
    assertThat(json(response).get("detail").asString()).contains("quiver.sql.timeout");
    assertThat(json(response).get("hint").asString()).startsWith("Read fewer rows");
  }

  @Test
  void rejectsStatementsBeyondTheQueueWithRetryAfter() throws Exception {
    String request = "GET " + url(".csv", ENDLESS) + " HTTP/1.1\nHost: localhost\n\n";
    try (RawHttp first = new RawHttp(port);
        RawHttp second = new RawHttp(port);
        RawHttp third = new RawHttp(port);
        RawHttp fourth = new RawHttp(port)) {
      first.send(request);
      second.send(request);
      // For a moment, both may only be parsed; they give their workers back before they run.
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .during(Duration.ofSeconds(1))
          .until(() -> pools.runningCount() == 2);
      third.send(request);
      fourth.send(request);
      eventually(() -> assertThat(pools.waitingCount()).isEqualTo(2));
      HttpResponse<byte[]> response = run(".csv", "SELECT 1");
      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(header(response, "Retry-After")).isNotEmpty();
      assertThat(json(response).get("detail").asString()).contains("quiver.sql.workers");
      for (RawHttp connection : List.of(fourth, third, second, first)) {
        connection.reset();
      }
    }
    // A statement ends when its client leaves.
    eventually(() -> assertThat(pools.runningCount()).isZero());
    assertThat(run(".csv", "SELECT 1").statusCode()).isEqualTo(200);
  }

  /// This computation is never interrupted, so its worker ends.
  @Tag("long")
  @Test
  void stubbornStatementEndsWithItsClient() throws Exception {
    long ended = pools.endedCount();
    String sql = "SELECT levenshtein(repeat('a', 200000), repeat('b', 200000))";
    String request = "GET " + url(".csv", sql) + " HTTP/1.1\nHost: localhost\n\n";
    // A client that leaves while its statement is only parsed ends no worker.
    eventually(() -> {
      try (RawHttp connection = new RawHttp(port)) {
        connection.send(request);
        eventually(() -> assertThat(pools.runningCount()).isEqualTo(1));
        connection.reset();
      }
      eventually(() -> assertThat(pools.runningCount()).isZero());
      assertThat(pools.endedCount()).isGreaterThan(ended);
    });
  }

  @Test
  void failureAfterTheStartAbortsTheResponse() throws Exception {
    String sql =
        "SELECT CASE WHEN range = 3000000 THEN error('late') ELSE range END AS n"
            + " FROM range(4000000)";
    String answer =
        RawHttp.exchange(port, "GET " + url(".csv", sql) + " HTTP/1.1\nHost: localhost\n\n");
    assertThat(answer.startsWith("HTTP/1.1 200 ")).isTrue();
    assertThat(answer.contains("late")).isFalse();
    assertThat(answer.endsWith("\r\n0\r\n\r\n")).isFalse();
  }

  @Test
  void headChecksTheStatementWithoutRunningIt() throws Exception {
    HttpResponse<byte[]> found = head(url(".csv", ENDLESS));
    assertThat(found.statusCode()).isEqualTo(200);
    assertThat(header(found, "Content-Type")).startsWith("text/csv");
    assertThat(header(found, "ETag")).startsWith("W/\"");
    assertThat(head(url(".csv", "SELECT nmber FROM numbers")).statusCode()).isEqualTo(400);
    assertThat(head(url(".csv", "SELECT $1")).statusCode()).isEqualTo(400);
    assertThat(head(url(".csv", "SELECT $1") + "&p.1=1").statusCode()).isEqualTo(200);
  }

  @Test
  void unchangedResultIsNotComputedAgain() throws Exception {
    put("/datasets/tagged", Streams.numbers(0, 4));
    String sql = "SELECT sum(number) AS n FROM tagged";
    HttpResponse<byte[]> first = run(".csv", sql);
    String tag = header(first, "ETag");
    assertThat(tag).startsWith("W/\"");
    assertThat(header(first, "Cache-Control")).isEqualTo("no-cache");
    assertThat(run(".csv", sql, "If-None-Match", tag).statusCode()).isEqualTo(304);
    // Neither may this run, which would never end.
    String endless = "SELECT count(*) FROM range(1000000000000000000), tagged";
    String endlessTag = header(head(url(".csv", endless)), "ETag");
    HttpResponse<byte[]> unchanged = run(".csv", endless, "If-None-Match", endlessTag);
    assertThat(unchanged.statusCode()).isEqualTo(304);
    assertThat(header(unchanged, "ETag")).isEqualTo(endlessTag);
    for (HttpResponse<byte[]> other :
        List.of(
            run(".json", sql),
            get(url(".csv", sql) + "&explain=true"),
            get(url(".csv", sql) + "&max-value-bytes=1"),
            run(".csv", sql + " "))) {
      assertThat(header(other, "ETag")).startsWith("W/\"").isNotEqualTo(tag);
    }
    put("/datasets/tagged", Streams.numbers(0, 4));
    HttpResponse<byte[]> replaced = run(".csv", sql, "If-None-Match", tag);
    assertThat(replaced.statusCode()).isEqualTo(200);
    assertThat(header(replaced, "ETag")).isNotEqualTo(tag);
    assertThat(run(".csv", sql, "If-Match", header(replaced, "ETag")).statusCode()).isEqualTo(412);
  }

  @Test
  void parametersAreOfTheTag() throws Exception {
    String url = url(".csv", "SELECT $a AS a, $b AS b");
    String tag = header(get(url + "&p.a=1&p.b=2"), "ETag");
    assertThat(header(get(url + "&p.a=1&p.b=2"), "ETag")).isEqualTo(tag);
    assertThat(header(get(url + "&p.a=2&p.b=1"), "ETag")).isNotEqualTo(tag);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT now()",
        "SELECT current_date",
        "SELECT CURRENT_TIMESTAMP",
        "SELECT random()",
        "SELECT list_sum(list_transform([1], lambda x: x + random()))",
        "SELECT * FROM numbers USING SAMPLE 2",
        "SELECT * FROM numbers TABLESAMPLE 50%"
      })
  void resultThatChangesByItselfHasNoTag(String sql) throws Exception {
    HttpResponse<byte[]> response = run(".csv", sql, "If-None-Match", "*");
    assertThat(response.statusCode()).as(text(response)).isEqualTo(200);
    assertThat(header(response, "ETag")).isEmpty();
    assertThat(header(response, "Cache-Control")).isEqualTo("no-store");
  }

  @Test
  void otherSitesDoNotPostStatements() throws Exception {
    HttpResponse<byte[]> response = post("/sql.csv", "SELECT 1", "Sec-Fetch-Site", "cross-site");
    assertThat(response.statusCode()).isEqualTo(403);
    assertThat(json(response).get("type").asString()).isEqualTo("urn:quiver:problem:cross-site");
  }

  @Test
  void batchesThatStatementsReadAndSkipAreCounted() throws Exception {
    put("/datasets/counted_batches?batches=keep", Streams.numbers(0, 10, 10, 10));
    double read = metric("quiver_sql_batches_read_total");
    double skipped = metric("quiver_sql_batches_skipped_total");
    String sql = "SELECT number FROM counted_batches WHERE number = 15";
    assertThat(text(get("/sql.csv?q=" + sql.replace(" ", "+")))).isEqualTo("number\r\n15\r\n");
    assertThat(metric("quiver_sql_batches_read_total")).isEqualTo(read + 1);
    assertThat(metric("quiver_sql_batches_skipped_total")).isEqualTo(skipped + 2);
  }

  @Test
  void linkOfAnotherSiteShowsTheStatementAndDoesNotRunIt() throws Exception {
    double before = metric("quiver_sql_workers_started_total");
    String sql = "SELECT '<script>' FROM range(1000000000000000000)";
    for (String site : List.of("cross-site", "same-site")) {
      HttpResponse<byte[]> response =
          run(
              ".json",
              sql,
              "Sec-Fetch-Site",
              site,
              "Sec-Fetch-Mode",
              "navigate",
              "Sec-Fetch-Dest",
              "document");
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(header(response, "Content-Type")).startsWith("text/html");
      assertThat(header(response, "Content-Security-Policy")).contains("default-src 'none'");
      assertThat(text(response))
          .contains("SELECT &#39;&lt;script&gt;&#39; FROM range", "href=\"/sql.json?q=SELECT+")
          .doesNotContain("<script>");
    }
    assertThat(metric("quiver_sql_workers_started_total")).isEqualTo(before);
    HttpResponse<byte[]> own =
        run(".csv", "SELECT 1 AS n", "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate");
    assertThat(text(own)).isEqualToNormalizingNewlines("n\n1\n");
  }

  @Test
  void pageOfAnotherSiteRunsNoStatement() throws Exception {
    double before = metric("quiver_sql_workers_started_total");
    HttpResponse<byte[]> image =
        run(".json", "SELECT 1", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors");
    HttpResponse<byte[]> fetched = run(".json", "SELECT 2", "Origin", "https://evil.test");
    for (HttpResponse<byte[]> response : List.of(image, fetched)) {
      assertThat(response.statusCode()).isEqualTo(403);
      assertThat(json(response).get("type").asString()).isEqualTo("urn:quiver:problem:cross-site");
    }
    assertThat(metric("quiver_sql_workers_started_total")).isEqualTo(before);
  }

  @Test
  void statementsAreCountedByOutcome() throws Exception {
    String complete = "quiver_sql_statements_seconds_count{outcome=\"complete\"}";
    String invalid = "quiver_sql_statements_seconds_count{outcome=\"invalid\"}";
    double completeBefore = metric(complete);
    double invalidBefore = metric(invalid);
    run(".csv", "SELECT 1");
    run(".csv", "SELECT nothing");
    eventually(() -> assertThat(metric(complete)).isEqualTo(completeBefore + 1));
    eventually(() -> assertThat(metric(invalid)).isEqualTo(invalidBefore + 1));
    assertThat(metric("quiver_sql_workers_started_total")).isPositive();
    assertThat(metric("quiver_sql_running")).isZero();
    assertThat(metric("quiver_sql_waiting")).isZero();
    assertThat(metric("quiver_sql_spooled_bytes")).isZero();
  }

  @Test
  void resultWhoseClientLeavesIsCountedAsAborted() throws Exception {
    String aborted = "quiver_sql_statements_seconds_count{outcome=\"aborted\"}";
    double before = metric(aborted);
    String sql = "SELECT repeat('x', 1000) AS x FROM range(20000)";
    try (RawHttp connection = new RawHttp(port)) {
      connection.send("GET " + url(".csv", sql) + " HTTP/1.1\nHost: localhost\n\n");
      assertThat(connection.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200 ");
      connection.reset();
    }
    eventually(() -> assertThat(metric(aborted)).isEqualTo(before + 1));
  }
}
