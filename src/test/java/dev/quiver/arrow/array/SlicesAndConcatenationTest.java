package dev.quiver.arrow.array;

import static dev.quiver.arrow.array.OddArrayCases.assertCompact;
import static dev.quiver.arrow.array.OddArrayCases.assertHolds;
import static dev.quiver.arrow.array.OddArrayCases.dirty;
import static dev.quiver.arrow.array.OddArrayCases.forEachSeed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Trials;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.ArrowTypes;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests that sliced, compacted and concatenated arrays are valid and have the expected values,
/// whatever the shape of their inputs. A failure names its seed.
@Tag("random")
class SlicesAndConcatenationTest {

  private static final Field INT16_RUNS =
      Field.of(
          "runs",
          true,
          new ArrowType.RunEndEncoded(),
          Field.of("run_ends", false, new ArrowType.Int(16, true)),
          Field.of("values", true, new ArrowType.Utf8()));

  @Test
  void sliceContainsTheSelectedSlots() {
    forEachSeed((random, array, values, allocator, description) -> {
      for (int i = 0; i < 4; i++) {
        int start = random.nextInt(values.size() + 1);
        int end = start + random.nextInt(values.size() - start + 1);
        ArrayData slice = Slices.slice(array, start, end - start, allocator);
        String sliceDescription = "slots %d to %d of ".formatted(start, end) + description;
        assertHolds(slice, values.subList(start, end), sliceDescription);
        ArrayData compact = Concatenation.compact(slice, allocator);
        assertHolds(compact, values.subList(start, end), "compact " + sliceDescription);
        assertCompact(compact, sliceDescription);
        assertThat(BodySize.byteSize(array, start, end - start, 64))
            .as("body size of " + sliceDescription)
            .isEqualTo(bodyByteSize(compact));
        ArrayData inner = Slices.slice(slice, 0, slice.length() / 2, allocator);
        assertHolds(
            inner, values.subList(start, start + (end - start) / 2), "half of " + sliceDescription);
      }
    });
  }

  @Test
  void concatenatedSlicesEqualTheWhole() {
    forEachSeed((random, array, values, allocator, description) -> {
      List<ArrayData> parts = new ArrayList<>();
      for (int start = 0; start < values.size() || parts.isEmpty(); ) {
        int length = random.nextInt(values.size() - start + 1);
        ArrayData part = Slices.slice(array, start, length, allocator);
        parts.add(random.nextBoolean() ? part : Concatenation.compact(part, allocator));
        start += length;
      }
      ArrayData concatenated = Concatenation.concatenate(parts, allocator);
      assertHolds(concatenated, values, parts.size() + " parts of " + description);
      assertCompact(concatenated, description);
    });
  }

