package dev.quiver.server.read;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.ServerSentEvents;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.UnionMode;
import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Appends with `columns=extend` over HTTP: the dataset gets the columns that it lacks.
class ExtendingTest extends RunningService {

  private static final String EXTEND = "?columns=extend&verbose=true";
  private static final Field NUMBER = Field.of("n", false, new ArrowType.Int(32, true));
  private static final Field TEXT = Field.of("t", true, new ArrowType.Utf8());
  private static final Field FRACTION = fraction("f");

  private static Field fraction(String name) {
    return Field.of(name, false, new ArrowType.FloatingPoint(Precision.DOUBLE));
  }

  private static byte[] numbers(long... values) throws Exception {
    return Streams.of(Schema.of(NUMBER), Arrays.stream(values).boxed().toList());
  }

  private String csv(String path) throws Exception {
    return text(get(path + ".csv")).replace("\r\n", "\n");
  }

  private static void assertStatus(int status, HttpResponse<byte[]> response) {
    assertThat(response.statusCode()).as(text(response)).isEqualTo(status);
  }

  private static List<String> aspects(HttpResponse<byte[]> rejected) {
    assertStatus(409, rejected);
    assertThat(json(rejected).get("type").asString())
        .isEqualTo("urn:quiver:problem:schema-mismatch");
    return json(rejected).get("differences").values().stream()
        .map(each -> each.get("field").asString() + " " + each.get("aspect").asString())
        .toList();
  }

  /// A dataset of a little more than 64 MiB.
  @Test
  void leavesTheRewriteOfALargeDatasetToAJob() throws Exception {
    String path = "/datasets/extend-large";
    Field large = Field.of("n", false, new ArrowType.FixedSizeBinary(1 << 20));
    byte[] value = new byte[1 << 20];
    put(path, Streams.of(Schema.of(large), Collections.nCopies(65, value)));

    HttpResponse<byte[]> same =
        post(path + EXTEND, Streams.of(Schema.of(large), Collections.nCopies(1, value)));
    assertStatus(200, same);
    assertThat(json(same).get("kind").asString()).isEqualTo("append");
    assertThat(header(same, "Preference-Applied")).isEmpty();

    byte[] extending = Streams.of(Schema.of(large, TEXT), List.of(value), List.of("x"));
    HttpResponse<byte[]> accepted = post(path + EXTEND, extending);
    assertStatus(202, accepted);
    assertThat(header(accepted, "Preference-Applied")).isEmpty();
    String job = header(accepted, "Location");
    eventually(() -> assertThat(json(job).get("state").asString()).isEqualTo("done"));
    JsonNode result = json(job).get("result");
    assertThat(result.get("kind").asString()).isEqualTo("extend");
    assertThat(result.get("rows").intValue()).isEqualTo(67);

    byte[] further = Streams.of(Schema.of(large, FRACTION), List.of(value), List.of(0.5));
    HttpResponse<byte[]> awaited = post(path + EXTEND, further, "Prefer", "respond-async, wait=60");
    assertStatus(200, awaited);
    assertThat(json(awaited).get("kind").asString()).isEqualTo("extend");
  }

