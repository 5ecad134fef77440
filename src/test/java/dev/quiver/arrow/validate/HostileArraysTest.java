package dev.quiver.arrow.validate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.UnionValue;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.UnionMode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests that the validator never throws, whatever changes are made to lengths, null counts,
/// buffers and children. [RuleTest] and [ObservedValuesTest] cover its findings.
@Tag("random")
class HostileArraysTest {

  private static final long[] EDGES = {
    -1,
    0,
    1,
    2,
    3,
    7,
    8,
    9,
    64,
    127,
    128,
    255,
    256,
    1L << 31,
    1L << 32,
    1L << 62,
    Long.MIN_VALUE,
    Long.MAX_VALUE,
    Integer.MIN_VALUE,
    Integer.MAX_VALUE
  };

  @Test
  void generatedArraysAreValidAndCorruptedOnesDoNotThrow() {
    try (Arena arena = Arena.ofConfined()) {
      int found = 0;
      for (ArrayData array : arrays(arena)) {
        assertThat(Validator.validateDictionary(array, Level.DOMAIN, "f")).isEmpty();
        for (int seed : Trials.seeds(3_000)) {
          ArrayData changed = change(array, new Random(seed));
          List<Finding> findings = Validator.validateDictionary(changed, Level.DOMAIN, "f");
          found += findings.isEmpty() ? 0 : 1;
        }
      }
      assertThat(found).isGreaterThan(Trials.of(10_000));
    }
  }

  private static List<ArrayData> arrays(Arena arena) {
    ArrowType int32 = new ArrowType.Int(32, true);
    List<Object> texts = Arrays.asList("a", null, "thirteen bytes", "ä", "", "bc");
    Field item = Field.of("item", true, new ArrowType.Utf8());
    List<Object> lists =
        Arrays.asList(List.of("a", "ä"), null, List.of(), Arrays.asList("c", null), List.of("d"));
    List<Object> pairs = Arrays.asList(List.of("a", "ä"), null, List.of("", "b"));
    List<Object> unions =
        List.of(new UnionValue(0, "a"), new UnionValue(1, 3L), new UnionValue(0, "ä"));
    Field number = Field.of("number", true, int32);
    Field entries =
        Field.of(
            "entries",
            false,
            new ArrowType.Struct(),
            Field.of("key", false, new ArrowType.Utf8()),
            number);
    List<Object> maps = Arrays.asList(List.of(List.of("a", 1L), List.of("b", 2L)), null);
    ArrayBuilder builder = new ArrayBuilder(arena, Map.of(0L, List.of("x", "y", "z")));
    List<ArrayData> arrays = new ArrayList<>();
    for (ArrowType type :
        List.of(new ArrowType.Utf8(), new ArrowType.LargeUtf8(), new ArrowType.Utf8View())) {
      arrays.add(builder.array(Field.of("f", true, type), texts));
    }
    for (ArrowType type :
        List.of(
            new ArrowType.List(),
            new ArrowType.LargeList(),
            new ArrowType.ListView(),
            new ArrowType.LargeListView())) {
      arrays.add(builder.array(Field.of("f", true, type, item), lists));
    }
    arrays.add(builder.array(Field.of("f", true, new ArrowType.FixedSizeList(2), item), pairs));
    arrays.add(builder.array(Field.of("f", true, new ArrowType.Struct(), item, item), pairs));
    arrays.add(builder.array(Field.of("f", true, new ArrowType.Map(false), entries), maps));
    for (UnionMode mode : UnionMode.values()) {
      ArrowType type = new ArrowType.Union(mode, List.of(0, 1));
      arrays.add(builder.array(Field.of("f", true, type, item, number), unions));
    }
    Field runEnds = Field.of("run_ends", false, int32);
    arrays.add(
        builder.array(Field.of("f", true, new ArrowType.RunEndEncoded(), runEnds, item), texts));
    arrays.add(
        builder.array(
            item.withDictionary(new DictionaryEncoding(0, new ArrowType.Int(16, true), false)),
            Arrays.asList("x", null, "z")));
    arrays.add(builder.array(Field.of("f", true, new ArrowType.Null()), Arrays.asList(null, null)));
    arrays.add(builder.array(number, Arrays.asList(1L, null)));
    return arrays;
  }

  /// Makes one or two random changes somewhere in the tree.
  private static ArrayData change(ArrayData array, Random random) {
    List<ArrayData> children = new ArrayList<>(array.children());
    List<MemorySegment> buffers = new ArrayList<>(array.buffers());
    long length = array.length();
    long nullCount = array.nullCount();
    for (int changes = 1 + random.nextInt(2); changes > 0; changes--) {
      int choice = random.nextInt(10);
      if (choice == 0) {
        length = EDGES[random.nextInt(EDGES.length)];
      } else if (choice == 1) {
        nullCount = EDGES[random.nextInt(EDGES.length)];
      } else if (choice == 2 && !buffers.isEmpty()) {
        int index = random.nextInt(buffers.size());
        long byteSize = buffers.get(index).byteSize();
        buffers.set(index, buffers.get(index).asSlice(0, random.nextLong(byteSize + 1)));
      } else if (choice == 3 && !children.isEmpty()) {
        children.remove(random.nextInt(children.size()));
      } else if (choice == 4 && !buffers.isEmpty()) {
        buffers.remove(random.nextInt(buffers.size()));
      } else if (choice < 7 && !children.isEmpty()) {
        int index = random.nextInt(children.size());
        children.set(index, change(children.get(index), random));
      } else if (!buffers.isEmpty()) {
        int index = random.nextInt(buffers.size());
        buffers.set(index, corrupt(buffers.get(index), random));
      }
    }
    return new ArrayData(array.field(), length, nullCount, buffers, children, array.dictionary());
  }

  private static MemorySegment corrupt(MemorySegment buffer, Random random) {
    MemorySegment copy = MemorySegment.ofArray(buffer.toArray(LittleEndian.INT8));
    if (copy.byteSize() >= Integer.BYTES && random.nextBoolean()) {
      long words = copy.byteSize() / Integer.BYTES;
      int value = (int) EDGES[random.nextInt(EDGES.length)];
      LittleEndian.setInt32(copy, random.nextLong(words) * Integer.BYTES, value);
    } else if (copy.byteSize() > 0) {
      LittleEndian.setInt8(copy, random.nextLong(copy.byteSize()), (byte) random.nextInt());
    }
    return copy;
  }
}
