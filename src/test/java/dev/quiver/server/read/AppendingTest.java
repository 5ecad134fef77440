package dev.quiver.server.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.server.RawHttp;
import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Appends over HTTP: responses, conditions and rejected data. How versions share their bytes is
/// tested in `store`.
class AppendingTest extends RunningService {

  private static final int WRITERS = 8;

  private static String problem(HttpResponse<byte[]> response) {
    assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
    return json(response).get("type").asString().replace("urn:quiver:problem:", "");
  }

  private List<Integer> numbers(String name) throws Exception {
    return text(get("/datasets/" + name + ".csv")).lines().skip(1).map(Integer::valueOf).toList();
  }

  private void assertNumbers(String name, int count) throws Exception {
    assertThat(numbers(name)).isEqualTo(IntStream.range(0, count).boxed().toList());
  }

  @Test
  void firstPostCreatesADatasetAndTheNextAppends() throws Exception {
    HttpResponse<byte[]> created = post("/datasets/append?verbose=true", Streams.numbers(0, 3));
    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(header(created, "Location")).isEqualTo("/datasets/append");
    assertThat(json(created).get("version").intValue()).isEqualTo(1);
    assertThat(json(created).get("kind").asString()).isEqualTo("upload");

    HttpResponse<byte[]> appended = post("/datasets/append?verbose=true", Streams.numbers(3, 4));
    assertThat(appended.statusCode()).isEqualTo(200);
    assertThat(header(appended, "Location")).isEqualTo("/datasets/append");
    assertThat(header(appended, "ETag")).isEmpty();
    JsonNode document = json(appended);
    assertThat(document.get("name").asString()).isEqualTo("append");
    assertThat(document.get("version").intValue()).isEqualTo(2);
    assertThat(document.get("kind").asString()).isEqualTo("append");
    assertThat(document.get("rows").intValue()).isEqualTo(7);
    assertThat(document.get("batches").intValue()).isEqualTo(2);
    assertThat(document.get("warnings").size()).isZero();
    assertThat(document.get("etag").asString())
        .isEqualTo(header(get("/datasets/append.arrow"), "ETag"));
    assertNumbers("append", 7);
    assertNumbers("append@1", 3);
  }

  @Test
  void versionListDistinguishesUploadsAndAppends() throws Exception {
    put("/datasets/kinds", Streams.numbers(0, 1));
    post("/datasets/kinds", Streams.numbers(1, 1));
    assertThat(json("/datasets/kinds/versions").get("versions").values())
        .extracting(version -> version.get("kind").asString())
        .containsExactly("append", "upload");
  }

  @ParameterizedTest
  @ValueSource(strings = {".arrow", ".arrows"})
  void suffixIsNotPartOfTheDatasetName(String suffix) throws Exception {
    String name = "append-suffix" + suffix.length();
    for (int i = 0; i < 2; i++) {
      post("/datasets/" + name + suffix, Streams.numbers(i, 1));
    }
    assertNumbers(name, 2);
  }

  @Test
  void appendAcceptsTheParametersOfAnUpload() throws Exception {
    put("/datasets/append-as", Streams.numbers(0, 3));
    post("/datasets/append-as?batches=keep&codec=zstd", Streams.numbers(3, 3, 4));
    JsonNode batches = json("/datasets/append-as/batches").get("batches");
    assertThat(batches.values())
        .extracting(batch -> batch.get("rows").intValue() + batch.get("codec").asString(" plain"))
        .containsExactly("3 plain", "3zstd", "4zstd");
    HttpResponse<byte[]> rejected = post("/datasets/append-as?codec=gzip", Streams.numbers(0, 1));
    assertThat(rejected.statusCode()).isEqualTo(400);
  }

  @Test
  void appendRecreatesADeletedDataset() throws Exception {
    put("/datasets/append-deleted", Streams.numbers(5, 1));
    delete("/datasets/append-deleted");
    assertThat(post("/datasets/append-deleted", Streams.numbers(0, 1)).statusCode()).isEqualTo(201);
    assertNumbers("append-deleted", 1);
  }