  @Test
  void addsNewColumnsBehindThoseOfTheDatasetInTheOrderOfTheUpload() throws Exception {
    String path = "/datasets/extend-order";
    put(path, Streams.of(Schema.of(NUMBER, TEXT), List.of(1L, 2L), List.of("a", "b")));
    byte[] before = get(path + ".arrow").body();
    byte[] batchBefore = get(path + "@1/batches/0").body();
    Field large = Field.of("n", true, new ArrowType.Int(64, true));
    Schema schema = Schema.of(fraction("z"), large, fraction("y"));
    HttpResponse<byte[]> extended =
        post(path + EXTEND, Streams.of(schema, List.of(0.5), List.of(3L), List.of(1.5)));
    assertStatus(200, extended);
    JsonNode document = json(extended);
    assertThat(document.get("kind").asString()).isEqualTo("extend");
    assertThat(document.get("version").intValue()).isEqualTo(2);
    assertThat(document.get("rows").intValue()).isEqualTo(3);
    assertThat(document.get("converted").toString())
        .isEqualTo(
            "[{\"column\":\"n\",\"from\":\"int64\",\"to\":\"int32\"},"
                + "{\"column\":\"t\",\"from\":null,\"to\":\"utf8\"}]");
    assertThat(csv(path)).isEqualTo("n,t,z,y\n1,a,,\n2,b,,\n3,,0.5,1.5\n");
    assertThat(json(path + "/schema").get("fields").values())
        .extracting(field -> field.get("name").asString() + " " + field.get("nullable").asBoolean())
        .containsExactly("n false", "t true", "z true", "y true");
    // The version before stays.
    assertThat(get(path + "@1.arrow").body()).isEqualTo(before);
    assertThat(get(path + "@1/batches/0").body()).isEqualTo(batchBefore);
    assertThat(header(get(path + "@1.arrow"), "ETag"))
        .isNotEqualTo(header(get(path + ".arrow"), "ETag"));
    assertThat(json(path + "/versions").get("versions").values())
        .extracting(version -> version.get("kind").asString())
        .containsExactly("extend", "upload");
    assertThat(json("/datasets.json?prefix=extend-order&limit=1").at("/datasets/0/kind").asString())
        .isEqualTo("extend");
    assertStatus(200, post(path + "/verify", new byte[0]));
    // Without a new column, it is an append.
    HttpResponse<byte[]> appended =
        post(
            path + EXTEND, Streams.of(Schema.of(NUMBER, fraction("y")), List.of(4L), List.of(2.5)));
    assertThat(json(appended).get("kind").asString()).isEqualTo("append");
    assertThat(csv(path)).endsWith("\n3,,0.5,1.5\n4,,,2.5\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?columns=keep", "?types=exact"})
  void columnThatTheDatasetLacksIsADifferenceUnlessItIsToBeAdded(String query) throws Exception {
    String path = "/datasets/extend-not";
    put(path, numbers(1));
    HttpResponse<byte[]> rejected =
        post(path + query, Streams.of(Schema.of(NUMBER, FRACTION), List.of(2L), List.of(0.5)));
    assertThat(aspects(rejected)).containsExactly("f extra");
    assertThat(json(rejected).get("detail").asString())
        .isEqualTo(
            "Expected no field but found float64 at field f, the only difference from the schema of"
                + " extend-not");
    assertThat(json(rejected).get("hint").asString())
        .isEqualTo("The parameter columns=extend adds the columns that the dataset lacks.");
    assertThat(csv(path)).isEqualTo("n\n1\n");
  }

  @Test
  void otherDifferencesDoNotNameTheParameter() throws Exception {
    String path = "/datasets/extend-other";
    put(path, numbers(1));
    HttpResponse<byte[]> rejected =
        post(path, Streams.of(Schema.of(Field.of("n", true, new ArrowType.Utf8())), List.of("a")));
    assertThat(text(rejected)).doesNotContain("columns=extend");
    assertStatus(400, post(path + "?columns=all", numbers(2)));
    assertStatus(400, put(path + EXTEND, numbers(2)));
  }

  @Test
  void addsNothingToANewDataset() throws Exception {
    HttpResponse<byte[]> created = post("/datasets/extend-new" + EXTEND, numbers(1));
    assertStatus(201, created);
    assertThat(json(created).get("kind").asString()).isEqualTo("upload");
    assertThat(json("/datasets/extend-new/schema").at("/fields/0/nullable").asBoolean()).isFalse();
  }

  @Test
  void typesOfCommonColumnsMayHaveToBeEqual() throws Exception {
    String path = "/datasets/extend-exact";
    put(path, numbers(1));
    Field large = Field.of("n", false, new ArrowType.Int(64, true));
    byte[] other = Streams.of(Schema.of(FRACTION, large), List.of(0.5), List.of(2L));
    assertThat(aspects(post(path + EXTEND + "&types=exact", other))).containsExactly("n type");
    byte[] without = Streams.of(Schema.of(FRACTION), List.of(0.5));
    assertThat(aspects(post(path + EXTEND + "&types=exact", without))).containsExactly("n missing");
    byte[] same = Streams.of(Schema.of(FRACTION, NUMBER), List.of(0.5), List.of(2L));
    assertStatus(200, post(path + EXTEND + "&types=exact", same));
    assertThat(csv(path)).isEqualTo("n,f\n1,\n2,0.5\n");
  }

