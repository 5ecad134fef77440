package dev.quiver.arrow.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Trials;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.UnionMode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests the walk where lists, unions and runs refer to the same slots several times. Otherwise,
/// `arrow.transform.UsedDictionariesTest` compares it with a plain recursion.
@Tag("random")
class DictionaryReferencesTest {

  /// More indices than any of these arrays has.
  private static final int MAXIMUM = 1_000_000;

  private static final Field INDEX =
      Field.of("d", false, new ArrowType.Utf8())
          .withDictionary(new DictionaryEncoding(1, new ArrowType.Int(32, true), false));

  /// Returns an array of the indices from 0, whose dictionary is not known.
  private static ArrayData indices(int count, Arena arena) {
    MemorySegment data = arena.allocate(4L * count, 8);
    for (int i = 0; i < count; i++) {
      LittleEndian.setInt32(data, 4L * i, i);
    }
    return new ArrayData(INDEX, count, 0, List.of(MemorySegment.NULL, data), List.of(), null);
  }

  private static MemorySegment int32(List<Integer> numbers, Arena arena) {
    MemorySegment data = arena.allocate(4L * numbers.size(), 8);
    for (int i = 0; i < numbers.size(); i++) {
      LittleEndian.setInt32(data, 4L * i, numbers.get(i));
    }
    return data;
  }

  private static ArrayData listViews(
      List<Integer> starts, List<Integer> sizes, ArrayData items, Arena arena) {
    return new ArrayData(
        Field.of("l", false, new ArrowType.ListView(), items.field()),
        starts.size(),
        0,
        List.of(MemorySegment.NULL, int32(starts, arena), int32(sizes, arena)),
        List.of(items),
        null);
  }

  private static ArrayData denseUnion(
      byte[] typeIds, List<Integer> offsets, ArrayData first, ArrayData second, Arena arena) {
    ArrowType type = new ArrowType.Union(UnionMode.DENSE, List.of(4, 2));
    return new ArrayData(
        Field.of("u", false, type, first.field(), second.field()),
        typeIds.length,
        0,
        List.of(
            arena.allocate(typeIds.length).copyFrom(MemorySegment.ofArray(typeIds)),
            int32(offsets, arena)),
        List.of(first, second),
        null);
  }

  /// Returns all indices that are passed on.
  private static List<Long> references(ArrayData column) {
    List<Long> indices = new ArrayList<>();
    try (Arena scratch = Arena.ofConfined()) {
      DictionaryReferences.forEach(
          List.of(column),
          column.length(),
          _ ->
              index -> {
                if (indices.size() == MAXIMUM) {
                  throw new AssertionError("Slots are visited repeatedly");
                }
                indices.add(index);
              },
          OddArrayCases.dirty(scratch),
          _ -> {});
    }
    return indices;
  }

  @Test
  void visitsItemsOfOverlappingListsOnceAndInOrder() {
    for (int seed : Trials.seeds(2000)) {
      try (Arena arena = Arena.ofConfined()) {
        Random random = new Random(seed);
        int itemCount = 1 + random.nextInt(30);
        List<Integer> starts = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        Set<Long> expected = new LinkedHashSet<>();
        for (int i = random.nextInt(12); i > 0; i--) {
          int start = random.nextInt(itemCount);
          int size = random.nextInt(itemCount - start + 1);
          starts.add(start);
          sizes.add(size);
          LongStream.range(start, start + size).forEach(expected::add);
        }
        ArrayData lists = listViews(starts, sizes, indices(itemCount, arena), arena);
        assertThat(references(lists)).as("seed " + seed).containsExactlyElementsOf(expected);
      }
    }
  }

  /// The lists have no items, so that only their own slots take time.
  @Test
  void reportsProgressAndEndsEarly() {
    int count = 1_000_000;
    try (Arena arena = Arena.ofConfined()) {
      List<Integer> starts = IntStream.range(0, count).map(i -> i % 2).boxed().toList();
      ArrayData empty =
          listViews(starts, starts.stream().map(_ -> 0).toList(), indices(2, arena), arena);
      ArrayData one = listViews(List.of(0), List.of(count), indices(count, arena), arena);
      for (ArrayData column : List.of(empty, one)) {
        AtomicLong reported = new AtomicLong();
        AtomicLong passedOn = new AtomicLong();
        LongFunction<LongConsumer> receivers = _ -> _ -> passedOn.incrementAndGet();
        DictionaryReferences.forEach(
            List.of(column), column.length(), receivers, arena, reported::addAndGet);
        assertThat(reported.get()).isBetween(count * 9L / 10, count * 3L);
        assertThat(passedOn.get()).isEqualTo(column == one ? count : 0);
        passedOn.set(0);
        assertThatThrownBy(() ->
                DictionaryReferences.forEach(
                    List.of(column),
                    column.length(),
                    receivers,
                    arena,
                    slots -> {
                      throw new IllegalStateException("after " + slots);
                    }))
            .isInstanceOf(IllegalStateException.class);
        assertThat(passedOn.get()).isLessThan(count / 10);
      }
    }
  }

