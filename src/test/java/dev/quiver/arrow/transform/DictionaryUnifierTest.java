package dev.quiver.arrow.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.DictionaryIndex;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Layout;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DictionaryUnifierTest {

  private static final ArrowType.Int INT8 = new ArrowType.Int(8, true);
  private static final ArrowType.Int UINT8 = new ArrowType.Int(8, false);
  private static final ArrowType.Int INT32 = new ArrowType.Int(32, true);
  private static final Limit TOTAL = new Limit("upload-dictionary-bytes", 1L << 30);
  private static final InputLocation LOCATION = InputLocation.message(7, 4096);
  private static final long MESSAGE_BYTE_SIZE = 1000;

  @TempDir Path folder;
  private final Arena arena = Arena.ofConfined();
  private ScratchMemory memory = new ScratchMemory(Path.of("."));
  private @Nullable DictionaryUnifier opened;

  @BeforeEach
  void open() {
    memory = new ScratchMemory(folder);
  }

  @AfterEach
  void close() throws IOException {
    memory.close();
    arena.close();
    if (opened != null) {
      opened.close();
    }
  }

  @Test
  void firstDictionaryIsUnchanged() {
    DictionaryUnifier unifier = unifier(texts(INT8));
    take(unifier, "a", "b", "a", null);
    assertThat(unified(unifier)).containsExactly("a", "b", "a", null);
    assertThat(unifier.isUnchanged(List.of(texts(INT8)))).isTrue();
  }

  @Test
  void dictionaryThatIsAPrefixOfTheUnifiedOneChangesNothing() {
    DictionaryUnifier unifier = unifier(texts(INT8));
    take(unifier, "a", "b", "a");
    take(unifier, "a", "b", "a");
    take(unifier, "a");
    take(unifier);
    assertThat(unified(unifier)).containsExactly("a", "b", "a");
    assertThat(unifier.isUnchanged(List.of(texts(INT8)))).isTrue();
  }

  @Test
  void dictionaryThatContinuesTheUnifiedOneExtendsIt() {
    DictionaryUnifier unifier = unifier(texts(INT8));
    take(unifier, "a", "b", "a");
    take(unifier, "a", "b", "a", "b", "c");
    delta(unifier, "c", "d");
    assertThat(unified(unifier)).containsExactly("a", "b", "a", "b", "c", "c", "d");
    assertThat(unifier.isUnchanged(List.of(texts(INT8)))).isTrue();
  }

  @Test
  void mapsEachValueToTheFirstEqualOne() {
    DictionaryUnifier unifier = unifier(texts(INT8));
    take(unifier, "a", "b", "b");
    take(unifier, "b", "c", "a", "c", "b");
    assertThat(unified(unifier)).containsExactly("a", "b", "b", "c");
    assertThat(unifier.isUnchanged(List.of(texts(INT8)))).isFalse();
    assertThat(indices(unifier, texts(INT8), 5, 0, 1, 2, 3, 4)).containsExactly(1L, 3L, 0L, 3L, 1L);
  }

  @Test
  void deltaExtendsTheLatestDictionary() {
    DictionaryUnifier unifier = unifier(texts(INT8));
    take(unifier, "a", "b");
    take(unifier, "b");
    delta(unifier, "c", "a");
    assertThat(unified(unifier)).containsExactly("a", "b", "c");
    assertThat(indices(unifier, texts(INT8), 3, 0, 1, 2)).containsExactly(1L, 2L, 0L);
    take(unifier, "a");
    delta(unifier, "b", "c", "d");
    assertThat(unified(unifier)).containsExactly("a", "b", "c", "d");
    assertThat(unifier.isUnchanged(List.of(texts(INT8)))).isTrue();
  }

  @Test
  void comparesFloatingPointNumbersByTheirBits() {
    Field field =
        Field.of("f", true, new ArrowType.FloatingPoint(Precision.DOUBLE))
            .withDictionary(new DictionaryEncoding(0, INT8, false));
    DictionaryUnifier unifier = unifier(field);
    double otherNan = Double.longBitsToDouble(0x7FF8000000000001L);
    takeAll(unifier, field, false, Arrays.asList(0.0, Double.NaN, null));
    takeAll(unifier, field, false, Arrays.asList(null, -0.0, otherNan, Double.NaN, 0.0, null));
    assertThat(indices(unifier, field, 6, 0, 1, 2, 3, 4, 5))
        .containsExactly(2L, 3L, 4L, 1L, 0L, 2L);
    assertThat(unifier.length(0)).isEqualTo(5);
  }

  @Test
  void indicesOfNullsBecomeZero() {
    DictionaryUnifier unifier = unifier(texts(INT8));
    take(unifier, "a", "b");
    take(unifier, "b", "a");
    MemorySegment garbage = MemorySegment.ofArray(new byte[] {1, 99, -3, 0});
    MemorySegment validity = MemorySegment.ofArray(new byte[] {0b1001});
    ArrayData column =
        new ArrayData(texts(INT8), 4, 2, List.of(validity, garbage), List.of(), null);
    ArrayData rewritten = unifier.rewritten(List.of(column), arena).getFirst();
    assertThat(rewritten.buffers().getFirst()).isEqualTo(validity);
    assertThat(rewritten.buffers().getLast().toArray(LittleEndian.INT8))
        .containsExactly(0, 0, 0, 1);
  }

  @Test
  void outgrownIndicesBecomeInt32() {
    DictionaryUnifier unifier = unifier(texts(INT8));
    takeAll(unifier, texts(INT8), false, numbered(0, 128));
    takeAll(unifier, texts(INT8), false, numbered(1, 128));
    assertThat(unifier.schema()).isEqualTo(Schema.of(texts(INT8)));
    takeAll(unifier, texts(INT8), false, numbered(127, 129));
    assertThat(unifier.schema()).isEqualTo(Schema.of(texts(INT32)));
    assertThat(indices(unifier, texts(INT8), 2, 0, 1)).containsExactly(127L, 128L);
    // The indices stay wide, whatever dictionary follows.
    takeAll(unifier, texts(INT8), false, numbered(0, 128));
    assertThat(unifier.isUnchanged(List.of(texts(INT8)))).isFalse();
    assertThat(indices(unifier, texts(INT8), 128, 1)).containsExactly(1L);
  }

  @Test
  void unsignedIndicesReachTwiceAsFar() {
    DictionaryUnifier unifier = unifier(texts(UINT8));
    takeAll(unifier, texts(UINT8), false, numbered(0, 128));
    takeAll(unifier, texts(UINT8), false, numbered(128, 256));
    assertThat(unifier.schema()).isEqualTo(Schema.of(texts(UINT8)));
    assertThat(indices(unifier, texts(UINT8), 128, 127)).containsExactly(255L);
    takeAll(unifier, texts(UINT8), false, numbered(256, 257));
    assertThat(unifier.schema()).isEqualTo(Schema.of(texts(INT32)));
  }

  @Test
  void widensEachFieldOfASharedDictionarySeparately() {
    DictionaryUnifier unifier = unifier(texts(INT8), texts(new ArrowType.Int(16, true)));
    takeAll(unifier, texts(INT8), false, numbered(0, 128));
    takeAll(unifier, texts(INT8), false, numbered(128, 129));
    assertThat(unifier.schema())
        .isEqualTo(Schema.of(texts(INT32), texts(new ArrowType.Int(16, true))));
  }

  @Test
  void mapsTheIndicesOfNestedDictionaries() {
    Field inner = texts(INT8);
    Field outer =
        Field.of("outer", true, new ArrowType.List(), inner)
            .withDictionary(new DictionaryEncoding(1, INT8, false));
    Field values = outer.withDictionary(null);
    DictionaryUnifier unifier = unifier(outer);
    takeNested(unifier, values, List.of("a", "b"), List.of(List.of("a", "b"), List.of("b")));
    takeNested(unifier, values, List.of("b", "a"), List.of(List.of("b"), List.of("a", "b")));
    assertThat(unifier.length(1)).isEqualTo(2);
    takeNested(unifier, values, numbered(0, 128), List.of(List.of("126", "127"), List.of("0")));
    assertThat(unifier.dictionaryFields().values(1))
        .isEqualTo(Field.of("outer", true, new ArrowType.List(), texts(INT32)));
    ArrayData lists = unifier.values(1, memory);
    assertThat(lists.length()).isEqualTo(4);
    assertThat(UnifiedValues.of(lists, unifier, memory))
        .containsExactly(List.of("a", "b"), List.of("b"), List.of("126", "127"), List.of("0"));
  }

  @Test
  void orderedDictionaryMayOnlyBeExtended() {
    Field field = texts(INT8).withDictionary(new DictionaryEncoding(0, INT8, true));
    DictionaryUnifier unifier = unifier(field);
    takeAll(unifier, field, false, List.of("low", "high"));
    takeAll(unifier, field, false, List.of("low"));
    takeAll(unifier, field, false, List.of("low", "high", "highest"));
    assertThatThrownBy(() -> takeAll(unifier, field, false, List.of("low", "middle", "high")))
        .isInstanceOf(UnsupportedInputException.class)
        .hasMessage(
            "Expected an ordered dictionary 0 that continues the previous one but found"
                + " another value in slot 1, which loses the order at message 7, byte offset"
                + " 4096");
  }

  @Test
  void limitsTheSizeOfADictionary() {
    Field field = integers();
    Limits limits = withDictionaryBytes(100);
    DictionaryUnifier unifier = new DictionaryUnifier(Schema.of(field), limits, TOTAL, folder);
    opened = unifier;
    takeAll(unifier, field, false, integers(0, 20));
    takeAll(unifier, field, false, integers(20, 25));
    assertThatThrownBy(() -> takeAll(unifier, field, false, integers(25, 26)))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessage(
            "Expected at most 100 bytes of a dictionary (dictionary-bytes) but found 104 at message"
                + " 7, byte offset 4096");
  }

  @Test
  void limitsTheTotalSizeOfDictionaries() {
    Field field = integers();
    Field other = field.withDictionary(new DictionaryEncoding(1, INT8, false));
    Limit total = new Limit("upload-dictionary-bytes", 100);
    DictionaryUnifier unifier =
        new DictionaryUnifier(Schema.of(field, other), Limits.DEFAULT, total, folder);
    opened = unifier;
    takeAll(unifier, field, false, integers(0, 20));
    takeAll(unifier, other, false, integers(0, 5));
    assertThatThrownBy(() -> takeAll(unifier, other, false, integers(0, 6)))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessage(
            "Expected at most 100 bytes of all dictionaries together (upload-dictionary-bytes) but"
                + " found 104 at message 7, byte offset 4096");
  }

  @Test
  void limitsTheComparisonOfValuesWithoutBytes() {
    Field field =
        Field.of("n", true, new ArrowType.Null())
            .withDictionary(new DictionaryEncoding(0, INT32, false));
    DictionaryUnifier unifier = unifier(field);
    ArrayData few = nulls(field, 1 << 20);
    unifier.take(0, few, false, MESSAGE_BYTE_SIZE, LOCATION);
    unifier.take(0, few, false, MESSAGE_BYTE_SIZE, LOCATION);
    ArrayData many = nulls(field, 1L << 30);
    unifier.take(0, many, true, MESSAGE_BYTE_SIZE, LOCATION);
    assertThatThrownBy(() -> unifier.take(0, many, false, MESSAGE_BYTE_SIZE, LOCATION))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessage(
            "Expected at most 1000 bytes of dictionary values compared per byte of their messages"
                + " (decompression-ratio) but found 1001 at message 7, byte offset 4096");
  }

  @Test
  void unifiesManyDeltas() {
    Field field = integers();
    DictionaryUnifier unifier = unifier(field);
    for (int i = 0; i < 5000; i++) {
      takeAll(unifier, field, i > 0, integers(i, i + 1));
    }
    assertThat(unified(unifier))
        .isEqualTo(IntStream.range(0, 5000).mapToObj(i -> (long) i).toList());
  }

  @Test
  void unifiesScatteredNewValues() {
    Field field = integers();
    DictionaryUnifier unifier = unifier(field);
    List<Object> even = new ArrayList<>();
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      all.add(20_000L - i);
      if (i % 2 == 0) {
        even.add(20_000L - i);
      }
    }
    takeAll(unifier, field, false, even);
    takeAll(unifier, field, false, all);
    assertThat(unifier.length(0)).isEqualTo(20_000);
    assertThat(unified(unifier)).doesNotHaveDuplicates();
    List<@Nullable Object> unified = unified(unifier);
    List<Long> mapped = indices(unifier, field, 128, 1, 2, 127);
    assertThat(mapped.stream().map(index -> unified.get(index.intValue())).toList())
        .isEqualTo(List.of(all.get(1), all.get(2), all.get(127)));
  }

  private static Field texts(ArrowType.Int indexType) {
    return Field.of("text", true, new ArrowType.Utf8())
        .withDictionary(new DictionaryEncoding(0, indexType, false));
  }

  private static Field integers() {
    return Field.of("i", false, INT32).withDictionary(new DictionaryEncoding(0, INT8, false));
  }

  private static List<Object> integers(long start, long end) {
    List<Object> integers = new ArrayList<>();
    for (long i = start; i < end; i++) {
      integers.add(i);
    }
    return integers;
  }

  private static List<String> numbered(int start, int end) {
    return IntStream.range(start, end).mapToObj(Integer::toString).toList();
  }

  private static ArrayData nulls(Field field, long length) {
    return new ArrayData(field.withDictionary(null), length, length, List.of(), List.of(), null);
  }

  private static Limits withDictionaryBytes(long maximum) {
    return Limits.of(1 << 20, 1 << 20, 1 << 20, 100, 10, maximum, 1000, 100);
  }

  private DictionaryUnifier unifier(Field... fields) {
    DictionaryUnifier unifier =
        new DictionaryUnifier(Schema.of(fields), Limits.DEFAULT, TOTAL, folder);
    opened = unifier;
    return unifier;
  }

  private void take(DictionaryUnifier unifier, @Nullable String... values) {
    takeAll(unifier, texts(INT8), false, Arrays.asList(values));
  }

  private void delta(DictionaryUnifier unifier, String... values) {
    takeAll(unifier, texts(INT8), true, List.of(values));
  }

  private void takeAll(
      DictionaryUnifier unifier,
      Field field,
      boolean delta,
      List<? extends @Nullable Object> values) {
    ArrayData array = new ArrayBuilder(arena).array(field.withDictionary(null), values);
    long id = field.dictionary() == null ? 0 : field.dictionary().id();
    unifier.take(id, array, delta, 1 << 20, LOCATION);
  }

  private void takeNested(
      DictionaryUnifier unifier,
      Field values,
      List<? extends Object> inner,
      List<? extends Object> outer) {
    takeAll(unifier, texts(INT8), false, inner);
    ArrayData lists = new ArrayBuilder(arena, Map.of(0L, inner)).array(values, outer);
    unifier.take(1, lists, false, 1 << 20, LOCATION);
  }

  private List<@Nullable Object> unified(DictionaryUnifier unifier) {
    return Values.of(unifier.values(0, memory));
  }

  /// Returns the mapped indices of a column into a dictionary of `size` values.
  private List<Long> indices(DictionaryUnifier unifier, Field field, int size, int... indices) {
    Object any =
        switch (field.type()) {
          case ArrowType.Utf8() -> "";
          case ArrowType.FloatingPoint _ -> 0.0;
          default -> 0L;
        };
    List<@Nullable Object> anything = Collections.nCopies(size, any);
    List<DictionaryIndex> slots = IntStream.of(indices).mapToObj(DictionaryIndex::new).toList();
    ArrayData column = new ArrayBuilder(arena, Map.of(0L, anything)).array(field, slots);
    ArrayData rewritten = unifier.rewritten(List.of(column), arena).getFirst();
    assertThat(rewritten.layout()).isEqualTo(Layout.of(rewritten.field()));
    Array.DictionaryEncoded encoded = (Array.DictionaryEncoded) Array.of(rewritten);
    List<Long> mapped = new ArrayList<>();
    for (long i = 0; i < rewritten.length(); i++) {
      mapped.add(encoded.index(i));
    }
    return mapped;
  }
}