  @Test
  void rejectsNewColumnsWithANameThatOccursTwice() throws Exception {
    String path = "/datasets/extend-twice";
    put(path, numbers(1));
    byte[] two = Streams.of(Schema.of(FRACTION, FRACTION), List.of(0.5), List.of(0.5));
    HttpResponse<byte[]> rejected = post(path + EXTEND, two);
    assertThat(aspects(rejected)).containsExactly("f extra");
    assertThat(json(rejected).get("detail").asString())
        .startsWith("Expected one field of this name but found several at field f,")
        .doesNotContain("columns=extend");
    byte[] again = Streams.of(Schema.of(NUMBER, NUMBER), List.of(2L), List.of(2L));
    assertThat(aspects(post(path + EXTEND, again))).containsExactly("n extra");
    assertThat(csv(path)).isEqualTo("n\n1\n");
  }

  @Test
  void rejectsNewColumnsWhoseTypeHasNoNulls() throws Exception {
    String path = "/datasets/extend-union";
    put(path, numbers(1));
    Field union =
        Field.of("u", true, new ArrowType.Union(UnionMode.SPARSE, List.of(0)), TEXT.withName("a"));
    assertThat(aspects(post(path + EXTEND, Streams.empty(union)))).containsExactly("u type");
  }

  /// The dataset has a dictionary with the number of a new one.
  @Test
  void addsDictionaries() throws Exception {
    String path = "/datasets/extend-dictionaries";
    ArrowType.Int int8 = new ArrowType.Int(8, true);
    Field a = TEXT.withName("a").withDictionary(new DictionaryEncoding(0, int8, false));
    Field b = TEXT.withName("b").withDictionary(new DictionaryEncoding(0, int8, true));
    Field list =
        Field.of(
            "l",
            true,
            new ArrowType.List(),
            TEXT.withName("item").withDictionary(new DictionaryEncoding(1, int8, false)));
    put(path, Streams.of(Schema.of(a), Map.of(0L, List.of("x", "y")), List.of("y")));
    byte[] body =
        Streams.of(
            Schema.of(b, list),
            Map.of(0L, List.of("p", "q"), 1L, List.of("r", "s")),
            List.of("q"),
            List.of(List.of("s", "r")));
    assertStatus(200, post(path + EXTEND, body));
    assertThat(text(get(path + ".jsonl")).lines())
        .containsExactly(
            "{\"a\":\"y\",\"b\":null,\"l\":null}", "{\"a\":null,\"b\":\"q\",\"l\":[\"s\",\"r\"]}");
    assertStatus(200, post(path, body));
    assertStatus(200, post(path, Streams.of(Schema.of(a), Map.of(0L, List.of("z")), List.of("z"))));
    assertThat(text(get(path + ".jsonl")).lines().skip(2))
        .containsExactly(
            "{\"a\":null,\"b\":\"q\",\"l\":[\"s\",\"r\"]}", "{\"a\":\"z\",\"b\":null,\"l\":null}");
    assertStatus(200, post(path + "/compact", new byte[0]));
    assertThat(text(get(path + ".jsonl")).lines()).hasSize(4);
  }

  @Test
  void conditionsAndStatisticsKnowTheNullsOfExistingRows() throws Exception {
    String path = "/datasets/extend-statistics";
    put(path + "?batches=keep", Streams.numbers(0, 3, 4));
    byte[] more =
        Streams.of(
            Schema.of(Field.of("number", false, new ArrowType.Int(32, true)), FRACTION),
            List.of(7L),
            List.of(0.5));
    assertStatus(200, post(path + EXTEND, more));
    assertThat(json(path + "/batches?statistics=true").get("batches").values())
        .extracting(batch -> batch.at("/statistics/1/nulls").asString("?"))
        .containsExactly("3", "4", "0");
    assertThat(text(get(path + ".csv?where=f+IS+NULL")).lines()).hasSize(8);
    assertThat(text(get(path + ".csv?where=f+%3E+0")).lines()).hasSize(2);
  }

