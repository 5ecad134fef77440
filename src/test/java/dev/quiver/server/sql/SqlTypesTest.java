package dev.quiver.server.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.ipc.StreamReader;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import java.lang.foreign.MemorySegment;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/// Types of columns in statements and conditions over HTTP: the functions of timestamps in
/// nanoseconds, datasets without columns, and what a result keeps of columns that it passes on.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestPropertySource(properties = {"quiver.sql.workers=2", "quiver.sql.threads=1"})
class SqlTypesTest extends RunningService {

  private static final ArrowType ZONED =
      new ArrowType.Timestamp(TimeUnit.NANOSECOND, "Europe/Berlin");

  /// 2024-06-01 12:00:00.123456 in UTC.
  private static final long INSTANT = 1_717_243_200_123_456_000L;

  private static final Metadata GEOMETRY =
      Metadata.of(
          KeyValue.of(Field.EXTENSION_NAME, "geoarrow.wkb"),
          KeyValue.of("ARROW:extension:metadata", "{}"),
          KeyValue.of("unit", "m"));

  private static final KeyValue GEO =
      KeyValue.of("geo", "{\"primary_column\":\"geom\",\"columns\":{\"geom\":{}}}");

  @BeforeAll
  void upload() throws Exception {
    Schema times =
        Schema.of(
            Field.of("id", false, new ArrowType.Int(64, true)),
            Field.of("t", true, ZONED),
            Field.of("fine", true, ZONED),
            Field.of("l", true, new ArrowType.List(), Field.of("element", true, ZONED)));
    store(
        "times",
        Streams.of(
            times,
            List.of(1L, 2L, 3L),
            Arrays.asList(INSTANT, 0L, null),
            Arrays.asList(INSTANT + 1, 0L, null),
            Arrays.asList(List.of(INSTANT), List.of(), null)));
    Schema places =
        Schema.of(
                Field.of("geom", true, new ArrowType.LargeBinary()).withMetadata(GEOMETRY),
                Field.of("name", true, new ArrowType.Utf8())
                    .withMetadata(Metadata.of(KeyValue.of("language", "de"))),
                Field.of("lasts", true, new ArrowType.Duration(TimeUnit.SECOND))
                    .withMetadata(
                        Metadata.of(
                            KeyValue.of("kept", "yes"),
                            KeyValue.of(Field.EXTENSION_NAME, "test.lasts"))))
            .withMetadata(Metadata.of(KeyValue.of("pandas", "{}"), GEO));
    store(
        "places",
        Streams.of(places, List.of(bytes(1), bytes(2)), List.of("a", "b"), List.of(3L, 4L)));
    store("sql_types_nothing", Streams.empty());
    store("divisors", Streams.numbers(0, 3));
  }

  private static ByteString bytes(int value) {
    return ByteString.of(new byte[] {(byte) value});
  }

  private void store(String name, byte[] stream) throws Exception {
    assertThat(put("/datasets/" + name, stream).statusCode()).isIn(200, 201);
  }

  private HttpResponse<byte[]> run(String suffix, String sql) throws Exception {
    return post("/sql" + suffix, sql.getBytes(StandardCharsets.UTF_8));
  }

  private String csv(String sql) throws Exception {
    HttpResponse<byte[]> response = run(".csv", sql);
    assertThat(response.statusCode()).as("%s: %s", sql, text(response)).isEqualTo(200);
    return text(response).replace("\r\n", "|");
  }

  private HttpResponse<byte[]> where(String dataset, String condition) throws Exception {
    return get(
        "/datasets/%s.csv?columns=%s&where=%s"
            .formatted(
                dataset,
                dataset.equals("times") ? "id" : "number",
                URLEncoder.encode(condition, StandardCharsets.UTF_8)));
  }

