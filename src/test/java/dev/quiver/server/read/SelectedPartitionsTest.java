package dev.quiver.server.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.ipc.StreamReader;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Partitions as files, and of some columns and rows. [PartitionsTest] covers those of stored
/// bytes.
class SelectedPartitionsTest extends RunningService {

  private static final String DATASET = "selected-partitions";
  private static final String PARTITIONS = "/datasets/" + DATASET + "/partitions";
  private static final int[] BATCH_ROWS = {0, 40, 1, 0, 0, 25, 64, 100, 3, 0, 7, 60, 0};
  private static final int ROWS = IntStream.of(BATCH_ROWS).sum();

  /// The values of each column in the row with a number, as [Streams#table] writes them.
  private static final IntFunction<@Nullable Object> NUMBER = i -> (long) i;

  private static final IntFunction<@Nullable Object> COLOR =
      i -> List.of("red", "green", "blue").get(i % 3);

  private static final IntFunction<@Nullable Object> POINT =
      i -> i % 7 == 6 ? null : Arrays.asList((long) -i, i % 2 == 0 ? "y" + i : null);

  private static final IntFunction<@Nullable Object> POINT_Y =
      i -> i % 7 == 6 ? null : Arrays.asList(i % 2 == 0 ? "y" + i : null);

  /// A condition, and the numbers of the rows that match it.
  private record Condition(String sql, IntPredicate matches) {}

  private static final List<Condition> CONDITIONS =
      List.of(
          new Condition("", _ -> true),
          new Condition("number >= 0", _ -> true),
          new Condition("number = 66", i -> i == 66),
          new Condition("number in (3, 64, 65, 66, 299)", Set.of(3, 64, 65, 66, 299)::contains),
          new Condition("number % 7 = 3", i -> i % 7 == 3),
          new Condition(
              "color = 'red' and number between 20 and 250",
              i -> i % 3 == 0 && i >= 20 && i <= 250),
          new Condition("number * 2 + 1 > 201 and color like '%e%n'", i -> i > 100 && i % 3 == 1),
          new Condition("point.y is null", i -> i % 7 == 6 || i % 2 == 1));

  @BeforeEach
  void upload() throws Exception {
    if (get("/datasets/" + DATASET).statusCode() == 404) {
      put("/datasets/" + DATASET + "?batches=keep", Streams.table(Codec.ZSTD, BATCH_ROWS));
    }
  }

  private static String parameter(String name, String value) {
    return value.isEmpty()
        ? ""
        : "&" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  /// Returns the values of each column.
  private static List<List<@Nullable Object>> values(HttpResponse<byte[]> response, boolean isFile)
      throws Exception {
    assertThat(response.statusCode()).as(text(response)).isEqualTo(200);
    MemorySegment bytes = MemorySegment.ofArray(response.body());
    List<List<@Nullable Object>> columns = new ArrayList<>();
    if (isFile) {
      try (Arena arena = Arena.ofConfined()) {
        FileReader reader = new FileReader(bytes, Limits.DEFAULT, arena);
        reader.schema().fields().forEach(_ -> columns.add(new ArrayList<>()));
        for (int i = 0; i < reader.batchCount(); i++) {
          add(reader.batch(i), columns);
        }
        return columns;
      }
    }
    try (StreamReader reader = new StreamReader(ByteSource.of(bytes), Limits.DEFAULT)) {
      reader.schema().fields().forEach(_ -> columns.add(new ArrayList<>()));
      for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
        add(batch, columns);
      }
      return columns;
    }
  }

  private static void add(RecordBatch batch, List<List<@Nullable Object>> columns) {
    for (int i = 0; i < columns.size(); i++) {
      ArrayData column = batch.columns().get(i);
      columns.get(i).addAll(Values.of(column));
    }
  }

  private static int batchesWith(IntPredicate matches) {
    int count = 0;
    int first = 0;
    for (int rows : BATCH_ROWS) {
      count += IntStream.range(first, first + rows).anyMatch(matches) ? 1 : 0;
      first += rows;
    }
    return count;
  }