  @Test
  void readersOfLaterRowsLearnOfNewColumns() throws Exception {
    String path = "/datasets/extend-since";
    put(path, numbers(1));
    try (ServerSentEvents events =
        ServerSentEvents.open("http://localhost:" + port + path + "/events")) {
      assertThat(events.next())
          .hasToString("version 1 {\"version\":1,\"kind\":\"upload\",\"rows\":1,\"totalRows\":1}");
      post(path + EXTEND, Streams.of(Schema.of(FRACTION, NUMBER), List.of(0.5), List.of(2L)));
      assertThat(events.next())
          .hasToString("version 2 {\"version\":2,\"kind\":\"extend\",\"rows\":1,\"totalRows\":2}");
    }
    HttpResponse<byte[]> replaced = get(path + ".csv?since=1");
    assertStatus(409, replaced);
    assertThat(json(replaced).get("type").asString()).isEqualTo("urn:quiver:problem:replaced");
    assertThat(json(replaced).get("replacement").intValue()).isEqualTo(2);
    post(path, Streams.of(Schema.of(NUMBER), List.of(3L)));
    assertStatus(409, get(path + ".csv?since=1"));
    assertThat(text(get(path + ".csv?since=2"))).isEqualToNormalizingNewlines("n,f\n3,\n");
  }

  @Test
  void repeatedResponseHasTheConvertedColumns() throws Exception {
    String path = "/datasets/extend-key";
    put(path, numbers(1));
    Field large = Field.of("n", true, new ArrowType.Int(64, true));
    byte[] body = Streams.of(Schema.of(FRACTION, large), List.of(0.5), List.of(2L));
    HttpResponse<byte[]> first = post(path + EXTEND, body, "Idempotency-Key", "extend");
    assertThat(json(first).get("converted").size()).isEqualTo(1);
    post(path + "/compact", new byte[0]);
    HttpResponse<byte[]> second = post(path + EXTEND, body, "Idempotency-Key", "extend");
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(csv(path)).isEqualTo("n,f\n1,\n2,0.5\n");
  }

  @Test
  void conditionHolds() throws Exception {
    String path = "/datasets/extend-match";
    String first = json(put(path, numbers(1))).get("etag").asString();
    byte[] body = Streams.of(Schema.of(FRACTION, NUMBER), List.of(0.5), List.of(2L));
    assertStatus(412, post(path + EXTEND, body, "If-Match", "\"other\""));
    assertStatus(200, post(path + EXTEND, body, "If-Match", first));
    assertStatus(412, post(path + EXTEND, body, "If-Match", first));
  }

  @Test
  void addsColumnsOfOtherFormats() throws Exception {
    String path = "/datasets/extend-formats";
    put(path, numbers(1));
    String[] csv = {"Content-Type", "text/csv"};
    assertStatus(
        200, post(path + EXTEND, "n,day\n2,2026-01-31\n".getBytes(StandardCharsets.UTF_8), csv));
    String[] json = {"Content-Type", "application/x-ndjson"};
    byte[] lines = "{\"s\":{\"x\":1},\"n\":3}\n".getBytes(StandardCharsets.UTF_8);
    assertStatus(200, post(path + EXTEND, lines, json));
    put("/datasets/extend-source", Streams.of(Schema.of(TEXT, NUMBER), List.of("a"), List.of(4L)));
    byte[] parquet = get("/datasets/extend-source.parquet").body();
    String[] type = {"Content-Type", "application/vnd.apache.parquet"};
    assertStatus(200, post(path + EXTEND, parquet, type));
    byte[] sql = "SELECT 5::INTEGER AS n, true AS b".getBytes(StandardCharsets.UTF_8);
    assertStatus(200, post(path + EXTEND, sql, "Content-Type", "application/sql"));
    assertThat(text(get(path + ".jsonl")).lines())
        .containsExactly(
            "{\"n\":1,\"day\":null,\"s\":null,\"t\":null,\"b\":null}",
            "{\"n\":2,\"day\":\"2026-01-31\",\"s\":null,\"t\":null,\"b\":null}",
            "{\"n\":3,\"day\":null,\"s\":{\"x\":1},\"t\":null,\"b\":null}",
            "{\"n\":4,\"day\":null,\"s\":null,\"t\":\"a\",\"b\":null}",
            "{\"n\":5,\"day\":null,\"s\":null,\"t\":null,\"b\":true}");
  }

