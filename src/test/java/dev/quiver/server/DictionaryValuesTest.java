package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.StreamReader;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Reads with the parameter `dictionaries`. `golden.ArrowJavaSelectionTest` covers every type, and
/// `arrow.transform.UsedDictionariesTest` which values are used.
class DictionaryValuesTest extends RunningService {

  private static final String FILE = "application/vnd.apache.arrow.file";

  @BeforeEach
  void upload() throws Exception {
    if (get("/datasets/used-plain").statusCode() == 404) {
      put("/datasets/used-plain?batches=keep", Streams.table(Codec.NONE, 30, 0, 50, 20));
      put("/datasets/used-zstd?batches=keep", Streams.table(Codec.ZSTD, 30, 0, 50, 20));
      put("/datasets/used-lz4?batches=keep", Streams.table(Codec.LZ4, 30, 0, 50, 20));
    }
  }

  /// A received table: the values of the column `number`, and the dictionary of each batch.
  private record Table(List<@Nullable Object> numbers, List<List<@Nullable Object>> dictionaries) {

    static Table of(HttpResponse<byte[]> response) throws IOException {
      assertThat(response.statusCode()).as(text(response)).isEqualTo(200);
      Table table = new Table(new ArrayList<>(), new ArrayList<>());
      MemorySegment bytes = MemorySegment.ofArray(response.body());
      boolean file = header(response, "Content-Type").equals(FILE);
      ByteSource stream = ByteSource.of(file ? bytes.asSlice(8) : bytes);
      try (StreamReader reader = new StreamReader(stream, Limits.DEFAULT)) {
        for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
          batch.columns().forEach(table::add);
        }
      }
      return table;
    }