  private void assertPartitions(
      Condition condition,
      String columns,
      String format,
      int count,
      List<IntFunction<@Nullable Object>> expected)
      throws Exception {
    String query =
        "?count="
            + count
            + parameter("where", condition.sql)
            + parameter("columns", columns)
            + parameter("format", format);
    boolean isFile = format.equals("file");
    JsonNode document = json(PARTITIONS + query);
    assertThat(document.propertyNames())
        .containsExactly(isFile ? "arrow_files" : "arrow_stream_files");
    JsonNode partitions = document.iterator().next();
    if (!condition.sql.isEmpty()) {
      assertThat(partitions.size())
          .as(query)
          .isEqualTo(Math.clamp(batchesWith(condition.matches), 1, count));
    }
    List<List<@Nullable Object>> found = new ArrayList<>();
    expected.forEach(_ -> found.add(new ArrayList<>()));
    for (JsonNode partition : partitions) {
      URI uri = URI.create(partition.get("uri").asString());
      assertThat(uri.getPath()).startsWith("/datasets/" + DATASET + "@1");
      assertThat(uri.getPath()).endsWith(isFile ? ".arrow" : ".arrows");
      String path = "/" + partition.get("filename").asString();
      assertThat(uri.toString()).isEqualTo("http://localhost:" + port + path);
      HttpResponse<byte[]> response = get(path);
      List<List<@Nullable Object>> values = values(response, isFile);
      long rows = partition.get("rows").longValue();
      assertThat(header(response, "Arrow-Row-Count")).isEqualTo("" + rows);
      assertThat(rows).isPositive().isEqualTo(values.getFirst().size());
      for (int i = 0; i < expected.size(); i++) {
        found.get(i).addAll(values.get(i));
      }
    }
    for (int i = 0; i < expected.size(); i++) {
      assertThat(found.get(i))
          .as(query)
          .isEqualTo(
              IntStream.range(0, ROWS)
                  .filter(condition.matches)
                  .mapToObj(expected.get(i))
                  .toList());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 10_000})
  void partitionsTogetherAreTheSelection(int count) throws Exception {
    for (Condition condition : CONDITIONS) {
      assertPartitions(condition, "", "file", count, List.of(NUMBER, COLOR, POINT));
      assertPartitions(condition, "point.y,number", "stream", count, List.of(POINT_Y, NUMBER));
      assertPartitions(condition, "color", "", count, List.of(COLOR));
    }
  }

  private JsonNode files(String query) throws Exception {
    return json(PARTITIONS + "?format=file" + query).get("arrow_files");
  }

  private static List<String> strings(JsonNode partitions, String member) {
    List<String> values = new ArrayList<>();
    partitions.forEach(partition -> values.add(partition.get(member).asString()));
    return values;
  }

  @Test
  void returnsOnePartitionWithTheSchemaIfNoRowMatches() throws Exception {
    JsonNode partitions = files("&columns=color&where=number+%3C+0");
    assertThat(strings(partitions, "filename"))
        .containsExactly("datasets/" + DATASET + "@1.arrow?columns=color&where=number+%3C+0");
    assertThat(strings(partitions, "rows")).containsExactly("0");
    assertThat(values(get("/" + partitions.at("/0/filename").asString()), /* isFile= */ true))
        .containsExactly(List.of());
  }

  @Test
  void onePartitionIsTheFile() throws Exception {
    JsonNode partitions = files("&count=1");
    assertThat(strings(partitions, "filename")).containsExactly("datasets/" + DATASET + "@1.arrow");
    assertThat(get("/" + partitions.at("/0/filename").asString()).body())
        .isEqualTo(get("/datasets/" + DATASET + ".arrow").body());
  }