  @Test
  void jobAddsColumns() throws Exception {
    String path = "/datasets/extend-job";
    put(path, numbers(1));
    byte[] body = Streams.of(Schema.of(FRACTION, NUMBER), List.of(0.5), List.of(2L));
    HttpResponse<byte[]> accepted = post(path + EXTEND, body, "Prefer", "respond-async, wait=20");
    assertThat(json(accepted).get("kind").asString()).isEqualTo("extend");
    assertThat(csv(path)).isEqualTo("n,f\n1,\n2,0.5\n");
  }

  @Test
  void addsColumnsToRowsWithoutColumns() throws Exception {
    String path = "/datasets/extend-none";
    put(path, Streams.empty());
    assertStatus(200, post(path + EXTEND, numbers(1)));
    assertThat(csv(path)).isEqualTo("n\n1\n");
  }

  /// A few bytes of a schema state values of a gigabyte.
  @Test
  void nullsMayNotBeMuchLargerThanTheData() throws Exception {
    String path = "/datasets/extend-nulls";
    put(path, Streams.of(Schema.of(TEXT), List.of("a", "b")));
    HttpResponse<byte[]> rejected =
        post(
            path + EXTEND,
            Streams.empty(Field.of("b", true, new ArrowType.FixedSizeBinary(1 << 30))));
    assertStatus(413, rejected);
    assertThat(text(rejected)).contains("decompression-ratio");
  }

  /// Without compression, nulls take as much space as values.
  @Test
  void nullsWithoutCompressionTakeSpace() throws Exception {
    String path = "/datasets/extend-uncompressed";
    put(path, Streams.of(Schema.of(TEXT), List.of("a", "b")));
    int byteWidth = (128 << 20) + (100 << 10);
    HttpResponse<byte[]> rejected =
        post(
            path + EXTEND,
            Streams.empty(Field.of("b", true, new ArrowType.FixedSizeBinary(byteWidth))));
    assertStatus(413, rejected);
    assertThat(text(rejected)).contains("per 100 bytes of the dataset", "decompression-ratio");
  }

  @Test
  void limitsTheColumnsOfTheDataset() throws Exception {
    String path = "/datasets/extend-many";
    for (int i = 0; i < 2; i++) {
      int from = i * 60_000;
      Field[] columns =
          IntStream.range(from, from + 60_000)
              .mapToObj(column -> TEXT.withName("c" + column))
              .toArray(Field[]::new);
      HttpResponse<byte[]> response = post(path + EXTEND, Streams.empty(columns));
      assertStatus(i == 0 ? 201 : 413, response);
      if (i == 1) {
        assertThat(text(response)).contains("quiver.limits.schema-fields");
      }
    }
  }

  @Test
  void concurrentAppendsAddTheirColumns() throws Exception {
    String path = "/datasets/extend-concurrently";
    put(path, numbers(0));
    List<Callable<HttpResponse<byte[]>>> tasks = new ArrayList<>();
    for (int i = 1; i <= 8; i++) {
      byte[] body =
          Streams.of(Schema.of(fraction("c" + i / 2), NUMBER), List.of(i / 2.0), List.of((long) i));
      tasks.add(() -> post(path + EXTEND, body));
    }
    try (ExecutorService executor = Executors.newFixedThreadPool(tasks.size())) {
      for (Future<HttpResponse<byte[]>> future : executor.invokeAll(tasks)) {
        assertStatus(200, future.get());
      }
    }
    List<JsonNode> rows = text(get(path + ".jsonl")).lines().map(JSON::readTree).toList();
    assertThat(rows).hasSize(9);
    for (JsonNode row : rows) {
      int n = row.get("n").intValue();
      assertThat(new TreeSet<>(row.propertyNames())).hasSize(6);
      for (int column = 0; column <= 4; column++) {
        JsonNode value = row.get("c" + column);
        assertThat(value.isNull()).isEqualTo(n == 0 || n / 2 != column);
        if (!value.isNull()) {
          assertThat(value.doubleValue()).isEqualTo(n / 2.0);
        }
      }
    }
  }
}