  @Test
  void concatenatesArraysOfDifferentShapes() {
    for (int seed : Trials.seeds(OddArrayCases.SEED_COUNT)) {
      try (Arena arena = Arena.ofConfined()) {
        Random random = new Random(seed);
        RandomData data = new RandomData(seed);
        Field field = data.field("f", OddArrayCases.DEPTH);
        OddArrays odd = new OddArrays(seed, data, arena);
        List<@Nullable Object> values = new ArrayList<>();
        List<ArrayData> arrays = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          List<@Nullable Object> part = data.values(field, random.nextInt(20));
          values.addAll(part);
          arrays.add(odd.array(field, part));
        }
        ArrayData concatenated = Concatenation.concatenate(arrays, dirty(arena));
        assertHolds(concatenated, values, "seed " + seed + ", " + field);
        assertCompact(concatenated, "seed " + seed + ", " + field);
      }
    }
  }

  @Test
  void randomArraysCoverEveryType() {
    Set<Class<?>> types = new HashSet<>();
    forEachSeed((random, array, values, allocator, description) -> {
      types.add(array.field().type().getClass());
    });
    assertThat(types).containsExactlyInAnyOrder(ArrowTypes.all());
  }

  @Test
  void sliceOfTheWholeArrayIsTheArrayItself() {
    try (Arena arena = Arena.ofConfined()) {
      ArrayData array = texts(arena, "a", "b");
      assertThat(Slices.slice(array, 0, 2, arena)).isSameAs(array);
      assertThatThrownBy(() -> Slices.slice(array, 1, 2, arena))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void compactionSharesValues() {
    try (Arena arena = Arena.ofConfined()) {
      ArrayData array = texts(arena, "one", "two", "three");
      ArrayData compact = Concatenation.compact(Slices.slice(array, 1, 2, arena), arena);
      MemorySegment data = compact.buffer(BufferRole.DATA);
      assertThat(data.address()).isEqualTo(array.buffer(BufferRole.DATA).address() + 3);
      assertThat(data.byteSize()).isEqualTo(8);
    }
  }

  @Test
  void compactionCopiesValuesOfAMostlyUnusedDataBuffer() {
    try (Arena arena = Arena.ofConfined()) {
      Field field = Field.of("v", false, new ArrowType.Utf8View());
      List<String> values = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        values.add("a value of many bytes, " + i);
      }
      ArrayData array = new ArrayBuilder(arena).array(field, values);
      MemorySegment views =
          arena.allocate(32).copyFrom(array.buffer(BufferRole.VIEWS).asSlice(0, 16));
      views.asSlice(16).copyFrom(array.buffer(BufferRole.VIEWS).asSlice(99 * 16, 16));
      ArrayData ends =
          new ArrayData(
              field,
              2,
              0,
              List.of(MemorySegment.NULL, views, array.variadicBuffers().getFirst()),
              List.of(),
              null);

      ArrayData compact = Concatenation.compact(ends, arena);
      assertHolds(compact, List.of(values.getFirst(), values.getLast()), "first and last");
      assertThat(compact.variadicBuffers().getFirst().byteSize())
          .isEqualTo(values.getFirst().length() + values.getLast().length());
    }
  }

  @Test
  void packsManySmallDataBuffersIntoOne() {
    try (Arena arena = Arena.ofConfined()) {
      Field field = Field.of("v", false, new ArrowType.Utf8View());
      ArrayBuilder builder = new ArrayBuilder(arena);
      List<ArrayData> arrays = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        arrays.add(builder.array(field, List.of("a value of many bytes, " + i)));
      }
      assertThat(Concatenation.concatenate(arrays, arena).variadicBuffers()).hasSize(1);
    }
  }

  @Test
  void rejectsArraysOfDifferentFields() {
    try (Arena arena = Arena.ofConfined()) {
      ArrayBuilder builder = new ArrayBuilder(arena);
      ArrayData one = builder.array(Field.of("f", true, new ArrowType.Utf8()), List.of());
      ArrayData other = builder.array(Field.of("f", true, new ArrowType.Binary()), List.of());
      assertThatThrownBy(() -> Concatenation.concatenate(List.of(one, other), arena))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("Expected arrays of f: utf8 but found one of f: binary");
    }
  }

  @Test
  void rejectsDifferentDictionariesUnlessAllSlotsAreNull() {
    try (Arena arena = Arena.ofConfined()) {
      ArrayData nulls = encoded(arena, null, (Object) null);
      ArrayData one = encoded(arena, List.of("a"), "a");
      ArrayData other = encoded(arena, List.of("a"), "a");
      assertThatThrownBy(() -> Concatenation.concatenate(List.of(one, other), arena))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Expected arrays of one dictionary but found two of f: dictionary<int8, utf8>");
      ArrayData concatenated = Concatenation.concatenate(List.of(nulls, one, one), arena);
      assertThat(concatenated.dictionary()).isSameAs(one.dictionary());
      List<@Nullable Object> values = new ArrayList<>();
      values.add(null);
      values.add("a");
      values.add("a");
      assertHolds(concatenated, values, "late dictionary");
    }
  }

  @Test
  void rejectsRunEndsThatOverflowTheirType() {
    try (Arena arena = Arena.ofConfined()) {
      ArrayData most = runs(arena, Short.MAX_VALUE - 1);
      ArrayData one = runs(arena, 1);
      assertThat(Concatenation.concatenate(List.of(most, one), arena).length())
          .isEqualTo(Short.MAX_VALUE);
      assertThatThrownBy(() -> Concatenation.concatenate(List.of(one, most, one), arena))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Expected run ends of at most 32767 but found 32768 in arrays of " + INT16_RUNS);
    }
  }

  @Test
  void rejectsOffsetsThatOverflowTheirType() {
    try (Arena arena = Arena.ofConfined()) {
      ArrayData most = nullLists(arena, Integer.MAX_VALUE - 1);
      ArrayData one = nullLists(arena, 1);
      assertThat(
              Concatenation.concatenate(List.of(most, one), arena).children().getFirst().length())
          .isEqualTo(Integer.MAX_VALUE);
      assertThatThrownBy(() -> Concatenation.concatenate(List.of(most, one, one), arena))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Expected offsets of at most 2147483647 but found 2147483648 in arrays of"
                  + " l: list<item: null> not null");
    }
  }

  /// Returns a single list of `count` nulls, which take no memory.
  private static ArrayData nullLists(Arena arena, int count) {
    Field item = Field.of("item", true, new ArrowType.Null());
    Field list = Field.of("l", false, new ArrowType.List(), item);
    Integers offsets = new Integers(arena.allocate(8), 4);
    offsets.set(1, count);
    ArrayData items = new ArrayData(item, count, count, List.of(), List.of(), null);
    return new ArrayData(
        list, 1, 0, List.of(MemorySegment.NULL, offsets.segment()), List.of(items), null);
  }

  private static ArrayData runs(Arena arena, int length) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      values.add("value");
    }
    return new ArrayBuilder(arena).array(INT16_RUNS, values);
  }

  private static ArrayData encoded(
      Arena arena, @Nullable List<String> dictionary, @Nullable Object... values) {
    Field field =
        Field.of("f", true, new ArrowType.Utf8())
            .withDictionary(new DictionaryEncoding(0, new ArrowType.Int(8, true), false));
    ArrayBuilder builder =
        dictionary == null
            ? new ArrayBuilder(arena)
            : new ArrayBuilder(arena, Map.of(0L, dictionary));
    return builder.array(field, Arrays.asList(values));
  }

  private static ArrayData texts(Arena arena, String... texts) {
    return new ArrayBuilder(arena).array(Field.of("t", true, new ArrowType.Utf8()), List.of(texts));
  }

  /// Returns the size of the buffers in a body, each padded to a multiple of 64 bytes.
  private static long bodyByteSize(ArrayData array) {
    long byteSize = 0;
    for (int i = 0; i < array.buffers().size(); i++) {
      long bufferByteSize = array.buffers().get(i).byteSize();
      boolean absentOffsets =
          bufferByteSize == 0
              && i < array.layout().buffers().size()
              && array.layout().buffers().get(i).role() == BufferRole.OFFSETS;
      byteSize += absentOffsets ? 64 : (bufferByteSize + 63) / 64 * 64;
    }
    for (ArrayData child : array.children()) {
      byteSize += bodyByteSize(child);
    }
    return byteSize;
  }
}