  @Test
  void datasetWithoutRowsIsOneFile() throws Exception {
    put("/datasets/no-selected-partitions?batches=keep", Streams.numbers(0, 0, 0));
    JsonNode partitions =
        json("/datasets/no-selected-partitions/partitions?format=file").get("arrow_files");
    assertThat(strings(partitions, "filename"))
        .containsExactly("datasets/no-selected-partitions@1.arrow");
  }

  @Test
  void eachHasAsManyMatchesAsTheOthers() throws Exception {
    put("/datasets/uneven-matches?batches=keep", Streams.numbers(0, 100, 100, 100, 100));
    String where = "&where=number+%3C+90+or+number+%25+100+=+0";
    JsonNode document = json("/datasets/uneven-matches/partitions?count=2" + where);
    assertThat(strings(document.get("arrow_stream_files"), "rows")).containsExactly("90", "3");
    assertThat(strings(document.get("arrow_stream_files"), "filename"))
        .containsExactly(
            "datasets/uneven-matches@1.arrows?where=number+%3C+90+or+number+%25+100+%3D+0&limit=90",
            "datasets/uneven-matches@1.arrows?where=number+%3C+90+or+number+%25+100+%3D+0"
                + "&offset=90&limit=3");
  }

  @Test
  void partitionsOfANamePinItsVersion() throws Exception {
    put("/datasets/replaced-partitions?batches=keep", Streams.numbers(0, 5, 5));
    JsonNode partitions =
        json("/datasets/replaced-partitions/partitions?format=file&where=number+%3E+2")
            .get("arrow_files");
    put("/datasets/replaced-partitions?batches=keep", Streams.numbers(100, 50));
    List<@Nullable Object> numbers = new ArrayList<>();
    for (String path : strings(partitions, "filename")) {
      numbers.addAll(values(get("/" + path), /* isFile= */ true).getFirst());
    }
    assertThat(numbers).containsExactly(3L, 4L, 5L, 6L, 7L, 8L, 9L);
  }

  @Test
  void clientsThatExpandPatternsSeeNone() throws Exception {
    assertThat(files("&where=number*2+%3E+7").toString())
        .contains("number%2A2")
        .doesNotContain("*");
  }

  @Test
  void entityTagDependsOnTheSelection() throws Exception {
    Set<String> tags = new HashSet<>();
    String[] queries = {
      "?count=8",
      "?format=file",
      "?columns=number",
      "?columns=%5B0%5D",
      "?columns=number&format=file",
      "?where=number>3",
      "?where=number>4",
      "?where=number>4&count=3",
      "?where=number>4&columns=number"
    };
    for (String query : queries) {
      String path = PARTITIONS + query.replace(">", "%3E");
      HttpResponse<byte[]> response = get(path);
      String tag = header(response, "ETag");
      assertThat(tags.add(tag)).as(query).isTrue();
      assertThat(get(path, "If-None-Match", tag).statusCode()).isEqualTo(304);
      HttpResponse<byte[]> head = head(path);
      assertThat(header(head, "ETag")).isEqualTo(tag);
      assertThat(header(head, "Vary")).isEqualTo(header(response, "Vary"));
      assertThat(header(head, "Cache-Control")).isEqualTo("no-cache");
    }
    assertThat(header(get(PARTITIONS + "?format=stream"), "ETag"))
        .isEqualTo(header(get(PARTITIONS), "ETag"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "format=parquet | Expected file or stream but found \"parquet\" at parameter format",
        "columns=colour | colour",
        "where=numbr+%3D+1 | the nearest is number",
        "where=number+%3E+(select+1) | Expected a condition",
        "where=number%3D1&where=number%3D2 | Expected one value but found 2 at parameter where",
        "since=1 | Expected count, columns, where, search or format but found since",
      })
  void rejectsInvalidSelections(String query, String detail) throws Exception {
    HttpResponse<byte[]> response = get(PARTITIONS + "?" + query);
    assertThat(response.statusCode()).as(text(response)).isEqualTo(400);
    assertThat(json(response).get("detail").asString()).contains(detail);
    assertThat(head(PARTITIONS + "?" + query).statusCode()).isEqualTo(400);
  }
}