  @Test
  void ifMatchAppendsOnlyToTheGivenVersion() throws Exception {
    byte[] one = Streams.numbers(0, 1);
    assertThat(post("/datasets/append-match", one, "If-Match", "*").statusCode()).isEqualTo(412);
    String first = json(post("/datasets/append-match", one)).get("etag").asString();
    byte[] two = Streams.numbers(1, 1);
    assertThat(post("/datasets/append-match", two, "If-Match", "\"other\"").statusCode())
        .isEqualTo(412);
    assertThat(post("/datasets/append-match", two, "If-Match", first).statusCode()).isEqualTo(200);
    HttpResponse<byte[]> late = post("/datasets/append-match", two, "If-Match", first);
    assertThat(late.statusCode()).isEqualTo(412);
    assertThat(problem(late)).isEqualTo("precondition-failed");
    byte[] three = Streams.numbers(2, 1);
    assertThat(post("/datasets/append-match", three, "If-Match", "*").statusCode()).isEqualTo(200);
    assertNumbers("append-match", 3);
  }

  @Test
  void appendsHonorIfNoneMatchAndIfUnmodifiedSince() throws Exception {
    byte[] one = Streams.numbers(0, 1);
    assertThat(post("/datasets/append-other", one, "If-None-Match", "*").statusCode())
        .isEqualTo(201);
    assertThat(post("/datasets/append-other", one, "If-None-Match", "*").statusCode())
        .isEqualTo(412);
    String past = "Sun, 06 Nov 1994 08:49:37 GMT";
    assertThat(post("/datasets/append-other", one, "If-Unmodified-Since", past).statusCode())
        .isEqualTo(412);
    String modified = header(get("/datasets/append-other"), "Last-Modified");
    byte[] two = Streams.numbers(1, 1);
    assertThat(post("/datasets/append-other", two, "If-Unmodified-Since", modified).statusCode())
        .isEqualTo(200);
    assertNumbers("append-other", 2);
  }

  @Test
  void failedConditionIsReportedBeforeTheBodyIsRequested() throws Exception {
    put("/datasets/append-expect", Streams.numbers(0, 1));
    String response =
        RawHttp.exchange(
            port,
            """
            POST /datasets/append-expect HTTP/1.1
            Host: localhost
            If-Match: "other"
            Content-Length: 1000000
            Expect: 100-continue

            """);
    assertThat(response).startsWith("HTTP/1.1 412 ").contains("\r\nConnection: close\r\n");
  }

  @Test
  void rejectsADifferentSchemaAndReportsEachDifference() throws Exception {
    put("/datasets/append-schema", Streams.numbers(0, 1));
    byte[] other =
        Streams.empty(
            Field.of("number", true, new ArrowType.Int(64, true)),
            Field.of("text", true, new ArrowType.Utf8()));
    HttpResponse<byte[]> rejected = post("/datasets/append-schema?types=exact", other);
    assertThat(rejected.statusCode()).isEqualTo(409);
    assertThat(problem(rejected)).isEqualTo("schema-mismatch");
    JsonNode document = json(rejected);
    assertThat(document.get("detail").asString())
        .isEqualTo(
            "Expected not nullable but found nullable at field number, the first of 3 differences"
                + " from the schema of append-schema");
    assertThat(document.get("hint").asString())
        .isEqualTo("The parameter columns=extend adds the columns that the dataset lacks.");
    assertThat(document.get("differenceCount").intValue()).isEqualTo(3);
    assertThat(document.get("differences").values())
        .extracting(JsonNode::toString)
        .containsExactly(
            "{\"field\":\"number\",\"aspect\":\"nullability\",\"expected\":\"not nullable\","
                + "\"found\":\"nullable\"}",
            "{\"field\":\"number\",\"aspect\":\"type\",\"expected\":\"int32\","
                + "\"found\":\"int64\"}",
            "{\"field\":\"text\",\"aspect\":\"extra\",\"expected\":\"no field\","
                + "\"found\":\"utf8\"}");
    assertThat(json("/datasets/append-schema/versions").get("versions").size()).isEqualTo(1);
  }

