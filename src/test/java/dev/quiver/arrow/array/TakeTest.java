package dev.quiver.arrow.array;

import static dev.quiver.arrow.array.OddArrayCases.assertCompact;
import static dev.quiver.arrow.array.OddArrayCases.assertHolds;
import static dev.quiver.arrow.array.OddArrayCases.forEachSeed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Trials;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.UnionMode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests that taken slots are valid arrays with the expected values, whatever the shape of the
/// array and the order of the slots. A failure names its seed. Selections with a sample are
/// compared with Arrow Java in `golden.ArrowJavaSelectionTest`, and with Arrow C++ in the client
/// tests.
@Tag("random")
class TakeTest {

  static SlotRanges slots(Arena arena, List<Integer> slots) {
    SlotRanges ranges = new SlotRanges(arena);
    slots.forEach(slot -> ranges.add(slot, 1));
    return ranges;
  }

  private static SlotRanges slots(Arena arena, Integer... slots) {
    return slots(arena, List.of(slots));
  }

  private static List<@Nullable Object> values(
      List<? extends @Nullable Object> all, List<Integer> slots) {
    List<@Nullable Object> values = new ArrayList<>();
    slots.forEach(slot -> values.add(all.get(slot)));
    return values;
  }

  /// Returns some slots, mostly single ones, sometimes runs of them.
  static List<Integer> ascending(Random random, int length) {
    int share = 1 + random.nextInt(8);
    List<Integer> slots = new ArrayList<>();
    boolean last = false;
    for (int slot = 0; slot < length; slot++) {
      last = random.nextInt(8) < (last ? (share + 8) / 2 : share);
      if (last) {
        slots.add(slot);
      }
    }
    return slots;
  }

  @Test
  void takesAscendingSlotsWithoutNeedingMoreMemory() {
    forEachSeed((random, array, values, allocator, description) -> {
      List<Integer> slots = ascending(random, values.size());
      try (Arena arena = Arena.ofConfined()) {
        ArrayData taken = Take.take(array, slots(arena, slots), allocator, allocator);
        String which = slots + " of " + description;
        assertHolds(taken, values(values, slots), which);
        assertCompact(taken, which);
        ArrayData whole = Concatenation.compact(array, allocator);
        assertThat(taken.byteSize()).as(which).isLessThanOrEqualTo(bound(whole));
      }
    });
  }

  /// Returns the size of an array, in which validity may be missing and offsets be empty.
  private static long bound(ArrayData array) {
    return array.byteSize() + 64;
  }

  @Test
  void takesSlotsInAnyOrderAndRepeatedly() {
    forEachSeed((random, array, values, allocator, description) -> {
      List<Integer> slots = new ArrayList<>();
      for (int i = values.isEmpty() ? 0 : random.nextInt(90); i > 0; i--) {
        slots.add(
            random.nextInt(3) == 0 && !slots.isEmpty()
                ? slots.getLast()
                : Integer.valueOf(random.nextInt(values.size())));
      }
      try (Arena arena = Arena.ofConfined()) {
        ArrayData taken = Take.take(array, slots(arena, slots), allocator, allocator);
        String which = slots + " of " + description;
        assertHolds(taken, values(values, slots), which);
        assertCompact(taken, which);
        List<Integer> again = new ArrayList<>();
        for (int i = 0; i < slots.size(); i++) {
          again.add(i);
        }
        Collections.shuffle(again, random);
        assertHolds(
            Take.take(taken, slots(arena, again), allocator, allocator),
            values(values(values, slots), again),
            "twice " + which);
      }
    });
  }

  @Test
  void keepsDictionariesWhole() {
    forEachSeed((random, array, values, allocator, description) -> {
      try (Arena arena = Arena.ofConfined()) {
        ArrayData taken =
            Take.take(array, slots(arena, ascending(random, values.size())), allocator, allocator);
        assertThat(dictionaries(taken)).as(description).isEqualTo(dictionaries(array));
      }
    });
  }

  private static List<@Nullable ArrayData> dictionaries(ArrayData array) {
    List<@Nullable ArrayData> dictionaries = new ArrayList<>();
    dictionaries.add(array.dictionary());
    array.children().forEach(child -> dictionaries.addAll(dictionaries(child)));
    return dictionaries;
  }

  @Test
  void consecutiveSlotsShareMemory() {
    try (Arena arena = Arena.ofConfined()) {
      ArrayData array =
          new ArrayBuilder(arena)
              .array(Field.of("t", true, new ArrowType.Utf8()), List.of("one", "two", "three"));
      ArrayData taken = Take.take(array, slots(arena, 1, 2), arena, arena);
      assertThat(taken.buffer(BufferRole.DATA).address())
          .isEqualTo(array.buffer(BufferRole.DATA).address() + 3);
    }
  }

