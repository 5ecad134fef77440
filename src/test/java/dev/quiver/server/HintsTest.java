package dev.quiver.server;

import static dev.quiver.server.http.ProblemType.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.store.blob.StorageFullException;
import dev.quiver.store.blob.StoreUnavailableException;
import dev.quiver.store.catalog.WriterFullException;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

/// Every problem says what helps against it. `test_mistakes.py` does it.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestPropertySource(properties = "quiver.storage.path=${test.folder}/hints")
class HintsTest extends RunningService {

  private static final String STREAM = "application/vnd.apache.arrow.stream";
  private static final String ROOT = "root";
  private static final String READER = "reader";

  /// The types whose hints other tests expect, where their problems are made.
  private static final Map<ProblemType, String> ELSEWHERE =
      Map.ofEntries(
          Map.entry(INVALID_SQL, "the tests of statements and conditions"),
          Map.entry(SQL_NOT_ALLOWED, "the tests of statements and conditions"),
          Map.entry(UNKNOWN_DATASET, "the tests of statements and conditions"),
          Map.entry(UNSUPPORTED_TYPE, "the tests of statements and conditions"),
          Map.entry(INVALID_VALUE, "the tests of statements and conditions"),
          Map.entry(QUERY_MEMORY, "SqlTest"),
          Map.entry(QUERY_TIMEOUT, "SqlTest"),
          Map.entry(READ_ONLY, "ProtectionTest"),
          Map.entry(TIMEOUT, "ConnectionWatchTest"),
          Map.entry(TOO_MANY_REQUESTS, "PrincipalLimitsTest"),
          Map.entry(AUDIT_UNAVAILABLE, "AuditRefusalTest"),
          Map.entry(ISSUER_UNAVAILABLE, "IssuerOutageTest"),
          Map.entry(DAMAGED, "DamagedDataTest"),
          Map.entry(INVALID_VERSION, "TrustedProducersTest"));

  @Autowired private FailureProblems problems;

  @DynamicPropertySource
  static void configureTokens(DynamicPropertyRegistry registry) {
    NamedTokens.configure(registry, Map.of(ROOT, "admin", READER, "read:weather,read:sample"));
  }