  @Test
  void convertsColumnsThatLoseNothing() throws Exception {
    Field city = Field.of("city", true, new ArrowType.LargeUtf8());
    Field day = Field.of("day", true, new ArrowType.Date(DateUnit.DAY));
    Field size = Field.of("size", true, new ArrowType.Int(64, true));
    post(
        "/datasets/append-cast",
        Streams.of(Schema.of(city, day, size), List.of("Bern"), List.of(1L), List.of(5L)));
    Field midnight =
        Field.of("day", true, new ArrowType.Timestamp(TimeUnit.NANOSECOND, /* timezone= */ null));
    Field view = Field.of("city", true, new ArrowType.Utf8View());
    HttpResponse<byte[]> appended =
        post(
            "/datasets/append-cast",
            Streams.of(
                Schema.of(midnight, view), List.of(86_400_000_000_000L * 2), List.of("Oslo")));
    assertThat(appended.statusCode()).isEqualTo(200);
    assertThat(json(appended).get("converted").toString())
        .isEqualTo(
            "[{\"column\":\"city\",\"from\":\"utf8_view\",\"to\":\"large_utf8\"},"
                + "{\"column\":\"day\",\"from\":\"timestamp[ns]\",\"to\":\"date32[day]\"},"
                + "{\"column\":\"size\",\"from\":null,\"to\":\"int64\"}]");
    assertThat(text(get("/datasets/append-cast.csv")))
        .isEqualToNormalizingNewlines("city,day,size\nBern,1970-01-02,5\nOslo,1970-01-03,\n");
    HttpResponse<byte[]> same =
        post(
            "/datasets/append-cast",
            Streams.of(Schema.of(size, city, day), List.of(6L), List.of("Rome"), List.of(3L)));
    assertThat(same.statusCode()).isEqualTo(200);
    assertThat(json(same).has("converted")).isFalse();
  }

  private static Field encoded(ArrowType values) {
    return Field.of("c", true, values)
        .withDictionary(
            new DictionaryEncoding(0, new ArrowType.Int(8, true), /* ordered= */ false));
  }

  /// Dictionaries of both have the same number, and other values.
  @Test
  void convertsDictionariesWithinColumns() throws Exception {
    for (ArrowType parent : List.of(new ArrowType.Struct(), new ArrowType.List())) {
      String path = "/datasets/append-" + parent.getClass().getSimpleName();
      Field stored = Field.of("s", true, parent, encoded(new ArrowType.Utf8()));
      Field sent = Field.of("s", true, parent, encoded(new ArrowType.LargeUtf8()));
      post(
          path,
          Streams.of(Schema.of(stored), Map.of(0L, List.of("a", "b")), List.of(List.of("a"))));
      HttpResponse<byte[]> appended =
          post(
              path,
              Streams.of(Schema.of(sent), Map.of(0L, List.of("x", "y")), List.of(List.of("x"))));
      assertThat(appended.statusCode()).as(text(appended)).isEqualTo(200);
      assertThat(text(get(path + ".csv")).lines().skip(1).toList()).hasSize(2);
      assertThat(text(get(path + ".csv"))).contains("a").contains("x").doesNotContain("y");
    }
  }

  @Test
  void convertsMoreValuesThanTheIndicesOfADictionaryHold() throws Exception {
    Schema stored = Schema.of(encoded(new ArrowType.Utf8()));
    post("/datasets/append-wide", Streams.of(stored, Map.of(0L, List.of("a")), List.of("a")));
    List<String> texts = IntStream.range(0, 300).mapToObj(i -> "text " + i).toList();
    HttpResponse<byte[]> appended =
        post(
            "/datasets/append-wide",
            Streams.of(Schema.of(Field.of("c", true, new ArrowType.Utf8())), texts));
    assertThat(appended.statusCode()).as(text(appended)).isEqualTo(200);
    assertThat(text(get("/datasets/append-wide.csv")).lines().skip(2))
        .containsExactlyElementsOf(texts);
  }

  /// A dictionary has the text of all rows once.
  @Tag("long")
  @Test
  void splitsRowsWhoseTextIsTooLargeForOneArray() throws Exception {
    String path = "/datasets/append-large-text";
    put(path, Streams.of(Schema.of(Field.of("c", true, new ArrowType.Utf8())), List.of("a")));
    String value = "x".repeat(8 << 20);
    List<String> values = Collections.nCopies(300, value);
    byte[] body =
        Streams.of(Schema.of(encoded(new ArrowType.Utf8())), Map.of(0L, List.of(value)), values);
    HttpResponse<byte[]> appended = post(path + "?batches=keep", body);
    assertThat(appended.statusCode()).as(text(appended)).isEqualTo(200);
    assertThat(json(path + "/batches").get("batches").values())
        .extracting(batch -> batch.get("rows").intValue())
        .containsExactly(1, 150, 150);
    assertThat(text(get(path + ".csv?offset=-1"))).hasSize("c\r\n".length() + value.length() + 2);
    delete(path);
  }