    private void add(ArrayData column) {
      if (column.field().name().equals("number")) {
        numbers.addAll(Values.of(column));
      } else if (column.dictionary() != null) {
        dictionaries.add(Values.of(column.dictionary()));
      }
    }
  }

  private static List<@Nullable Object> numbers(HttpResponse<byte[]> response) throws IOException {
    return Table.of(response).numbers();
  }

  private static List<List<@Nullable Object>> dictionaries(HttpResponse<byte[]> response)
      throws IOException {
    return Table.of(response).dictionaries();
  }

  private static List<@Nullable Object> range(long from, long to) {
    return new ArrayList<>(LongStream.range(from, to).boxed().toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "used-plain.arrow",
        "used-zstd.arrow",
        "used-zstd.arrows",
        "used-lz4",
        "used-zstd.arrows?codec=lz4&",
        "used-lz4.arrow?codec=none&"
      })
  void dictionariesHaveOnlyUsedValues(String path) throws Exception {
    String url = "/datasets/" + path + (path.contains("?") ? "" : "?") + "dictionaries=used&";
    HttpResponse<byte[]> two = get(url + "offset=32&limit=2");
    assertThat(numbers(two)).isEqualTo(range(32, 34));
    assertThat(dictionaries(two)).containsExactly(List.of("blue", "red"));
    assertThat(dictionaries(get(url + "offset=-1"))).containsExactly(List.of("red"));
    assertThat(dictionaries(get(url + "offset=1&limit=90&sample=2&columns=color")))
        .containsExactly(List.of("green"), List.of("green"));
    HttpResponse<byte[]> all = get(url);
    assertThat(numbers(all)).isEqualTo(range(0, 100));
    assertThat(dictionaries(all).getFirst()).containsExactly("red", "green", "blue");
    assertThat(numbers(get(url + "limit=0"))).isEmpty();
    assertThat(get(url + "columns=number").body())
        .isEqualTo(get(url.replace("=used", "=all") + "columns=number").body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"used-plain.arrow", "used-zstd.arrow", "used-zstd.arrows"})
  void reducedDictionariesHaveLengthRangesAndConditions(String path) throws Exception {
    String url = "/datasets/" + path + "?dictionaries=used&offset=20&limit=70";
    HttpResponse<byte[]> known = head(url);
    HttpResponse<byte[]> whole = get(url);
    assertThat(header(known, "Content-Length")).isEqualTo("" + whole.body().length);
    assertThat(header(known, "Accept-Ranges")).isEqualTo("bytes");
    String tag = header(whole, "ETag");
    assertThat(header(known, "ETag"))
        .isEqualTo(tag)
        .isNotEqualTo(header(get(url.replace("=used", "=all")), "ETag"));
    assertThat(get(url, "If-None-Match", tag).statusCode()).isEqualTo(304);
    for (int start = 0; start < whole.body().length; start += 97) {
      HttpResponse<byte[]> part =
          get(url, "Range", "bytes=" + start + "-" + (start + 96), "If-Range", tag);
      assertThat(part.statusCode()).isEqualTo(206);
      assertThat(part.body())
          .isEqualTo(
              Arrays.copyOfRange(whole.body(), start, Math.min(start + 97, whole.body().length)));
    }
    HttpResponse<byte[]> parts = get(url, "Range", "bytes=0-9,50-99,-70");
    assertThat(parts.statusCode()).isEqualTo(206);
    assertThat(get(url.replace(path, path.replace(".", "@1.")), "If-None-Match", tag).statusCode())
        .isEqualTo(304);
  }

  @Test
  void dictionariesOfNewRowsHaveOnlyTheirValues() throws Exception {
    put("/datasets/used-grow", Streams.colors(false, "red", "green"));
    String second =
        header(post("/datasets/used-grow", Streams.colors(false, "blue")), "Quiver-Version");
    assertThat(second).isEqualTo("2");
    post("/datasets/used-grow", Streams.colors(false, "red", "pink"));
    String url = "/datasets/used-grow.arrow?dictionaries=used";
    assertThat(dictionaries(get(url + "&since=1")).getFirst())
        .containsExactly("blue", "red", "pink");
    assertThat(dictionaries(get(url + "&since=2"))).containsExactly(List.of("red", "pink"));
    assertThat(dictionaries(get("/datasets/used-grow@2.arrow?dictionaries=used&since=1")))
        .containsExactly(List.of("blue"));
    assertThat(dictionaries(get(url + "&offset=2&limit=1"))).containsExactly(List.of("blue"));
  }

  @ParameterizedTest
  @CsvSource({"used-zstd.csv, */*", "used-zstd.jsonl, */*", "used-zstd, application/json"})
  void textHasNoDictionaries(String path, String accept) throws Exception {
    HttpResponse<byte[]> response =
        get("/datasets/" + path + "?dictionaries=used", "Accept", accept);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("detail").asString())
        .isEqualTo(
            "Expected no dictionaries, which only Arrow data has, but found \"used\" at parameter"
                + " dictionaries");
  }

  @Test
  void rejectsOtherValuesOfDictionaries() throws Exception {
    for (String suffix : new String[] {".arrow", ".arrows", ""}) {
      HttpResponse<byte[]> response = get("/datasets/used-plain" + suffix + "?dictionaries=Used");
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(json(response).get("detail").asString())
          .isEqualTo("Expected all or used but found \"Used\" at parameter dictionaries");
    }
    assertThat(get("/datasets/used-plain.arrow?dictionaries=used&dictionaries=all").statusCode())
        .isEqualTo(400);
    for (String path : new String[] {"batches/0", "partitions", "schema"}) {
      assertThat(get("/datasets/used-plain/" + path + "?dictionaries=used").statusCode())
          .isEqualTo(400);
    }
  }

  @Test
  void multipartHasReducedDictionaries() throws Exception {
    HttpResponse<byte[]> mixed =
        get(
            "/datasets/used-plain?dictionaries=used&columns=color&limit=2",
            "Accept",
            "multipart/mixed");
    assertThat(text(mixed)).contains("redgreen").doesNotContain("blue");
  }
}