  @Test
  void nullSlotsHaveNoBytes() {
    try (Arena arena = Arena.ofConfined()) {
      ArrayData array =
          new ArrayBuilder(arena)
              .array(Field.of("t", true, new ArrowType.Utf8()), List.of("one", "two", "three"));
      MemorySegment validity = arena.allocate(1);
      LittleEndian.setInt8(validity, 0, (byte) 0b101);
      List<MemorySegment> buffers = new ArrayList<>(array.buffers());
      buffers.set(0, validity);
      ArrayData withGarbage = new ArrayData(array.field(), 3, 1, buffers, List.of(), null);
      ArrayData taken = Take.take(withGarbage, slots(arena, 2, 1, 0), arena, arena);
      List<@Nullable Object> expected = new ArrayList<>(List.of("three", "one"));
      expected.add(1, null);
      assertHolds(taken, expected, "text under a null");
      assertThat(taken.buffer(BufferRole.DATA).byteSize()).isEqualTo(8);
    }
  }

  @Test
  void fewListViewsTakeOnlyTheirItems() {
    try (Arena arena = Arena.ofConfined()) {
      Field field =
          Field.of(
              "v",
              true,
              new ArrowType.ListView(),
              Field.of("item", false, new ArrowType.Int(32, true)));
      List<@Nullable Object> values = new ArrayList<>();
      for (long i = 0; i < 100; i++) {
        values.add(List.of(i, i));
      }
      ArrayData array = new ArrayBuilder(arena).array(field, values);
      ArrayData taken = Take.take(array, slots(arena, 99, 0), arena, arena);
      assertHolds(taken, List.of(List.of(99L, 99L), List.of(0L, 0L)), "last and first");
      assertThat(taken.children().getFirst().length()).isEqualTo(4);
    }
  }