  /// A few bytes state billions of nulls.
  @Test
  void convertedRowsMayNotBeMuchLargerThanTheUpload() throws Exception {
    Field[] columns = new Field[50];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = Field.of("c" + i, true, new ArrowType.Int(64, true));
    }
    post("/datasets/append-nulls", Streams.empty(columns));
    HttpResponse<byte[]> rejected =
        post("/datasets/append-nulls", Streams.nulls("c0", Integer.MAX_VALUE));
    assertThat(rejected.statusCode()).as(text(rejected)).isEqualTo(413);
    assertThat(text(rejected)).contains("decompression-ratio");
  }

  /// The versions of so many batches are built one at a time, also those of a conversion.
  @Test
  void convertsManyBatches() throws Exception {
    Field number = Field.of("number", true, new ArrowType.Int(64, true));
    post("/datasets/append-batches", Streams.of(Schema.of(number), List.of(-1L)));
    int[] batches = new int[10_000];
    Arrays.fill(batches, 1);
    HttpResponse<byte[]> appended =
        post("/datasets/append-batches?batches=keep", Streams.numbers(0, batches));
    assertThat(appended.statusCode()).as(text(appended)).isEqualTo(200);
    assertThat(json(appended).get("rows").longValue()).isEqualTo(10_001);
  }

  @Test
  void repeatedNameThatIsMissingOnceIsADifference() throws Exception {
    Field x = Field.of("x", true, new ArrowType.Int(32, true));
    post("/datasets/append-twice", Streams.of(Schema.of(x, x), List.of(1L), List.of(2L)));
    HttpResponse<byte[]> rejected =
        post("/datasets/append-twice", Streams.of(Schema.of(x), List.of(3L)));
    assertThat(rejected.statusCode()).isEqualTo(409);
    assertThat(json(rejected).at("/differences/0/aspect").asString()).isEqualTo("missing");
  }

  @Test
  void appendThatLosesAValueNamesIt() throws Exception {
    Field small = Field.of("n", true, new ArrowType.Int(32, true));
    Field large = Field.of("n", true, new ArrowType.Int(64, true));
    post("/datasets/append-loss", Streams.of(Schema.of(small), List.of(1L)));
    HttpResponse<byte[]> rejected =
        post("/datasets/append-loss", Streams.of(Schema.of(large), List.of(2L, 5_000_000_000L)));
    assertThat(rejected.statusCode()).isEqualTo(409);
    assertThat(json(rejected).get("differences").toString())
        .isEqualTo(
            "[{\"field\":\"n\",\"aspect\":\"value\",\"expected\":\"a value of int32\","
                + "\"found\":\"5000000000 in row 2\"}]");
    String other = "Append columns and values that fit those of the dataset, or replace it by PUT.";
    assertThat(json(rejected).get("hint").asString()).isEqualTo(other);
    String exact = "/datasets/append-loss?types=exact";
    assertHint(
        "Without the parameter types=exact, the append is converted to the types of the dataset.",
        post(exact, Streams.of(Schema.of(large), List.of(2L))));
    // The hint is not given if the conversion would fail.
    assertHint(other, post(exact, Streams.of(Schema.of(large), List.of(2L, 5_000_000_000L))));
    Field text = Field.of("n", true, new ArrowType.Utf8());
    assertHint(other, post(exact, Streams.of(Schema.of(text), List.of("2"))));
    assertThat(post("/datasets/append-loss?types=loose", new byte[0]).statusCode()).isEqualTo(400);
    assertThat(json("/datasets/append-loss/versions").get("versions").size()).isEqualTo(1);
  }

  private static void assertHint(String expected, HttpResponse<byte[]> response) {
    assertThat(response.statusCode()).isEqualTo(409);
    assertThat(json(response).get("hint").asString()).isEqualTo(expected);
  }

  /// Whether an ordered dictionary may get other values is found late.
  @Test
  void conversionToAnOrderedDictionaryIsNotAdvised() throws Exception {
    post("/datasets/append-exact-order", Streams.colors(true, "cold", "warm"));
    HttpResponse<byte[]> rejected =
        post("/datasets/append-exact-order?types=exact", Streams.colors(false, "hot"));
    assertHint(
        "Append columns and values that fit those of the dataset, or replace it by PUT.", rejected);
  }

  @Test
  void appendAddsNewValuesToADictionary() throws Exception {
    post("/datasets/append-colors", Streams.colors(false, "red", "green"));
    post("/datasets/append-colors", Streams.colors(false, "blue", "green", "red"));
    assertThat(text(get("/datasets/append-colors.csv")))
        .isEqualToNormalizingNewlines("color\nred\ngreen\nblue\ngreen\nred\n");
    assertThat(json("/datasets/append-colors/batches").get("dictionaries").size()).isEqualTo(1);
  }

  @Test
  void orderedDictionaryAcceptsOnlyValuesAtItsEnd() throws Exception {
    post("/datasets/append-order", Streams.colors(true, "cold", "warm"));
    assertThat(
            post("/datasets/append-order", Streams.colors(true, "cold", "warm", "hot"))
                .statusCode())
        .isEqualTo(200);
    HttpResponse<byte[]> rejected = post("/datasets/append-order", Streams.colors(true, "hot"));
    assertThat(rejected.statusCode()).isEqualTo(409);
    assertThat(problem(rejected)).isEqualTo("schema-mismatch");
    assertThat(json(rejected).at("/differences/0/field").asString()).isEqualTo("color");
    assertThat(json(rejected).at("/differences/0/aspect").asString()).isEqualTo("dictionary");
    assertThat(json("/datasets/append-order/versions").get("versions").size()).isEqualTo(2);
  }

  @Test
  void rejectsAppendsOfAnythingButWholeData() throws Exception {
    put("/datasets/append-none", Streams.numbers(0, 1));
    HttpResponse<byte[]> picture =
        post("/datasets/append-none", Streams.numbers(0, 1), "Content-Type", "image/png");
    assertThat(picture.statusCode()).isEqualTo(415);
    assertThat(header(picture, "Accept-Post"))
        .isEqualTo(
            "application/vnd.apache.arrow.stream, application/vnd.apache.arrow.file,"
                + " application/octet-stream, text/csv, text/tab-separated-values,"
                + " application/json, application/x-ndjson, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, application/vnd.apache.parquet,"
                + " application/sql");
    assertThat(post("/datasets/append-none", new byte[0]).statusCode()).isEqualTo(400);
    HttpResponse<byte[]> part =
        post("/datasets/append-none", Streams.numbers(0, 1), "Content-Range", "bytes 0-9/100");
    assertThat(part.statusCode()).isEqualTo(400);
    assertNumbers("append-none", 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sample@1", "sample@1.arrow", "sample@1.csv"})
  void rejectsAppendsToReadOnlyResources(String path) throws Exception {
    HttpResponse<byte[]> response = post("/datasets/" + path, Streams.numbers(0, 1));
    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(header(response, "Allow")).isEqualTo("GET, HEAD, OPTIONS");
  }

  /// Runs the writes concurrently, and returns their responses.
  private static List<HttpResponse<byte[]>> concurrently(
      List<Callable<HttpResponse<byte[]>>> writes) throws Exception {
    List<HttpResponse<byte[]>> responses = new ArrayList<>();
    try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
      for (Future<HttpResponse<byte[]>> write : writers.invokeAll(writes)) {
        responses.add(write.get());
      }
    }
    return responses;
  }

  @Test
  void concurrentAppendsNeverConflict() throws Exception {
    int count = 5 * WRITERS;
    List<Callable<HttpResponse<byte[]>>> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] stream = Streams.numbers(i, 1);
      writes.add(() -> post("/datasets/append-race", stream));
    }
    assertThat(concurrently(writes))
        .extracting(HttpResponse::statusCode)
        .containsOnly(200, 201)
        .containsOnlyOnce(201);
    assertThat(numbers("append-race"))
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, count).boxed().toList());
  }

  @Test
  void exactlyOneOfConcurrentConditionalAppendsSucceeds() throws Exception {
    String etag = json(put("/datasets/append-one", Streams.numbers(0, 1))).get("etag").asString();
    byte[] stream = Streams.numbers(1, 1);
    assertThat(
            concurrently(
                Collections.nCopies(
                    WRITERS, () -> post("/datasets/append-one", stream, "If-Match", etag))))
        .extracting(HttpResponse::statusCode)
        .containsOnly(200, 412)
        .containsOnlyOnce(200);
    assertNumbers("append-one", 2);
  }

  @Test
  void compactionKeepsTheRowsAndAcceptsThePreviousEntityTag() throws Exception {
    for (int i = 0; i < 10; i++) {
      post("/datasets/compacted", Streams.numbers(10 * i, 10));
    }
    String etag = json("/datasets/compacted/versions").at("/versions/0/etag").asString();
    HttpResponse<byte[]> compacted =
        post("/datasets/compacted/compact?verbose=true", new byte[0], "If-Match", etag);
    assertThat(compacted.statusCode()).isEqualTo(200);
    assertThat(header(compacted, "Location")).isEqualTo("/datasets/compacted");
    assertThat(json(compacted).get("kind").asString()).isEqualTo("compaction");
    assertThat(json(compacted).get("version").intValue()).isEqualTo(11);
    assertThat(json(compacted).get("batches").intValue()).isEqualTo(1);
    assertNumbers("compacted", 100);
    byte[] stream = Streams.numbers(100, 1);
    assertThat(post("/datasets/compacted", stream, "If-Match", etag).statusCode()).isEqualTo(200);
    assertThat(
            json("/datasets/compacted/versions?limit=2&compactions=true").get("versions").values())
        .extracting(version -> version.get("kind").asString())
        .containsExactly("append", "compaction");
    assertNumbers("compacted", 101);
  }

  @Test
  void compactionOfACompactDatasetCreatesNoVersion() throws Exception {
    String etag = json(put("/datasets/uncompacted", Streams.numbers(0, 1))).get("etag").asString();
    HttpResponse<byte[]> compacted =
        post("/datasets/uncompacted/compact?verbose=true", new byte[0]);
    assertThat(compacted.statusCode()).isEqualTo(200);
    assertThat(json(compacted).get("version").intValue()).isEqualTo(1);
    assertThat(json(compacted).get("kind").asString()).isEqualTo("upload");
    assertThat(json(compacted).get("etag").asString()).isEqualTo(etag);
  }

  @ParameterizedTest
  @CsvSource({
    "nothing, 404, Expected a dataset but found none at nothing",
    "sample@1, 404, Expected a dataset but found one version of it at sample@1",
    "compact-gone, 410, Expected a dataset but found a deleted one at compact-gone",
  })
  void rejectsCompactionOfMissingDatasets(String name, int status, String detail) throws Exception {
    put("/datasets/compact-gone", Streams.numbers(0, 1));
    delete("/datasets/compact-gone");
    HttpResponse<byte[]> rejected = post("/datasets/" + name + "/compact", new byte[0]);
    assertThat(json(rejected).get("detail").asString()).isEqualTo(detail);
    assertThat(rejected.statusCode()).isEqualTo(status);
  }

  @Test
  void compactionHonorsIfMatchAndRejectsGet() throws Exception {
    HttpResponse<byte[]> rejected =
        post("/datasets/sample/compact", new byte[0], "If-Match", "\"other\"");
    assertThat(rejected.statusCode()).isEqualTo(412);
    HttpResponse<byte[]> get = get("/datasets/sample/compact");
    assertThat(get.statusCode()).isEqualTo(405);
    assertThat(header(get, "Allow")).isEqualTo("OPTIONS, POST");
  }

  @Test
  void connectionStaysOpenAfterAChunkedAppend() throws Exception {
    String stream = new String(Streams.numbers(0, 1), StandardCharsets.ISO_8859_1);
    String chunked = "%x\r\n%s\r\n0\r\n\r\n".formatted(stream.length(), stream);
    try (RawHttp connection = new RawHttp(port)) {
      for (int i = 0; i < 2; i++) {
        connection.send(
            "POST /datasets/append-open HTTP/1.1\nHost: localhost\nTransfer-Encoding: chunked\n\n");
        connection.sendExactly(chunked);
        assertThat(connection.readUntil("}\n"))
            .startsWith("HTTP/1.1 20")
            .doesNotContain("Connection");
      }
    }
  }
}
