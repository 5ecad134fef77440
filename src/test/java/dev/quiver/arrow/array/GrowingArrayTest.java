package dev.quiver.arrow.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Trials;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests that arrays of every layout grow while earlier snapshots stay unchanged.
@Tag("random")
class GrowingArrayTest {

  private static final int SEED_COUNT = 150;

  @Test
  void appendsAllSlotsAndKeepsEarlierSnapshots() {
    for (int seed : Trials.seeds(SEED_COUNT)) {
      RandomData data = new RandomData(seed);
      Random random = new Random(seed);
      try (Arena arena = Arena.ofConfined()) {
        Schema schema = data.schema(3);
        ArrayBuilder builder = new ArrayBuilder(arena, data.dictionaries());
        for (Field field : schema.fields()) {
          GrowingArray growing = new GrowingArray(field);
          List<ArrayData> snapshots = new ArrayList<>();
          List<List<@Nullable Object>> expected = new ArrayList<>();
          List<@Nullable Object> all = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            List<@Nullable Object> values = data.values(field, random.nextInt(12));
            growing.append(builder.array(field, values), arena);
            all.addAll(values);
            snapshots.add(growing.array());
            expected.add(new ArrayList<>(all));
          }
          for (int i = 0; i < snapshots.size(); i++) {
            assertThat(Values.of(snapshots.get(i)))
                .as("seed %d, %s, after %d", seed, field, i)
                .isEqualTo(Values.of(builder.array(field, expected.get(i))));
          }
        }
      }
    }
  }

  @Test
  void copiesEachSlotAConstantNumberOfTimes() {
    AtomicLong allocated = new AtomicLong();
    SegmentAllocator counting =
        (byteSize, alignment) -> {
          allocated.addAndGet(byteSize);
          return Arena.ofAuto().allocate(byteSize, alignment);
        };
    Field field = Field.of("t", true, new ArrowType.Utf8());
    ArrayData one = new ArrayBuilder(Arena.ofAuto()).array(field, List.of("12345678"));
    GrowingArray growing = new GrowingArray(field);
    int count = 10_000;
    for (int i = 0; i < count; i++) {
      growing.append(one, counting);
      assertThat(growing.array().length()).isEqualTo(i + 1);
    }
    assertThat(allocated.get()).isLessThan(4L * 12 * count);
  }

  @Test
  void rejectsRunEndsThatOverflowTheirType() {
    Field field =
        Field.of(
            "r",
            true,
            new ArrowType.RunEndEncoded(),
            Field.of("run_ends", false, new ArrowType.Int(16, true)),
            Field.of("values", true, new ArrowType.Int(8, true)));
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      values.add(1L);
    }
    ArrayData array = new ArrayBuilder(Arena.ofAuto()).array(field, values);
    GrowingArray growing = new GrowingArray(field);
    growing.append(array, Arena.ofAuto());
    assertThatThrownBy(() -> growing.append(array, Arena.ofAuto()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Expected at most 32767 but found 40000 in an array of run_ends: int16 not null");
  }
}