  /// Most list views share an item, and one has an item far away, so that few items are used.
  @Test
  void distantListViewsTakeASharedItemOnce() {
    try (Arena arena = Arena.ofConfined()) {
      int count = 100;
      Field item = Field.of("item", false, new ArrowType.Int(32, true));
      List<@Nullable Object> values = new ArrayList<>();
      for (long i = 0; i < 10 * count; i++) {
        values.add(i);
      }
      ArrayData items = new ArrayBuilder(arena).array(item, values);
      Integers offsets = new Integers(arena.allocate(4 * count, 8), 4);
      Integers sizes = new Integers(arena.allocate(4 * count, 8), 4);
      List<@Nullable Object> expected = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        long start = i % 3 == 0 ? 999 : 7 + i % 2;
        int size = i % 3 == 0 ? 1 : 2;
        offsets.set(i, start);
        sizes.set(i, size);
        if (i % 2 == 0) {
          expected.add(size == 1 ? List.of(start) : List.of(start, start + 1));
        }
      }
      ArrayData views =
          new ArrayData(
              Field.of("v", false, new ArrowType.ListView(), item),
              count,
              0,
              List.of(MemorySegment.NULL, offsets.segment(), sizes.segment()),
              List.of(items),
              null);
      SlotRanges even = new SlotRanges(arena);
      for (int i = 0; i < count; i += 2) {
        even.add(i, 1);
      }
      ArrayData taken = Take.take(views, even, arena, arena);
      assertHolds(taken, expected, "even ones");
      assertThat(taken.children().getFirst().length()).isEqualTo(3);
      SlotRanges all = new SlotRanges(arena);
      all.add(1, count - 1);
      all.add(0, 1);
      assertThat(Take.take(views, all, arena, arena).children().getFirst().length()).isEqualTo(4);
    }
  }

  /// The order of the list views, and how they overlap, is that of each seed.
  @Test
  void listViewsInEveryOrderTakeUsedItemsOnce() {
    for (int seed : Trials.seeds(2000)) {
      try (Arena arena = Arena.ofConfined()) {
        Random random = new Random(seed);
        boolean large = random.nextBoolean();
        int byteWidth = large ? Long.BYTES : Integer.BYTES;
        int count = 2 + random.nextInt(40);
        int itemCount = 1 + random.nextInt(1 << random.nextInt(10));
        int order = random.nextInt(5);
        int maximumSize = 1 + random.nextInt(order == 4 ? itemCount : 3);
        Integers offsets = new Integers(arena.allocate((long) byteWidth * count, 8), byteWidth);
        Integers sizes = new Integers(arena.allocate((long) byteWidth * count, 8), byteWidth);
        SlotRanges slots = new SlotRanges(arena);
        List<@Nullable Object> expected = new ArrayList<>();
        BitSet used = new BitSet();
        for (int i = 0; i < count; i++) {
          int start =
              switch (order) {
                case 0 -> (count - 1 - i) * itemCount / count;
                case 1 -> i * itemCount / count;
                case 2 -> itemCount / 2;
                default -> random.nextInt(itemCount);
              };
          int size = Math.min(random.nextInt(maximumSize + 1), itemCount - start);
          offsets.set(i, start);
          sizes.set(i, size);
          if (i == 0 || random.nextInt(3) > 0) {
            slots.add(i, 1);
            expected.add(LongStream.range(start, start + size).boxed().toList());
            used.set(start, start + size);
          }
        }
        Field item = Field.of("item", false, new ArrowType.Int(32, true));
        ArrayData views =
            new ArrayData(
                Field.of(
                    "v",
                    false,
                    large ? new ArrowType.LargeListView() : new ArrowType.ListView(),
                    item),
                count,
                0,
                List.of(MemorySegment.NULL, offsets.segment(), sizes.segment()),
                List.of(
                    new ArrayBuilder(arena)
                        .array(item, LongStream.range(0, itemCount).boxed().toList())),
                null);
        ArrayData taken =
            Take.take(views, slots, OddArrayCases.dirty(arena), OddArrayCases.dirty(arena));
        assertHolds(taken, expected, "seed " + seed);
        if (slots.count() > 1) {
          int span = used.isEmpty() ? 0 : used.length() - used.nextSetBit(0);
          assertThat(taken.children().getFirst().length())
              .as("seed " + seed)
              .isEqualTo(used.cardinality() >= span / 2 ? span : used.cardinality());
        }
      }
    }
  }

  /// A thousand list views and union slots that share a large value take it once.
  @Test
  void sharedValuesStayShared() {
    try (Arena arena = Arena.ofConfined()) {
      int count = 1000;
      Field item = Field.of("item", false, new ArrowType.Int(64, true));
      ArrayData items =
          new ArrayData(
              item,
              count,
              0,
              List.of(MemorySegment.NULL, arena.allocate(8 * count, 8)),
              List.of(),
              null);
      Integers zeros = new Integers(arena.allocate(4 * count, 8), 4);
      Integers sizes = new Integers(arena.allocate(4 * count, 8), 4);
      for (int i = 0; i < count; i++) {
        sizes.set(i, count);
      }
      ArrayData views =
          new ArrayData(
              Field.of("v", false, new ArrowType.ListView(), item),
              count,
              0,
              List.of(MemorySegment.NULL, zeros.segment(), sizes.segment()),
              List.of(items),
              null);
      Field list = Field.of("list", false, new ArrowType.FixedSizeList(count), item);
      ArrayData union =
          new ArrayData(
              Field.of("u", false, new ArrowType.Union(UnionMode.DENSE, List.of(0)), list),
              count,
              0,
              List.of(arena.allocate(count), zeros.segment()),
              List.of(new ArrayData(list, 1, 0, List.of(MemorySegment.NULL), List.of(items), null)),
              null);
      List<Integer> even = new ArrayList<>();
      for (int i = 0; i < count; i += 2) {
        even.add(i);
      }
      ArrayData takenViews = Take.take(views, slots(arena, even), arena, arena);
      assertThat(takenViews.children().getFirst().length()).isEqualTo(count);
      ArrayData takenUnion = Take.take(union, slots(arena, even), arena, arena);
      assertThat(takenUnion.children().getFirst().length()).isEqualTo(1);
    }
  }

  @Test
  void rejectsSlotsThatTheArrayLacks() {
    try (Arena arena = Arena.ofConfined()) {
      ArrayData array =
          new ArrayBuilder(arena).array(Field.of("n", true, new ArrowType.Bool()), List.of(true));
      assertThatThrownBy(() -> Take.take(array, slots(arena, 0, 1, 0), arena, arena))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void rejectsRunEndsThatOverflowTheirType() {
    try (Arena arena = Arena.ofConfined()) {
      Field field =
          Field.of(
              "runs",
              true,
              new ArrowType.RunEndEncoded(),
              Field.of("run_ends", false, new ArrowType.Int(16, true)),
              Field.of("values", true, new ArrowType.Utf8()));
      ArrayData array =
          new ArrayBuilder(arena).array(field, Collections.nCopies(Short.MAX_VALUE, "value"));
      SlotRanges most = new SlotRanges(arena);
      most.add(1, Short.MAX_VALUE - 1);
      most.add(0, 1);
      assertThat(Take.take(array, most, arena, arena).children().getFirst().length()).isEqualTo(1);
      most.add(0, 1);
      assertThatThrownBy(() -> Take.take(array, most, arena, arena))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Expected run ends of at most 32767 but found 32768 in slots taken from an array of "
                  + field);
    }
  }

  @Test
  void rejectsOffsetsThatOverflowTheirType() {
    try (Arena arena = Arena.ofConfined()) {
      Field item = Field.of("item", true, new ArrowType.Null());
      Field list = Field.of("l", false, new ArrowType.List(), item);
      Integers offsets = new Integers(arena.allocate(12, 8), 4);
      offsets.set(1, Integer.MAX_VALUE - 1);
      offsets.set(2, Integer.MAX_VALUE);
      ArrayData items =
          new ArrayData(item, Integer.MAX_VALUE, Integer.MAX_VALUE, List.of(), List.of(), null);
      ArrayData array =
          new ArrayData(
              list, 2, 0, List.of(MemorySegment.NULL, offsets.segment()), List.of(items), null);
      ArrayData most = Take.take(array, slots(arena, 1, 0), arena, arena);
      assertThat(most.children().getFirst().length()).isEqualTo(Integer.MAX_VALUE);
      assertThatThrownBy(() -> Take.take(array, slots(arena, 1, 0, 1), arena, arena))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Expected offsets of at most 2147483647 but found 2147483648 in slots taken from an"
                  + " array of l: list<item: null> not null");
    }
  }
}
