package dev.quiver.sql.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.library.Library;
import dev.quiver.sql.vector.ColumnBuilder;
import dev.quiver.sql.vector.ColumnTypes;
import dev.quiver.sql.vector.ResultTypes;
import dev.quiver.sql.vector.VectorFillers;
import java.lang.foreign.Arena;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Statements that keep text for long, over tables whose batches are overwritten as soon as they
/// are closed, or unmapped as soon as the statement is.
class LifetimeTest extends EngineFixture {

  private static final int ROW_COUNT = 30_000;
  private static final int BATCH_LENGTH = 1700;

  /// The layouts of text.
  enum TextLayout {
    UTF8(new ArrowType.Utf8()),
    LARGE_UTF8(new ArrowType.LargeUtf8()),
    UTF8_VIEW(new ArrowType.Utf8View()),
    DICTIONARY(new ArrowType.Utf8()),
    LISTED(new ArrowType.Utf8View()),
    RUNS(new ArrowType.Utf8());

    private final ArrowType type;

    TextLayout(ArrowType type) {
      this.type = type;
    }

    Field field() {
      Field text = Field.of("s", true, type);
      return switch (this) {
        case DICTIONARY ->
            text.withDictionary(new DictionaryEncoding(0, new ArrowType.Int(16, false), false));
        case LISTED -> Field.of("s", true, new ArrowType.List(), text);
        case RUNS ->
            Field.of(
                "s",
                true,
                new ArrowType.RunEndEncoded(),
                Field.of("run_ends", false, new ArrowType.Int(32, true)),
                text);
        case UTF8, LARGE_UTF8, UTF8_VIEW -> text;
      };
    }

    String expression() {
      return this == LISTED ? "s[1]" : "s";
    }

    List<@Nullable Object> column(List<@Nullable String> texts) {
      List<@Nullable Object> column = new ArrayList<>();
      texts.forEach(text -> column.add(this == LISTED ? Arrays.asList(text) : text));
      return column;
    }
  }

  private static @Nullable String text(int row) {
    int number = row * 7919 % 5000;
    return number % 11 == 0 ? null : number % 3 == 0 ? "t" + number : "a longer text " + number;
  }

  private static TestTable table(TextLayout layout, boolean outlivesClose) {
    TestTable table =
        new TestTable(
            Schema.of(Field.of("id", false, new ArrowType.Int(32, true)), layout.field()),
            outlivesClose);
    for (int start = 0; start < ROW_COUNT; start += BATCH_LENGTH) {
      List<Integer> ids =
          IntStream.range(start, Math.min(ROW_COUNT, start + BATCH_LENGTH)).boxed().toList();
      List<@Nullable String> texts = new ArrayList<>();
      ids.forEach(id -> texts.add(text(id)));
      List<@Nullable String> values =
          texts.stream().filter(text -> text != null).distinct().toList();
      table.add(Map.of(0L, values), List.of(ids, layout.column(texts)));
    }
    return table;
  }

  private static List<List<@Nullable Object>> rows(
      TextLayout layout, boolean outlivesClose, String sql) {
    List<List<@Nullable Object>> rows;
    try (TestTable table = table(layout, outlivesClose);
        Session session = engine.connect()) {
      rows =
          TestEngine.rows(
              session,
              "WITH u AS (SELECT id, " + layout.expression() + " AS s FROM t) " + sql,
              Map.of("t", table));
      assertThat(table.openBatches).hasValue(0);
    }
    assertThat(engine.scans().handleCount()).isZero();
    return rows;
  }

  private static TreeMap<String, Long> counts() {
    TreeMap<String, Long> counts = new TreeMap<>();
    for (int i = 0; i < ROW_COUNT; i++) {
      String text = text(i);
      if (text != null) {
        counts.merge(text, 1L, Long::sum);
      }
    }
    return counts;
  }