  private static String[] as(String principal, String... headers) {
    List<String> all = new ArrayList<>(List.of(headers));
    all.addAll(List.of("Authorization", "Bearer " + NamedTokens.of(principal)));
    return all.toArray(String[]::new);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @BeforeAll
  void upload() throws Exception {
    for (String name : List.of("weather", "secretly", "twice")) {
      assertThat(put("/datasets/" + name, Streams.numbers(0, 3), as(ROOT)).statusCode())
          .isEqualTo(201);
    }
    assertThat(put("/datasets/twice", Streams.numbers(0, 3), as(ROOT)).statusCode()).isEqualTo(200);
    put("/datasets/gone", Streams.numbers(0, 3), as(ROOT));
    assertThat(delete("/datasets/gone", as(ROOT)).statusCode()).isEqualTo(204);
  }

  private static String hint(HttpResponse<byte[]> response) {
    assertThat(response.statusCode()).as(text(response)).isGreaterThanOrEqualTo(400);
    return json(response).path("hint").asString("");
  }

  private static String hint(Problem problem) {
    return String.valueOf(problem.members().get("hint"));
  }

  private String raw(String head) throws IOException {
    String response =
        RawHttp.exchange(
            port,
            head + "\nAuthorization: Bearer " + NamedTokens.of(ROOT) + "\nConnection: close\n\n");
    return JSON.readTree(response.substring(response.indexOf("\r\n\r\n") + 4))
        .path("hint")
        .asString("");
  }

  private String hint(Exception failure) {
    return hint(java.util.Objects.requireNonNull(problems.find(failure)));
  }

  @Test
  void everyTypeSaysWhatHelps() throws Exception {
    Map<ProblemType, String> hints = new EnumMap<>(ProblemType.class);
    byte[] stream = Streams.numbers(0, 3);
    byte[] cut = Arrays.copyOf(stream, stream.length - 12);
    byte[] broken = stream.clone();
    Arrays.fill(broken, 8, 60, (byte) 0x7f);
    String[] arrow = as(ROOT, "Content-Type", STREAM);
    hints.put(BAD_REQUEST, hint(get("/datasets?limt=1", as(ROOT))));
    hints.put(MALFORMED, hint(put("/datasets/new", broken, arrow)));
    hints.put(TRUNCATED, hint(put("/datasets/new", cut, arrow)));
    hints.put(
        END_OF_STREAM,
        hint(
            send(
                "PUT",
                "/datasets/new",
                BodyPublishers.ofInputStream(
                    () -> new ByteArrayInputStream(Arrays.copyOf(stream, stream.length - 8))),
                arrow)));
    hints.put(
        DIGEST_MISMATCH,
        hint(put("/datasets/new", stream, as(ROOT, "Content-Digest", "sha-256=:AAAA:"))));
    hints.put(UNAUTHORIZED, hint(get("/datasets/weather")));
    hints.put(FORBIDDEN, hint(put("/datasets/weather", stream, as(READER))));
    hints.put(CROSS_SITE, hint(get("/datasets", as(ROOT, "Sec-Fetch-Site", "cross-site"))));
    hints.put(NOT_FOUND, hint(get("/datasets/wether.csv", as(ROOT))));
    hints.put(METHOD_NOT_ALLOWED, hint(put("/datasets", stream, as(ROOT))));
    hints.put(NOT_ACCEPTABLE, hint(get("/datasets/weather", as(ROOT, "Accept", "image/png"))));
    hints.put(CONFLICT, hint(form("weather")));
    hints.put(REPLACED, hint(get("/datasets/twice.csv?since=1", as(ROOT))));
    hints.put(SCHEMA_MISMATCH, hint(post("/datasets/weather.csv", bytes("other\n1\n"), as(ROOT))));
    hints.put(GONE, hint(get("/datasets/gone.csv", as(ROOT))));
    hints.put(
        EXPIRED,
        hint(
            DatasetGoneException.ended(
                new DatasetReference(new DatasetName("old"), 1L), Instant.EPOCH)));
    hints.put(
        PRECONDITION_FAILED, hint(put("/datasets/weather", stream, as(ROOT, "If-Match", "\"x\""))));
    hints.put(
        TOO_LARGE,
        hint(
            new Limit("quiver.limits.request-bytes", 1)
                .exceeded("bytes in a request", InputLocation.UNKNOWN)));
    hints.put(
        UNSUPPORTED_MEDIA_TYPE,
        hint(put("/datasets/new", stream, as(ROOT, "Content-Type", "image/png"))));
    hints.put(
        RANGE_NOT_SATISFIABLE,
        hint(get("/datasets/weather.arrow", as(ROOT, "Range", "bytes=999999-"))));
    hints.put(EXPECTATION_FAILED, raw("GET /datasets HTTP/1.1\nHost: localhost\nExpect: magic"));
    hints.put(MISDIRECTED, raw("GET /datasets HTTP/1.1\nHost: rebound.example"));
    hints.put(
        UNSUPPORTED,
        hint(new UnsupportedInputException("little-endian", "big", InputLocation.UNKNOWN)));
    hints.put(INVALID_FILE, hint(put("/datasets/new.csv", bytes("a,b\n1,2\n3\n"), as(ROOT))));
    hints.put(INTERNAL, hint(problems.of(new StackOverflowError(), "an-id")));
    hints.put(
        NOT_IMPLEMENTED, raw("GET /datasets HTTP/1.1\nHost: localhost\nTransfer-Encoding: rot13"));
    hints.put(OVERLOADED, hint(new OverloadedException("too much")));
    hints.put(STORE_UNAVAILABLE, hint(new StoreUnavailableException("lost")));
    hints.put(WORKER_UNAVAILABLE, hint(new SqlException.WorkerUnavailable("none")));
    hints.put(HTTP_VERSION, raw("GET /datasets HTTP/7.3\nHost: localhost"));
    hints.put(
        QUOTA_EXCEEDED,
        hint(new WriterFullException(new Limit("quiver.auth.limits.stored-bytes", 1), 2)));
    hints.put(STORAGE_FULL, hint(new StorageFullException(new IOException("full"))));
    hints.forEach((type, hint) ->
        assertThat(hint).as(type.name()).matches("[A-Z/].{10,}\\.").doesNotContain(". "));
    Set<ProblemType> all = new TreeSet<>(hints.keySet());
    all.addAll(ELSEWHERE.keySet());
    assertThat(all).containsExactly(ProblemType.values());
  }

  private HttpResponse<byte[]> form(String name) throws Exception {
    String body =
        "--b\r\nContent-Disposition: form-data; name=\"metadata\"\r\n\r\n{\"name\": \"%s\"}\r\n"
                .formatted(name)
            + "--b\r\nContent-Disposition: form-data; name=\"data\"; filename=\"x.csv\"\r\n\r\n"
            + "x\n1\n\r\n--b--\r\n";
    return post(
        "/datasets", bytes(body), as(ROOT, "Content-Type", "multipart/form-data; boundary=b"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/dataset/weather.csv | Use /datasets/weather.csv.",
        "/weather | Use /datasets/weather.",
        "/weather.csv | Use /datasets/weather.csv.",
        "/upload | Send data by PUT /datasets/NAME.csv, with the suffix of its format.",
        "/query | Send the statement to /sql, as the body or as q=.",
        "/job | Use /jobs.",
        "/no/such/resource | /openapi has all paths.",
        "/datasets/Weather | Use /datasets/weather.",
        "/datasets/wether@2.parquet | Use /datasets/weather@2.parquet.",
        "/datasets/wether@2/schema | Use /datasets/weather@2/schema.",
        "/datasets/wether/scheme | Use /datasets/wether/schema.",
        "/datasets/stored-elsewhere@3/scheme | Use /datasets/stored-elsewhere@3/schema.",
        "/datasets/weather@1/scheme | Use /datasets/weather@1/schema.",
        "/datasets/wether/schema | Use /datasets/weather/schema.",
        "/datasets/weather/scheme | Use /datasets/weather/schema.",
        "/datasets/weather/csv | Use /datasets/weather.csv.",
        "/datasets/weather/event | Use /datasets/weather/events.",
        "/metric | Use /metrics.",
        "/openapi.yml | Use /openapi.yaml.",
        "/datasets/weather@9 | The latest version is 1: ask for /datasets/weather@1.",
        "/datasets/weather@9.csv | The latest version is 1: ask for /datasets/weather@1.csv.",
        "/datasets/weather@9/schema | The latest version is 1: ask for /datasets/weather@1/schema.",
        "/datasets/weather.csv?since=9 | The latest version is 1: write since=1.",
        "/datasets/nothing-like-it | /datasets lists the datasets.",
        "/datasets/weather/batches/7 | /datasets/weather@1/batches lists the batches.",
        "/jobs/none | /jobs lists your jobs, each for a day after its end.",
        "/assets/none/page.css | Reload the page, which is of another release.",
        "/datasets/weather@1/events | Leave out @1.",
      })
  void misspeltPathsLeadToResources(String path, String expected) throws Exception {
    assertThat(hint(get(path, as(ROOT)))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/datasets/weather.csv?format=json | The suffix of the path chooses the format: ask for /datasets/weather.json.",
        "/datasets/weather?format=excel | The suffix of the path chooses the format: ask for /datasets/weather.xlsx.",
        "/datasets/weather.csv?format=XLS | The suffix of the path chooses the format: ask for /datasets/weather.xlsx.",
        "/datasets/weather?format=avro | The suffix of the path chooses the format: ask for /datasets/weather.csv.",
        "/datasets/weather.csv?filter=x | Write where= in place of filter=.",
        "/datasets/weather.csv?columns=nunber | Write number in place of nunber.",
        "/datasets/weather.arrow?codec=zst | Write codec=zstd.",
        "/datasets/weather.csv?codec=zstd | Leave out codec, or ask for Arrow data.",
        "/datasets/weather.csv?limit=1&limit=2 | Give limit once.",
        "/datasets?format=csv | The suffix of the path chooses the format: ask for /datasets.csv.",
        "/datasets/weather/batches/0?format=csv | Leave out the parameter.",
        "/datasets?zzzzzz=1 | Leave out the parameter.",
        "/datasets/weather.csv?where=a%zz | Percent-encode the query, as curl -G --data-urlencode 'where=a > b' URL does.",
      })
  void wrongParametersLeadToOthers(String path, String expected) throws Exception {
    String response =
        RawHttp.exchange(
            port,
            "GET %s HTTP/1.1\nHost: localhost\nAuthorization: Bearer %s\nConnection: close\n\n"
                .formatted(path, NamedTokens.of(ROOT)));
    assertThat(response).startsWith("HTTP/1.1 400 ").contains("\"hint\":\"" + expected + "\"");
  }

  @Test
  void formatOfAConversionIsStatedByAHeader() throws Exception {
    byte[] body = bytes("a,b\n1,2\n");
    assertThat(hint(post("/convert?format=json", body, as(ROOT))))
        .isEqualTo("State the format of the result by the header Accept, as in Accept: text/csv.");
    String[] stated = as(ROOT, "Content-Type", "text/csv", "Accept", "application/json");
    assertThat(text(post("/convert", body, stated)))
        .isEqualToIgnoringWhitespace("[{\"a\":1,\"b\":2}]");
  }

  /// Each client does what its hint says, and succeeds.
  @Test
  void conditionsThatDoNotHoldLeadToThoseThatDo() throws Exception {
    byte[] rows = bytes("a,b\n1,2\n");
    String url = "/datasets/conditional.csv";
    assertThat(hint(put(url, rows, as(ROOT, "If-Match", "*"))))
        .isEqualTo("Leave out the condition to create the dataset.");
    assertThat(put(url, rows, as(ROOT)).statusCode()).isEqualTo(201);
    assertThat(hint(put(url, rows, as(ROOT, "If-None-Match", "*"))))
        .isEqualTo(
            "Leave out If-None-Match to write to the dataset that exists, or choose another name.");
    assertThat(put(url, rows, as(ROOT)).statusCode()).isEqualTo(200);
    assertThat(hint(put(url, rows, as(ROOT, "If-Match", "\"x\""))))
        .isEqualTo(
            "Ask for the current ETag by HEAD /datasets/conditional, and send it as If-Match.");
    String tag = header(head("/datasets/conditional", as(ROOT)), "ETag");
    assertThat(put(url, rows, as(ROOT, "If-Match", tag)).statusCode()).isEqualTo(200);
  }

  /// To delete all rows is not to delete the dataset.
  @Test
  void emptiedDatasetsKeepTheirVersions() throws Exception {
    put("/datasets/emptied.csv", bytes("a,b\n1,2\n"), as(ROOT));
    String hint = hint(post("/sql", bytes("DELETE FROM emptied"), as(ROOT)));
    assertThat(hint)
        .isEqualTo(
            "A PUT of SELECT * FROM emptied LIMIT 0, as Content-Type: application/sql, to"
                + " /datasets/emptied empties it, and a DELETE removes it with all its versions.");
    byte[] select = bytes("SELECT * FROM emptied LIMIT 0");
    HttpResponse<byte[]> stored =
        put("/datasets/emptied", select, as(ROOT, "Content-Type", "application/sql"));
    assertThat(stored.statusCode()).as(text(stored)).isEqualTo(200);
    assertThat(text(get("/datasets/emptied.csv", as(ROOT)))).isEqualToIgnoringNewLines("a,b");
    assertThat(get("/datasets/emptied@1.csv", as(ROOT)).statusCode()).isEqualTo(200);
    assertThat(delete("/datasets/emptied", as(ROOT)).statusCode()).isEqualTo(204);
    assertThat(get("/datasets/emptied@1.csv", as(ROOT)).statusCode()).isEqualTo(410);
  }

  @Test
  void suffixesOfOtherFormatsLeadToThoseThatExist() throws Exception {
    for (String suffix : List.of(".html", ".geojson", ".avro")) {
      assertThat(hint(get("/datasets/weather" + suffix, as(ROOT))))
          .startsWith("Use /datasets/weather with the suffix of a format: .arrow, ")
          .contains(".csv", ".parquet");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PUT | / | Send the data by PUT /datasets/NAME, or by POST /datasets.",
        "PATCH | /datasets/weather | PUT replaces the rows, and POST appends to them.",
        "PUT | /datasets/weather@1 | A version never changes: write to /datasets/weather, which adds one.",
        "DELETE | /datasets/weather@1 | A version never changes: write to /datasets/weather, which adds one.",
        "DELETE | /inspect | Send GET or POST instead.",
        "PUT | /upload | Send data by PUT /datasets/NAME.csv, with the suffix of its format.",
        "PUT | /dataset/weather.csv | Use /datasets/weather.csv.",
        "POST | /datasets/weather/verfy | Use /datasets/weather/verify.",
        "PUT | /datasets/a b | Choose another name, such as a-b.",
      })
  void wrongMethodsLeadToOthers(String method, String path, String expected) throws Exception {
    HttpResponse<byte[]> response =
        send(method, path.replace(" ", "%20"), BodyPublishers.noBody(), as(ROOT));
    assertThat(hint(response)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "token-of-root | Write Bearer and a space before the token",
        "Basic token-of-root | Write Bearer and a space before the token",
        "Token token-of-root | Write Bearer and a space before the token",
        "Bearer another | The token is unknown or has expired",
        "Basic dXNlcjphbm90aGVy | The token is unknown or has expired",
      })
  void wrongCredentialsLeadToRightOnes(String credentials, String expected) throws Exception {
    HttpResponse<byte[]> response = get("/datasets/weather", "Authorization", credentials);
    assertThat(response.statusCode()).isEqualTo(401);
    assertThat(hint(response)).startsWith(expected).doesNotContain("root", "another");
  }

  @Test
  void cutLinksSayThatLinksAreWrong() throws Exception {
    HttpResponse<byte[]> made =
        post("/datasets/weather/links", new byte[0], as(ROOT, "Content-Type", "text/plain"));
    String url = json(made).get("url").asString();
    String path = url.substring(url.indexOf("/datasets"));
    assertThat(get(path).statusCode()).isEqualTo(200);
    String cut = path.substring(0, path.length() - 5);
    for (String one :
        List.of(cut, path.replace("weather", "secretly"), path.replace("weather", "nothing"))) {
      assertThat(hint(get(one))).startsWith("The parameter link is incomplete");
      assertThat(get(one).statusCode()).isEqualTo(401);
    }
    HttpResponse<byte[]> ofReader = get(cut.replace("weather", "secretly"), as(READER));
    assertThat(ofReader.statusCode()).isEqualTo(404);
    assertThat(hint(ofReader)).startsWith("The parameter link is incomplete");
  }

  /// People type conditions as they are. The characters are those of RFC 3986 §2 and others.
  @Test
  void conditionsNeedNoEncoding() throws Exception {
    for (String where :
        List.of(
            "number>0",
            "number<9",
            "number>=0",
            "\"number\">0",
            "[number,1][1]>0",
            "{'a':number}['a']>0",
            "(number|0)>0",
            "abs(number)^1>0")) {
      String response =
          RawHttp.exchange(
              port,
              "GET /datasets/weather.csv?where=%s HTTP/1.1\nHost: localhost\nAuthorization: Bearer %s\nConnection: close\n\n"
                  .formatted(where, NamedTokens.of(ROOT)));
      assertThat(response).as(where).doesNotContain("RFC 9112", "problem:bad-request");
      assertThat(response).doesNotContain("?where=" + where);
    }
    assertThat(raw("GET /datasets/weather.csv?where=number > 0 HTTP/1.1\nHost: localhost"))
        .startsWith("Percent-encode the query");
    assertThat(raw("GET /datasets/weather.csv?where=n='\u00e9' HTTP/1.1\nHost: localhost"))
        .startsWith("Percent-encode the query");
  }

  @Test
  void textWithoutSuffixLeadsToTheSuffix() throws Exception {
    byte[] text = bytes("only words\n");
    assertThat(hint(put("/datasets/rain", text, as(ROOT))))
        .startsWith("Send it to /datasets/rain.csv, or with the header Content-Type: text/csv");
    assertThat(hint(post("/convert", text, as(ROOT)))).contains("Content-Type: text/csv");
    assertThat(hint(put("/datasets/rain", bytes("<html>"), as(ROOT))))
        .startsWith("Check where the data comes from");
    assertThat(hint(put("/datasets/rain", text, as(ROOT, "Content-Type", "text/plain"))))
        .isEqualTo("Send it to /datasets/rain.csv, or with the header Content-Type: text/csv.");
  }

  /// No link can be made by GET, and no schema be sent by POST.
  @Test
  void resourcesInHintsHaveTheMethodOfTheRequest() throws Exception {
    assertThat(hint(get("/datasets/weather/lnks", as(ROOT))))
        .isEqualTo(
            "A dataset has batches, blobs, events, layout, partitions, schema, statistics, summary,"
                + " versions, and its rows by suffix: .arrow, .arrows, .json, .jsonl, .csv, .tsv,"
                + " .xlsx, .parquet, .txt.");
    assertThat(hint(post("/datasets/weather/scheme", new byte[0], as(ROOT))))
        .startsWith("A dataset has compact, links, verify, and its rows");
  }

  /// Each client does what its hint says, and succeeds.
  @Test
  void timesOfAnotherZoneLeadToTimesAsTheColumnHasThem() throws Exception {
    byte[] plain = bytes("t\n2024-01-01 12:00:00\n");
    byte[] zoned = bytes("t\n2024-01-01T12:00:00Z\n");
    put("/datasets/plain-times.csv", plain, as(ROOT));
    put("/datasets/zoned-times.csv", zoned, as(ROOT));
    assertThat(hint(post("/datasets/plain-times.csv", zoned, as(ROOT))))
        .startsWith("Write times without Z or another offset from UTC, as the column has them;");
    assertThat(post("/datasets/plain-times.csv", plain, as(ROOT)).statusCode()).isEqualTo(200);
    assertThat(hint(post("/datasets/zoned-times.csv", plain, as(ROOT))))
        .startsWith("Write times with their offset from UTC, such as Z, as the column has them;");
    assertThat(post("/datasets/zoned-times.csv", zoned, as(ROOT)).statusCode()).isEqualTo(200);
    String url = "/datasets/stated-times.csv?csv.types=t:";
    assertThat(hint(put(url + "timestamp", zoned, as(ROOT))))
        .startsWith("The parameter csv.types=t:timestamptz reads times with an offset from UTC,");
    assertThat(put(url + "timestamptz", zoned, as(ROOT)).statusCode()).isEqualTo(201);
    assertThat(hint(put(url + "timestamptz", plain, as(ROOT))))
        .startsWith("The parameter csv.types=t:timestamp reads times without an offset from UTC,");
    assertThat(put(url + "timestamp", plain, as(ROOT)).statusCode()).isEqualTo(200);
    byte[] dayFirst = bytes("t\n01/02/2024\n");
    assertThat(hint(post("/datasets/plain-times.csv", dayFirst, as(ROOT))))
        .startsWith("The parameter csv.dates=day-first or csv.dates=month-first reads dates");
    assertThat(
            post("/datasets/plain-times.csv?csv.dates=day-first", dayFirst, as(ROOT)).statusCode())
        .isEqualTo(200);
  }

  @Test
  void lostLineEndsAreWarnedOf() throws Exception {
    String[] curl = as(ROOT, "Content-Type", "application/x-www-form-urlencoded");
    HttpResponse<byte[]> stored = put("/datasets/lines.csv", bytes("a,b1,23,4"), curl);
    assertThat(text(stored)).contains("--data-binary keeps them");
    assertThat(text(put("/datasets/lines.csv", bytes("a,b\n1,2\n"), curl)))
        .doesNotContain("--data-binary");
  }
}
