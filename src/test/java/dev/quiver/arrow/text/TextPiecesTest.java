package dev.quiver.arrow.text;

import static dev.quiver.arrow.text.Rendered.INT64;
import static dev.quiver.arrow.text.Rendered.UTF8;
import static dev.quiver.arrow.text.Rendered.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Trials;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.type.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests text that several threads write in pieces, which must be the same as that of one thread.
class TextPiecesTest {

  private static final CpuPool THREADS = new CpuPool(4);
  private static final Limit UNLIMITED = new Limit("text-response-bytes", Long.MAX_VALUE);
  private static final int SMALL_PIECE = 4 << 10;

  private static String text(
      CpuPool pool, TextFormat format, TextOptions options, RecordBatch... batches)
      throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    write(pool, format, options, part -> text.writeBytes(part.toArray(LittleEndian.INT8)), batches);
    return text.toString(StandardCharsets.UTF_8);
  }

  private static void write(
      CpuPool pool, TextFormat format, TextOptions options, ByteSink sink, RecordBatch... batches)
      throws IOException {
    Schema schema = batches[0].schema();
    Renderer renderer =
        Renderer.begin(
            format, options, schema, sink, UNLIMITED, new Renderer.Helpers(pool, SMALL_PIECE));
    for (RecordBatch batch : batches) {
      renderer.write(batch);
    }
    renderer.end();
  }

  private static void assertSame(TextFormat format, TextOptions options, RecordBatch... batches)
      throws IOException {
    // Lines, since the difference of long texts takes long to describe.
    assertThat(text(THREADS, format, options, batches).split("\n", -1))
        .isEqualTo(text(CpuPool.SINGLE, format, options, batches).split("\n", -1));
  }

  private static RecordBatch batch(Arena arena, RandomData data, Schema schema, int rows) {
    List<? extends List<@Nullable Object>> values =
        schema.fields().stream().map(field -> data.values(field, rows)).toList();
    return new ArrayBuilder(arena, data.dictionaries()).recordBatch(schema, rows, values);
  }

  /// The memory belongs to one thread, as that of a response does.
  @Tag("random")
  @ParameterizedTest
  @EnumSource
  void writesRowsOfAllTypesAsOneThreadDoes(TextFormat format) throws IOException {
    for (int seed : Trials.seeds(1_000)) {
      RandomData data = new RandomData(seed);
      Schema schema = data.schema(2);
      TextOptions options =
          TextOptions.cut(JsonNumbers.values()[seed % 2], seed % 3 == 0 ? 5 : Long.MAX_VALUE);
      try (Arena arena = Arena.ofConfined()) {
        assertSame(
            format,
            options,
            batch(arena, data, schema, seed % 7),
            batch(arena, data, schema, 300),
            batch(arena, data, schema, 200));
      }
    }
  }

  private static RecordBatch texts(IntStream lengths) {
    List<String> values = lengths.mapToObj("é,\""::repeat).toList();
    Schema schema = Schema.of(named("n", INT64), named("t", UTF8));
    List<Long> numbers = IntStream.range(0, values.size()).mapToObj(i -> (long) i * i).toList();
    return new ArrayBuilder(Arena.ofAuto())
        .recordBatch(schema, values.size(), List.of(numbers, values));
  }

  /// Rows that exceed a piece alone, and rows that are much longer or shorter than those before.
  @ParameterizedTest
  @ValueSource(ints = {33, 34, 64, 100, 333})
  void writesRowsLongerThanAPieceAmongShortOnes(int period) throws IOException {
    RecordBatch batch = texts(IntStream.range(0, 2_000).map(i -> i % period == 0 ? 2_000 : i % 5));
    RecordBatch growing = texts(IntStream.range(0, 2_000).map(i -> i / 4));
    RecordBatch shrinking = texts(IntStream.range(0, 2_000).map(i -> (2_000 - i) / 4));
    for (TextFormat format : TextFormat.values()) {
      assertSame(format, TextOptions.DEFAULT, batch, growing, shrinking);
    }
  }

  /// The end of the last piece is at, before and after the end of a batch.
  @Test
  void writesBatchesOfEveryLength() throws IOException {
    for (int rows = 0; rows < 600; rows += 7) {
      RecordBatch batch = texts(IntStream.range(0, rows).map(i -> 4));
      assertSame(TextFormat.JSON, TextOptions.DEFAULT, batch, batch);
    }
  }

  private static String failure(CpuPool pool, RecordBatch batch, long limit, long[] sent)
      throws IOException {
    Renderer renderer =
        Renderer.begin(
            TextFormat.CSV,
            TextOptions.DEFAULT,
            batch.schema(),
            part -> sent[0] += part.byteSize(),
            new Limit("text-response-bytes", limit),
            new Renderer.Helpers(pool, SMALL_PIECE));
    try {
      renderer.write(batch);
      renderer.end();
      return "";
    } catch (TooLargeInputException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void limitsTheWholeText() throws IOException {
    RecordBatch batch = texts(IntStream.range(0, 5_000).map(i -> i % 9));
    String text = text(CpuPool.SINGLE, TextFormat.CSV, TextOptions.DEFAULT, batch);
    long byteSize = text.getBytes(StandardCharsets.UTF_8).length;
    long[] sent = {0};
    assertThat(failure(THREADS, batch, byteSize, sent)).isEmpty();
    assertThat(sent[0]).isEqualTo(byteSize);
    for (long limit : new long[] {byteSize - 1, byteSize / 2, 40_000, 1_500}) {
      sent[0] = 0;
      assertThat(failure(THREADS, batch, limit, sent)).contains("at most " + limit, " at row ");
      assertThat(sent[0]).isLessThanOrEqualTo(limit);
    }
  }

  @Test
  void throwsWhatTheSinkThrowsAndSendsNothingMore() {
    RecordBatch batch = texts(IntStream.range(0, 5_000).map(i -> i % 9));
    int[] calls = {0};
    assertThatThrownBy(() ->
            write(
                THREADS,
                TextFormat.CSV,
                TextOptions.DEFAULT,
                _ -> {
                  if (++calls[0] == 5) {
                    throw new IOException("gone");
                  }
                },
                batch))
        .hasMessage("gone");
    assertThat(calls[0]).isEqualTo(5);
  }
}
