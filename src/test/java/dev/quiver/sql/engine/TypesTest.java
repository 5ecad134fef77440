package dev.quiver.sql.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Trials;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.OddArrays;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Slices;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.engine.EngineException.Kind;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Random tables of all types, null shapes and layouts through `SELECT *`.
@Tag("random")
class TypesTest extends EngineFixture {

  private static final int SEED_COUNT = 600;
  private static final int DEPTH = 3;
  private static final ArrowType INT32 = new ArrowType.Int(32, true);

  private static final String COPY = "SELECT * FROM t";

  /// Copies all values into the engine's own format of rows and back, and reverses them.
  private static final String SORT =
      "SELECT f FROM (SELECT f, row_number() OVER () AS r FROM t) ORDER BY r DESC";

  @Test
  void everyTypeKeepsItsValues() {
    int supported = 0;
    for (int seed : Trials.seeds(SEED_COUNT)) {
      RandomData data = new RandomData(seed);
      Field field = data.field("f", DEPTH);
      if (ExpectedTypes.isSupported(field)) {
        supported++;
        check(seed, data, field);
      } else {
        checkUnsupported(field);
      }
    }
    assertThat(supported).isGreaterThan(Trials.of(SEED_COUNT * 2 / 3));
  }

  private void check(int seed, RandomData data, Field field) {
    Random random = new Random(seed);
    // Some arrays have more slots than a chunk of the engine has rows.
    int count = random.nextInt(20) == 0 ? 5000 : random.nextInt(100);
    List<@Nullable Object> values = tame(data, field, data.values(field, count));
    try (TestTable table = new TestTable(Schema.of(field), random.nextBoolean())) {
      List<@Nullable Object> expected = new ArrayList<>();
      while (expected.size() < values.size()) {
        // An array that begins within another one.
        int start = Math.max(0, expected.size() - random.nextInt(20));
        int end = Math.min(values.size(), expected.size() + 1 + random.nextInt(3000));
        ArrayData whole =
            new OddArrays(seed, data, table.arena()).array(field, values.subList(start, end));
        int offset = expected.size() - start;
        ArrayData array = Slices.slice(whole, offset, whole.length() - offset, table.arena());
        table.add(new RecordBatch(table.schema(), array.length(), List.of(array)));
        values
            .subList(expected.size(), end)
            .forEach(value -> expected.add(ExpectedTypes.value(field, value)));
      }
      String description = "seed " + seed + ", " + field;
      boolean sorts = random.nextBoolean();
      try (Statement statement =
          session.prepare(sorts ? SORT : COPY, Map.of("t", table), StatementParameters.NONE)) {
        assertThat(statement.schema())
            .as(description)
            .isEqualTo(Schema.of(ExpectedTypes.field(field)));
        List<@Nullable Object> found = new ArrayList<>();
        TestEngine.rows(statement).forEach(row -> found.add(row.getFirst()));
        if (sorts) {
          Collections.reverse(found);
        }
        assertThat(found).as(description).isEqualTo(expected);
      } catch (EngineException e) {
        throw new AssertionError(description, e);
      }
      assertThat(table.openBatches).hasValue(0);
    }
  }

  /// Returns values that DuckDB can hold, also those of dictionaries.
  private static List<@Nullable Object> tame(
      RandomData data, Field field, List<@Nullable Object> values) {
    tameDictionaries(data, field);
    List<@Nullable Object> tamed = new ArrayList<>();
    values.forEach(value -> tamed.add(ExpectedTypes.tame(field, value)));
    return tamed;
  }

  private static void tameDictionaries(RandomData data, Field field) {
    field.children().forEach(child -> tameDictionaries(data, child));
    if (field.dictionary() != null) {
      data.dictionaries()
          .computeIfPresent(
              field.dictionary().id(),
              (_, values) -> {
                List<@Nullable Object> tamed = new ArrayList<>();
                values.forEach(value -> tamed.add(ExpectedTypes.tame(field, value)));
                return tamed;
              });
    }
  }

  private void checkUnsupported(Field field) {
    try (TestTable table = new TestTable(Schema.of(field), true)) {
      assertThatThrownBy(() -> TestEngine.rows(session, "SELECT * FROM t", Map.of("t", table)))
          .as("%s", field)
          .isInstanceOfSatisfying(
              EngineException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNSUPPORTED_TYPE));
    }
  }

  /// List views may share items, more than the engine could hold if each had its own.
  @Test
  void listViewsShareItems() {
    int count = 3000;
    int itemCount = 50_000;
    Field field = Field.of("f", true, new ArrowType.ListView(), Field.of("item", true, INT32));
    try (TestTable table = new TestTable(Schema.of(field), false)) {
      List<Integer> items = IntStream.range(0, itemCount).boxed().toList();
      ArrayData values = new ArrayBuilder(table.arena()).array(field.children().getFirst(), items);
      MemorySegment offsets = table.arena().allocate(4L * count, 8);
      MemorySegment sizes = table.arena().allocate(4L * count, 8);
      for (int i = 0; i < count; i++) {
        LittleEndian.setInt32(offsets, 4L * i, 7 + i);
        LittleEndian.setInt32(sizes, 4L * i, itemCount - 7 - i);
      }
      List<MemorySegment> buffers = List.of(MemorySegment.NULL, offsets, sizes);
      ArrayData views = new ArrayData(field, count, 0, buffers, List.of(values), null);
      table.add(new RecordBatch(table.schema(), count, List.of(views)));
      String sql =
          "SELECT count(*) FROM (SELECT f, row_number() OVER () + 6 AS first FROM t)"
              + " WHERE f[1] = first AND f[2] = first + 1 AND len(f) = 50000 - first";
      assertThat(TestEngine.rows(session, sql, Map.of("t", table)))
          .containsExactly(List.of((long) count));
    }
  }
}
