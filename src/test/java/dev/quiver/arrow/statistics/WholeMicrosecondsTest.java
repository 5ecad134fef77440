package dev.quiver.arrow.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The statistic that all timestamps of a column are whole microseconds.
class WholeMicrosecondsTest {

  private static final ArrowType ZONED = new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC");
  private static final Field ITEM = Field.of("item", true, ZONED);

  private static ColumnStatistics statistics(ArrayData array) {
    return new StatisticsCalculator(_ -> List.of())
        .of(array.length(), List.of(array))
        .columns()
        .getFirst();
  }

  private static boolean isWhole(Field field, List<? extends @Nullable Object> slots) {
    return isWhole(field, slots, Map.of());
  }

  private static boolean isWhole(
      Field field, List<? extends @Nullable Object> slots, Map<Long, List<?>> dictionaries) {
    try (Arena arena = Arena.ofConfined()) {
      return statistics(new ArrayBuilder(arena, dictionaries).array(field, slots))
          .isWholeMicroseconds();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 63, 64, 65, 5000, 20_000})
  void findsOneFinerValueAnywhere(int length) {
    List<@Nullable Long> slots = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      slots.add(i % 7 == 3 ? null : (i - 100) * 1000L);
    }
    assertThat(isWhole(ITEM, slots)).isTrue();
    for (int i : new int[] {0, length / 2, length - 1}) {
      Long before = slots.set(i, -1L);
      assertThat(isWhole(ITEM, slots)).as("slot %d", i).isFalse();
      slots.set(i, before);
    }
  }

  /// pandas leaves the least integer in null slots.
  @Test
  void valuesOfNullSlotsDoNotCount() {
    MemorySegment data = MemorySegment.ofArray(new byte[2 * Long.BYTES]);
    LittleEndian.setInt64(data, 0, 5000);
    LittleEndian.setInt64(data, Long.BYTES, Long.MIN_VALUE);
    MemorySegment validity = MemorySegment.ofArray(new byte[] {0b01});
    ArrayData array = new ArrayData(ITEM, 2, 1, List.of(validity, data), List.of(), null);
    assertThat(statistics(array).isWholeMicroseconds()).isTrue();
  }

  @Test
  void nestedValuesCount() {
    Field list = Field.of("l", true, new ArrowType.List(), ITEM);
    Field lists = Field.of("ll", true, new ArrowType.LargeList(), list);
    for (long value : new long[] {1000, 1001}) {
      boolean whole = value == 1000;
      assertThat(isWhole(list, List.of(List.of(0L, value)))).isEqualTo(whole);
      assertThat(isWhole(lists, List.of(List.of(List.of(0L), List.of(value))))).isEqualTo(whole);
    }
  }

  @Test
  void valuesOfDictionariesCount() {
    Field field =
        ITEM.withDictionary(
            new DictionaryEncoding(1, new ArrowType.Int(8, true), /* ordered= */ false));
    List<Long> slots = List.of(0L, 1000L, 0L);
    Field list = Field.of("l", true, new ArrowType.List(), field);
    assertThat(isWhole(field, slots, Map.of(1L, List.of(0L, 1000L)))).isTrue();
    assertThat(isWhole(list, List.of(slots), Map.of(1L, List.of(0L, 1000L)))).isTrue();
    assertThat(isWhole(field, List.of(5L), Map.of(1L, List.of(0L, 1000L, 5L)))).isFalse();
    // Readers convert dictionaries as a whole.
    assertThat(isWhole(field, slots, Map.of(1L, List.of(0L, 1000L, 5L)))).isFalse();
    assertThat(isWhole(field, nulls(), Map.of(1L, List.of(0L, 1000L, 5L)))).isFalse();
    assertThat(isWhole(field, nulls(), Map.of(1L, List.of(0L, 1000L)))).isTrue();
    assertThat(isWhole(list, List.of(slots), Map.of(1L, List.of(0L, 1000L, 5L)))).isFalse();
  }

  @Test
  void otherTypesDoNotCount() {
    for (ArrowType type :
        List.of(
            new ArrowType.Timestamp(TimeUnit.NANOSECOND, null),
            new ArrowType.Timestamp(TimeUnit.NANOSECOND, ""),
            new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC"),
            new ArrowType.Int(64, true))) {
      assertThat(isWhole(Field.of("a", true, type), List.of(1000L))).as("%s", type).isFalse();
    }
  }

  @Test
  void holdsForSeveralBatchesIfItHoldsForEach() {
    Schema schema = Schema.of(ITEM);
    try (Arena arena = Arena.ofConfined()) {
      List<BatchStatistics> parts = new ArrayList<>();
      for (List<@Nullable Long> slots :
          List.of(List.of(1000L), nulls(), List.of(5L), List.of(2000L))) {
        parts.add(
            new BatchStatistics(List.of(statistics(new ArrayBuilder(arena).array(ITEM, slots)))));
      }
      for (int count = 1; count <= parts.size(); count++) {
        BatchStatistics merged = BatchStatistics.merged(schema, parts.subList(0, count));
        assertThat(merged.columns().getFirst().isWholeMicroseconds()).isEqualTo(count < 3);
        assertThat(BatchStatistics.read(merged.write())).isEqualTo(merged);
      }
    }
  }

  private static List<@Nullable Long> nulls() {
    List<@Nullable Long> nulls = new ArrayList<>();
    nulls.add(null);
    return nulls;
  }
}