  private Schema schema(String sql) throws Exception {
    HttpResponse<byte[]> response = run(".arrows", sql);
    assertThat(response.statusCode()).as("%s: %s", sql, text(response)).isEqualTo(200);
    try (StreamReader reader =
        new StreamReader(ByteSource.of(MemorySegment.ofArray(response.body())), Limits.DEFAULT)) {
      return reader.schema();
    }
  }

  private static JsonNode problem(HttpResponse<byte[]> response, int status, String type) {
    assertThat(response.statusCode()).as(text(response)).isEqualTo(status);
    JsonNode problem = json(response);
    assertThat(problem.path("type").asString()).isEqualTo("urn:quiver:problem:" + type);
    return problem;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "date_trunc('day', t) = '2024-06-01'",
        "extract(year FROM t) = 2024",
        "date_part('month', t) = 6",
        "year(t) = 2024 and month(t) = 6 and hour(t) = 12",
        "dayname(t) = 'Saturday' and monthname(t) = 'June' and dayofweek(t) = 6",
        "t + INTERVAL 1 DAY > TIMESTAMPTZ '2024-06-02'",
        "t - INTERVAL 1 DAY < '2024-06-01' and t > '2024-01-01'",
        "t - TIMESTAMPTZ '2024-06-01' < INTERVAL 1 DAY and t > '2024-01-01'",
        "epoch(t) > 1.7e9 and epoch_ms(t) > 1700000000000",
        "epoch_ns(t) = 1717243200123456000",
        "date_diff('hour', t, TIMESTAMPTZ '2024-06-02') = 12",
        "time_bucket(INTERVAL 1 HOUR, t) = '2024-06-01 12:00:00'",
        "t > TIMESTAMPTZ '2024-06-01'",
        "t = '2024-06-01 12:00:00.123456'",
        "year(l[1]) = 2024",
        // These need no engine, also for digits beyond microseconds.
        "fine > TIMESTAMPTZ '2024-06-01 12:00:00.123456'",
        "fine BETWEEN '2024-06-01' AND '2024-06-02'",
      })
  void timestampsInWholeMicrosecondsHaveAllFunctions(String condition) throws Exception {
    assertThat(text(where("times", condition))).as(condition).isEqualTo("id\r\n1\r\n");
    if (!condition.startsWith("fine > ")) {
      assertThat(csv("SELECT id FROM times WHERE coalesce(" + condition + ", false)"))
          .isEqualTo("id|1|");
    }
  }

  @Test
  void batchesSayWhetherTimestampsAreWholeMicroseconds() throws Exception {
    List<String> found = new ArrayList<>();
    for (JsonNode column :
        json("/datasets/times/batches?statistics=true").at("/batches/0/statistics")) {
      found.add(column.get("column").asString() + " " + column.path("wholeMicroseconds"));
    }
    assertThat(found).containsExactly("id ", "t true", "fine false", "l true");
  }

  @Test
  void timestampsMayBeComparedWithNow() throws Exception {
    assertThat(csv("SELECT count(*) FILTER (t < now()) AS n, max(t) - min(t) AS d FROM times"))
        .isEqualTo("n,d|2,P19875DT43200.123456S|");
  }

  @Test
  void finerTimestampsSayWhichCastHelps() throws Exception {
    for (HttpResponse<byte[]> response :
        List.of(run(".csv", "SELECT year(fine) FROM times"), where("times", "year(fine) = 2024"))) {
      JsonNode problem = problem(response, 400, "invalid-sql");
      assertThat(problem.path("detail").asString())
          .isEqualTo(
              "No function matches the given name and argument types 'year(TIMESTAMPTZ_NS)'.");
      assertThat(problem.path("hint").asString()).contains("t::TIMESTAMPTZ");
    }
    assertThat(csv("SELECT year(fine::TIMESTAMPTZ) AS y FROM times")).isEqualTo("y|2024|1970||");
    assertThat(text(where("times", "year(fine::TIMESTAMPTZ) = 2024"))).isEqualTo("id\r\n1\r\n");
  }

  /// An append of finer values changes the type of the next version.
  @Test
  void eachVersionHasTheTypeOfItsValues() throws Exception {
    Schema schema = Schema.of(Field.of("t", true, ZONED));
    store("growing", Streams.of(schema, List.of(INSTANT)));
    assertThat(csv("SELECT year(t) AS y FROM growing")).isEqualTo("y|2024|");
    byte[] finer = Streams.of(schema, List.of(INSTANT + 1));
    assertThat(post("/datasets/growing", finer).statusCode()).isEqualTo(200);
    problem(run(".csv", "SELECT year(t) AS y FROM growing"), 400, "invalid-sql");
    assertThat(csv("SELECT t FROM growing"))
        .isEqualTo("t|2024-06-01T12:00:00.123456000Z|2024-06-01T12:00:00.123456001Z|");
  }

  /// The engine is given a dictionary as a whole.
  @Test
  void unusedValuesOfADictionaryMayBeFiner() throws Exception {
    Field time = Field.of("t", true, ZONED).withDictionary(encoding(1));
    Field inner = Field.of("t", true, ZONED).withDictionary(encoding(2));
    Schema schema =
        Schema.of(
            Field.of("number", false, new ArrowType.Int(64, true)),
            time,
            Field.of("s", true, new ArrowType.Struct(), inner));
    List<Long> values = List.of(INSTANT, INSTANT + 1);
    store(
        "sql_types_encoded",
        Streams.of(
            schema,
            Map.of(1L, values, 2L, values),
            List.of(1L, 2L),
            Arrays.asList(INSTANT, null),
            Arrays.asList(List.of(INSTANT), null)));
    assertThat(csv("SELECT t, s.t AS u FROM sql_types_encoded WHERE number = 1"))
        .isEqualTo("t,u|2024-06-01T12:00:00.123456000Z,2024-06-01T12:00:00.123456000Z|");
    for (String condition : List.of("t::VARCHAR LIKE '2024%'", "s.t::VARCHAR LIKE '2024%'")) {
      assertThat(text(where("sql_types_encoded", condition))).isEqualTo("number\r\n1\r\n");
    }
  }

  private static DictionaryEncoding encoding(long id) {
    return new DictionaryEncoding(id, new ArrowType.Int(8, true), /* ordered= */ false);
  }

  @Test
  void columnsThatPassThroughKeepTheirTypes() throws Exception {
    Schema stored = schema("SELECT * FROM times");
    assertThat(stored.fields().subList(1, 4).stream().map(Field::describeType))
        .containsExactly(
            "timestamp[ns, Europe/Berlin]",
            "timestamp[ns, Europe/Berlin]",
            "list<element: timestamp[ns, Europe/Berlin]>");
    assertThat(schema("SELECT t, t + INTERVAL 1 DAY AS u FROM times").fields())
        .extracting(Field::type)
        .containsExactly(ZONED, new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC"));
    assertThat(csv("SELECT t, fine FROM times WHERE id = 1"))
        .isEqualTo("t,fine|2024-06-01T12:00:00.123456000Z,2024-06-01T12:00:00.123456001Z|");
  }

  @Test
  void columnsThatPassThroughKeepTheirMetadata() throws Exception {
    List<KeyValue> geometry = GEOMETRY.entries();
    for (String sql :
        List.of(
            "SELECT * FROM places",
            "SELECT geom, name FROM places WHERE name = 'a'",
            "SELECT p.* FROM places AS p",
            "FROM places SELECT GEOM",
            "SELECT * EXCLUDE (lasts) FROM places ORDER BY name LIMIT 1",
            "SELECT geom, count(*) FROM places GROUP BY geom",
            "SELECT a.geom, lower(b.name) FROM places a JOIN places b ON a.name = b.name")) {
      Schema schema = schema(sql);
      Field geom = schema.fields().getFirst();
      assertThat(geom.metadata().entries()).as(sql).isEqualTo(geometry);
      assertThat(geom.type()).as(sql).isEqualTo(new ArrowType.LargeBinary());
      assertThat(schema.metadata().entries()).as(sql).containsExactly(GEO);
    }
    assertThat(schema("SELECT * FROM places").fields().get(1).metadata().get("language"))
        .hasToString("de");
  }

  @Test
  void columnsOfAnotherTypeLoseTheirExtension() throws Exception {
    Field lasts = schema("SELECT lasts FROM places").fields().getFirst();
    assertThat(lasts.type()).isInstanceOf(ArrowType.Interval.class);
    assertThat(lasts.metadata().entries()).containsExactly(KeyValue.of("kept", "yes"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT name AS geom FROM places",
        "SELECT geom || geom AS geom FROM places",
        "SELECT geom AS other FROM places",
        "SELECT geom FROM places UNION ALL SELECT geom FROM places",
        "WITH places AS (SELECT geom || geom AS geom FROM places) SELECT geom FROM places",
        "SELECT geom FROM (SELECT geom || geom AS geom FROM places)",
        "SELECT * REPLACE (geom || geom AS geom) FROM places",
        "SELECT unnest({'geom': geom, 'b': 1}), name FROM places",
      })
  void computedColumnsHaveNoGeometry(String sql) throws Exception {
    Schema schema = schema(sql);
    assertThat(schema.metadata().entries()).isEmpty();
    boolean isRenamed = sql.contains("AS other");
    assertThat(schema.fields().getFirst().extensionName())
        .isEqualTo(isRenamed ? "geoarrow.wkb" : null);
  }

  @Test
  void datasetsWithoutColumnsHaveRowsToCount() throws Exception {
    assertThat(csv("SELECT count(*) AS n FROM sql_types_nothing")).isEqualTo("n|0|");
    for (HttpResponse<byte[]> response :
        Stream.of(
                "SELECT * FROM sql_types_nothing",
                "DESCRIBE sql_types_nothing",
                "SUMMARIZE sql_types_nothing")
            .map(this::runUnchecked)
            .toList()) {
      JsonNode problem = problem(response, 400, "unsupported-type");
      assertThat(problem.path("detail").asString())
          .isEqualTo("Expected a dataset with columns but found one without any");
      assertThat(problem.path("hint").asString()).contains("count(*)");
    }
    byte[] statement = "SELECT * FROM sql_types_nothing".getBytes(StandardCharsets.UTF_8);
    problem(
        put("/datasets/copied", statement, "Content-Type", "application/sql"),
        400,
        "unsupported-type");
  }

  private HttpResponse<byte[]> runUnchecked(String sql) {
    try {
      return run(".csv", sql);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"number // (number - 1) > 0", "number % (number - 1) = 0", "1 // 0 > 0"})
  void divisionByZeroSaysWhatToWrite(String condition) throws Exception {
    String sql = "SELECT number FROM divisors WHERE coalesce(" + condition + ", false)";
    for (HttpResponse<byte[]> response : List.of(run(".csv", sql), where("divisors", condition))) {
      JsonNode problem = problem(response, 422, "invalid-value");
      assertThat(problem.path("detail").asString())
          .startsWith("Expected a divisor other than 0 but found 0 in (");
      assertThat(problem.path("hint").asString()).contains("TRY(", "nullif(").doesNotContain("SET");
    }
  }

  @Test
  void adviceOnDivisionByZeroHolds() throws Exception {
    assertThat(csv("SELECT TRY(2 // 0) AS a, 2 % nullif(0, 0) AS b")).isEqualTo("a,b|,|");
    for (String condition :
        List.of("TRY(number // (number - 1)) = 2", "number // nullif(number - 1, 0) = 2")) {
      assertThat(text(where("divisors", condition))).isEqualTo("number\r\n2\r\n");
    }
  }
}