  @Test
  void overlappingListsTakeTheTimeOfTheirItems() {
    int count = 200_000;
    try (Arena arena = Arena.ofConfined()) {
      List<Integer> starts = IntStream.range(0, count).map(i -> i % 2).boxed().toList();
      List<Integer> sizes = IntStream.range(0, count).map(i -> count - 1).boxed().toList();
      ArrayData lists = listViews(starts, sizes, indices(count, arena), arena);
      assertThat(references(lists)).hasSize(count);
    }
  }

  /// A run of many slots, of which lists select single ones, has one value.
  @Test
  void visitsARunOnceInAnyOrder() {
    try (Arena arena = Arena.ofConfined()) {
      ArrayData values = indices(2, arena);
      ArrayData runEnds =
          new ArrayBuilder(arena)
              .array(Field.of("e", false, new ArrowType.Int(32, true)), List.of(500, 1000));
      ArrayData runs =
          new ArrayData(
              Field.of("r", false, new ArrowType.RunEndEncoded(), runEnds.field(), values.field()),
              1000,
              0,
              List.of(),
              List.of(runEnds, values),
              null);
      List<Integer> starts =
          IntStream.range(0, 1000).map(i -> i % 2 == 0 ? 999 - i / 2 : i / 2).boxed().toList();
      List<Integer> ones = starts.stream().map(_ -> 1).toList();
      assertThat(references(listViews(starts, ones, runs, arena))).containsExactly(1L, 0L);
      assertThat(references(runs)).containsExactly(0L, 1L);
    }
  }

  @Test
  void visitsASharedSlotOfADenseUnionOnce() {
    try (Arena arena = Arena.ofConfined()) {
      ArrayData first = indices(5, arena);
      ArrayData second = indices(9, arena);
      List<Integer> offsets = List.of(3, 8, 0, 3, 3, 7, 8);
      ArrayData union = denseUnion(new byte[] {4, 2, 4, 4, 4, 2, 2}, offsets, first, second, arena);
      assertThat(references(union)).containsExactly(3L, 8L, 0L, 7L);
    }
  }

  /// One child has offsets that ascend, one has those that are shared or in any order.
  @Test
  void visitsSlotsOfDenseUnionsOnceAndInOrder() {
    for (int seed : Trials.seeds(1000)) {
      try (Arena arena = Arena.ofConfined()) {
        Random random = new Random(seed);
        ArrayData first = indices(60, arena);
        ArrayData second = indices(20, arena);
        byte[] typeIds = new byte[random.nextInt(50)];
        List<Integer> offsets = new ArrayList<>();
        List<Long> expected = new ArrayList<>();
        Set<Long> visited = new HashSet<>();
        int ascending = 0;
        for (int i = 0; i < typeIds.length; i++) {
          typeIds[i] = (byte) (random.nextBoolean() ? 4 : 2);
          ascending += typeIds[i] == 4 ? 1 : 0;
          int offset = typeIds[i] == 4 ? ascending : random.nextInt(20);
          offsets.add(offset);
          if (typeIds[i] == 4 || visited.add((long) offset)) {
            expected.add((long) offset);
          }
        }
        ArrayData union = denseUnion(typeIds, offsets, first, second, arena);
        assertThat(references(union)).as("seed " + seed).containsExactlyElementsOf(expected);
      }
    }
  }

  /// The slots of runs take no bytes, so that there may be more than 32 bits count.
  @Test
  void visitsItemsBeyond32Bits() {
    try (Arena arena = Arena.ofConfined()) {
      long middle = 3L << 30;
      ArrayData values = indices(2, arena);
      ArrayData runEnds =
          new ArrayBuilder(arena)
              .array(Field.of("e", false, new ArrowType.Int(64, true)), List.of(middle, 1L << 32));
      ArrayData runs =
          new ArrayData(
              Field.of("r", false, new ArrowType.RunEndEncoded(), runEnds.field(), values.field()),
              1L << 32,
              0,
              List.of(),
              List.of(runEnds, values),
              null);
      int last = Integer.MAX_VALUE;
      List<Integer> starts = List.of(last, last - 1, last, 0);
      List<Integer> sizes = List.of((int) (middle + 1 - last), 5, last, last);
      assertThat(references(listViews(starts, sizes, runs, arena))).containsExactly(0L, 1L);
    }
  }
}