  @ParameterizedTest
  @EnumSource
  void sortedTexts(TextLayout layout) {
    List<List<Object>> expected =
        IntStream.range(0, ROW_COUNT)
            .boxed()
            .filter(id -> text(id) != null)
            .sorted(Comparator.comparing((Integer id) -> text(id)).thenComparing(id -> id))
            .map(id -> List.<Object>of((long) id, text(id)))
            .toList();
    for (boolean outlivesClose : new boolean[] {true, false}) {
      assertThat(rows(layout, outlivesClose, "SELECT * FROM u WHERE s IS NOT NULL ORDER BY s, id"))
          .as("outlives: %s", outlivesClose)
          .isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @EnumSource
  void groupedTexts(TextLayout layout) {
    List<List<Object>> expected =
        counts().entrySet().stream()
            .map(entry -> List.<Object>of(entry.getKey(), entry.getValue()))
            .toList();
    for (boolean outlivesClose : new boolean[] {true, false}) {
      assertThat(
              rows(
                  layout,
                  outlivesClose,
                  "SELECT s, count(*) FROM u WHERE s IS NOT NULL GROUP BY s ORDER BY s"))
          .isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @EnumSource
  void joinedTexts(TextLayout layout) {
    long expected = counts().values().stream().mapToLong(count -> count * count).sum();
    for (boolean outlivesClose : new boolean[] {true, false}) {
      assertThat(
              rows(
                  layout,
                  outlivesClose,
                  "SELECT count(*), sum(a.id - b.id) FROM u a JOIN u b ON a.s = b.s"))
          .containsExactly(List.of(expected, BigInteger.ZERO));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aggregatedTexts(TextLayout layout) {
    TreeMap<String, Long> counts = counts();
    for (boolean outlivesClose : new boolean[] {true, false}) {
      assertThat(
              rows(
                  layout,
                  outlivesClose,
                  "SELECT min(s), max(s), count(DISTINCT s), len(list(s)),"
                      + " first(s ORDER BY id DESC) FILTER (s IS NOT NULL) FROM u"))
          .containsExactly(
              List.of(
                  counts.firstKey(),
                  counts.lastKey(),
                  (long) counts.size(),
                  (long) ROW_COUNT,
                  text(ROW_COUNT - 1)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void streamedTexts(TextLayout layout) {
    for (boolean outlivesClose : new boolean[] {true, false}) {
      List<List<@Nullable Object>> rows = rows(layout, outlivesClose, "SELECT * FROM u");
      assertThat(rows).hasSize(ROW_COUNT);
      for (int i = 0; i < ROW_COUNT; i++) {
        assertThat(rows.get(i).get(1)).isEqualTo(text(i));
      }
    }
  }

  /// The engine happens to read a chunk before it asks for the next one, so no statement shows
  /// whether the text of an earlier batch is still needed.
  @ParameterizedTest
  @EnumSource(names = {"UTF8", "LARGE_UTF8", "UTF8_VIEW"})
  void textIsCopiedUnlessItOutlivesItsBatch(TextLayout layout) {
    List<@Nullable String> texts = new ArrayList<>();
    IntStream.range(0, BATCH_LENGTH).forEach(row -> texts.add(text(row)));
    try (TestTable copied = table(layout, false);
        TableBatch batch = copied.read(0, new int[] {1})) {
      assertThat(textsAfter(batch, _ -> batch.close())).isEqualTo(texts);
    }
    try (TestTable shared = table(layout, true);
        TableBatch batch = shared.read(0, new int[] {1})) {
      List<@Nullable Object> changed =
          textsAfter(batch, column -> column.buffers().getLast().fill((byte) 'z'));
      for (int i = 0; i < texts.size(); i++) {
        String text = texts.get(i);
        boolean inline = text == null || text.length() <= 12;
        assertThat(changed.get(i)).isEqualTo(inline ? text : "z".repeat(text.length()));
      }
    }
  }

  /// Returns the values of a vector that a batch's only column was copied to, after an action.
  private static List<@Nullable Object> textsAfter(TableBatch batch, Consumer<ArrayData> action) {
    Library library = Library.load(TestEngine.library());
    ArrayData column = batch.rows().columns().getFirst();
    long type = new ColumnTypes(library.types()).create(column.field());
    long vector = library.vectors().create(type, BATCH_LENGTH);
    try (VectorFillers fillers = new VectorFillers(library);
        Arena arena = Arena.ofConfined()) {
      fillers.create(List.of(column), !batch.outlivesClose())[0].fill(0, BATCH_LENGTH, vector, 0);
      action.accept(column);
      ColumnBuilder builder =
          new ResultTypes(library.types(), library.vectors()).builder("s", type);
      builder.attach(vector);
      builder.append(0, BATCH_LENGTH, arena);
      return Values.of(builder.take());
    } finally {
      library.vectors().release(vector);
      library.types().release(type);
    }
  }

  /// A result is a copy, so it outlives its statement and its table.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void resultOutlivesEverything(boolean outlivesClose) {
    try (Arena arena = Arena.ofConfined()) {
      RecordBatch batch;
      try (TestTable table = table(TextLayout.UTF8, outlivesClose);
          Session session = engine.connect();
          Statement statement =
              session.prepare("SELECT s FROM t", Map.of("t", table), StatementParameters.NONE)) {
        batch = Objects.requireNonNull(statement.next(arena));
      }
      List<@Nullable Object> values = Values.of(batch.columns().getFirst());
      for (int i = 0; i < values.size(); i++) {
        assertThat(values.get(i)).isEqualTo(text(i));
      }
    }
  }
}
