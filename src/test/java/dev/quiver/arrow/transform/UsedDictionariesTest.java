package dev.quiver.arrow.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Trials;
import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.DictionaryIndex;
import dev.quiver.arrow.array.OddArrays;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.ipc.DictionaryFields;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.UnionMode;
import dev.quiver.arrow.validate.Level;
import dev.quiver.arrow.validate.Validator;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests that rows keep their values, and that dictionaries have those alone, in the order of their
/// first use. Random data is compared with a plain recursion over the values of each row.
@Tag("random")
class UsedDictionariesTest {

  private static final int SEED_COUNT = 1500;
  private static final Field TEXT = Field.of("text", true, new ArrowType.Utf8());
  private static final List<String> LETTERS = List.of("a", "b", "c", "d", "e", "f");

  /// The uses of dictionaries by some rows, found slot by slot.
  private static final class Reference {

    private final Schema schema;
    private final Map<Long, ArrayData> dictionaries = new HashMap<>();
    private final Map<Long, Set<Long>> used = new HashMap<>();
    private final Set<Long> hidden = new TreeSet<>();

    Reference(Schema schema) {
      this.schema = schema;
    }

    void add(RecordBatch batch) {
      batch.columns().forEach(this::collect);
      for (long row = 0; row < batch.length(); row++) {
        for (ArrayData column : batch.columns()) {
          visit(Array.of(column), row);
        }
      }
    }

    /// Returns the expected indices into each dictionary.
    Map<Long, List<Long>> finish() {
      Map<Long, List<Long>> expected = new HashMap<>();
      for (long id : new ArrayList<>(DictionaryFields.of(schema).byId().keySet()).reversed()) {
        ArrayData dictionary = Objects.requireNonNull(dictionaries.get(id));
        Set<Long> indices = used(id);
        if (indices.isEmpty() && hidden.contains(id)) {
          indices.add(0L);
        }
        List<Long> ordered =
            new ArrayList<>(keepsOrder(id, dictionary.field()) ? new TreeSet<>(indices) : indices);
        expected.put(id, ordered);
        for (long index : ordered) {
          visit(Array.of(dictionary), index);
          collectHidden(dictionary, index);
        }
      }
      return expected;
    }

    private Set<Long> used(long id) {
      return used.computeIfAbsent(id, _ -> new LinkedHashSet<>());
    }

    private void visit(Array array, long slot) {
      if (!(array instanceof Array.Union || array instanceof Array.RunEndEncoded)
          && array.isNull(slot)) {
        return;
      }
      switch (array) {
        case Array.DictionaryEncoded encoded -> used(id(encoded.data())).add(encoded.index(slot));
        case Array.Lists lists -> {
          for (long i = lists.start(slot); i < lists.end(slot); i++) {
            visit(lists.values(), i);
          }
        }
        case Array.Struct struct -> {
          for (int i = 0; i < struct.data().children().size(); i++) {
            visit(struct.child(i), slot);
          }
        }
        case Array.Union union -> visit(union.child(union.childIndex(slot)), union.childSlot(slot));
        case Array.RunEndEncoded runs -> visit(runs.values(), runs.run(slot));
        default -> {}
      }
    }

    private void collect(ArrayData array) {
      if (array.field().dictionary() != null) {
        ArrayData dictionary = Objects.requireNonNull(array.dictionary());
        if (dictionaries.put(id(array), dictionary) == null) {
          collectDictionaries(dictionary);
        }
        if (LongNulls.any(array)) {
          hidden.add(id(array));
        }
      }
      array.children().forEach(this::collect);
    }

    private void collectDictionaries(ArrayData array) {
      if (array.dictionary() != null && dictionaries.put(id(array), array.dictionary()) == null) {
        collectDictionaries(array.dictionary());
      }
      array.children().forEach(this::collectDictionaries);
    }

    /// Below a taken value, only what no reader sees remains hidden: children of null structs.
    private void collectHidden(ArrayData array, long slot) {
      switch (Array.of(array)) {
        case Array.DictionaryEncoded encoded -> {
          if (!encoded.isNull(slot)) {
            hidden.add(id(array));
          }
        }
        case Array.FixedSizeList lists -> {
          for (long i = lists.start(slot); i < lists.end(slot); i++) {
            collectHidden(array.children().getFirst(), i);
          }
        }
        case Array.Lists lists -> {
          for (long i = lists.start(slot); !lists.isNull(slot) && i < lists.end(slot); i++) {
            collectHidden(array.children().getFirst(), i);
          }
        }
        case Array.Struct _ -> array.children().forEach(child -> collectHidden(child, slot));
        case Array.Union union -> {
          if (union.type().mode() == UnionMode.SPARSE) {
            array.children().forEach(child -> collectHidden(child, slot));
          } else {
            collectHidden(array.children().get(union.childIndex(slot)), union.childSlot(slot));
          }
        }
        case Array.RunEndEncoded runs -> collectHidden(array.children().getLast(), runs.run(slot));
        default -> {}
      }
    }

    private boolean keepsOrder(long id, Field values) {
      return isOrdered(id, schema.fields()) || sharesData(values);
    }

    private static boolean isOrdered(long id, List<Field> fields) {
      return fields.stream()
          .anyMatch(field ->
              field.dictionary() != null
                      && field.dictionary().id() == id
                      && field.dictionary().ordered()
                  || isOrdered(id, field.children()));
    }

    private static boolean sharesData(Field field) {
      boolean shares =
          field.type() instanceof ArrowType.RunEndEncoded
              || field.type() instanceof ArrowType.Union union && union.mode() == UnionMode.DENSE;
      return field.dictionary() == null
          && (shares || field.children().stream().anyMatch(Reference::sharesData));
    }

    private static long id(ArrayData array) {
      return Objects.requireNonNull(array.field().dictionary()).id();
    }
  }

  private static final class LongNulls {
    static boolean any(ArrayData array) {
      for (long slot = 0; slot < array.length(); slot++) {
        if (!Array.of(array).isNull(slot)) {
          return true;
        }
      }
      return false;
    }
  }

  /// Returns the array with the reduced dictionaries.
  private static ArrayData linked(ArrayData array, UsedDictionaries reduced) {
    DictionaryEncoding encoding = array.field().dictionary();
    return new ArrayData(
        array.field(),
        array.length(),
        array.nullCount(),
        array.buffers(),
        array.children().stream().map(child -> linked(child, reduced)).toList(),
        encoding == null ? null : linked(reduced.values(encoding.id()), reduced));
  }

  private static List<@Nullable Object> at(ArrayData dictionary, List<Long> indices) {
    List<@Nullable Object> values = new ArrayList<>();
    indices.forEach(index -> values.add(Values.of(Array.of(dictionary), index)));
    return values;
  }

  @Test
  void randomRowsKeepTheirValuesAndDictionariesOnlyWhatTheyUse() {
    int reducing = 0;
    for (int seed : Trials.seeds(SEED_COUNT)) {
      try (Arena arena = Arena.ofConfined()) {
        reducing += assertReduced(seed, arena) ? 1 : 0;
      }
    }
    assertThat(reducing).isGreaterThan(Trials.of(SEED_COUNT / 3));
  }

  /// @return whether a dictionary lost values
  private static boolean assertReduced(int seed, Arena arena) {
    Random random = new Random(seed);
    RandomData data = new RandomData(seed);
    ArrowType.Int indexType = new ArrowType.Int(8 << random.nextInt(4), random.nextBoolean());
    Schema schema =
        Schema.of(
            data.field("any", 4),
            data.dictionaryEncoded("encoded", random.nextBoolean(), indexType, 3),
            data.plain("nested", true, nested(random), 3),
            data.field("more", 3));
    OddArrays arrays = new OddArrays(seed, data, arena);
    Reference reference = new Reference(schema);
    List<RecordBatch> batches = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      int length = random.nextInt(5);
      List<List<@Nullable Object>> columns =
          schema.fields().stream().map(field -> data.values(field, length)).toList();
      batches.add(arrays.recordBatch(schema, length, columns));
    }
    batches.forEach(reference::add);
    UsedDictionaries reduced =
        new UsedDictionaries(
            schema, id -> Objects.requireNonNull(reference.dictionaries.get(id)), arena, _ -> {});
    batches.forEach(batch -> reduced.add(batch, arena));
    reduced.reduce(arena);
    String description = "seed " + seed + ", " + schema.fields();
    boolean smaller = false;
    for (var expected : reference.finish().entrySet()) {
      ArrayData before = Objects.requireNonNull(reference.dictionaries.get(expected.getKey()));
      ArrayData values = linked(reduced.values(expected.getKey()), reduced);
      assertThat(Values.of(values)).as(description).isEqualTo(at(before, expected.getValue()));
      assertThat(Validator.validateDictionary(values, Level.VALUES, "d")).as(description).isEmpty();
      smaller |= values.length() < before.length();
    }
    for (RecordBatch batch : batches) {
      RecordBatch rewritten = reduced.rewritten(batch, arena);
      List<ArrayData> columns =
          rewritten.columns().stream().map(column -> linked(column, reduced)).toList();
      assertThat(columns.stream().map(Values::of).toList())
          .as(description)
          .isEqualTo(batch.columns().stream().map(Values::of).toList());
      assertThat(Validator.validate(new RecordBatch(schema, batch.length(), columns), Level.VALUES))
          .as(description)
          .isEmpty();
      columns.forEach(column -> assertAllIndicesInRange(column, description));
    }
    return smaller;
  }

  private static ArrowType nested(Random random) {
    return switch (random.nextInt(7)) {
      case 0 -> new ArrowType.List();
      case 1 -> new ArrowType.LargeListView();
      case 2 -> new ArrowType.FixedSizeList(2);
      case 3 -> new ArrowType.Struct();
      case 4 -> new ArrowType.Map(false);
      case 5 -> new ArrowType.Union(UnionMode.values()[random.nextInt(2)], List.of(3, 1));
      default -> new ArrowType.RunEndEncoded();
    };
  }

  /// Some readers check indices that no row refers to.
  private static void assertAllIndicesInRange(ArrayData array, String description) {
    if (Array.of(array) instanceof Array.DictionaryEncoded encoded) {
      for (long slot = 0; slot < array.length(); slot++) {
        if (!encoded.isNull(slot)) {
          assertThat(encoded.index(slot))
              .as(description)
              .isBetween(0L, Objects.requireNonNull(array.dictionary()).length() - 1);
        }
      }
    }
    array.children().forEach(child -> assertAllIndicesInRange(child, description));
  }

  private static Field encoded(String name, long id, ArrowType.Int indexType, boolean ordered) {
    return Field.of(name, true, new ArrowType.Utf8())
        .withDictionary(new DictionaryEncoding(id, indexType, ordered));
  }

  /// Returns the values of the only dictionary after its reduction to what some rows use.
  private static List<@Nullable Object> reduced(
      Schema schema,
      List<? extends @Nullable Object> dictionary,
      List<List<@Nullable Object>> rows) {
    try (Arena arena = Arena.ofConfined()) {
      ArrayBuilder builder = new ArrayBuilder(arena, Map.of(7L, dictionary));
      ArrayData values =
          new ArrayBuilder(arena)
              .array(Objects.requireNonNull(DictionaryFields.of(schema).values(7)), dictionary);
      UsedDictionaries used = new UsedDictionaries(schema, _ -> values, arena, _ -> {});
      RecordBatch batch = builder.recordBatch(schema, rows.getFirst().size(), rows);
      used.add(batch, arena);
      used.reduce(arena);
      for (ArrayData column : used.rewritten(batch, arena).columns()) {
        int number = batch.schema().fields().indexOf(column.field());
        assertThat(Values.of(linked(column, used)))
            .isEqualTo(Values.of(batch.columns().get(number)));
      }
      return Values.of(used.values(7));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "8, true, 128",
    "8, false, 256",
    "16, true, 32768",
    "16, false, 65536",
    "32, true, 70000",
    "32, false, 70000",
    "64, true, 70000",
    "64, false, 70000"
  })
  void everyIndexTypeReachesItsLargestIndex(int bitWidth, boolean signed, int count) {
    List<String> values = IntStream.range(0, count).mapToObj(i -> "value " + i).toList();
    Schema schema = Schema.of(encoded("c", 7, new ArrowType.Int(bitWidth, signed), false));
    List<@Nullable Object> descending = new ArrayList<>(values.reversed());
    assertThat(reduced(schema, values, List.of(descending))).isEqualTo(values.reversed());
    List<@Nullable Object> few = Arrays.asList(values.getLast(), null, "value 5", values.getLast());
    assertThat(reduced(schema, values, List.of(few))).containsExactly(values.getLast(), "value 5");
  }

  @Test
  void orderedDictionaryKeepsItsOrder() {
    Schema schema = Schema.of(encoded("c", 7, new ArrowType.Int(8, true), true));
    List<@Nullable Object> rows = List.of("e", "b", "f", "b", "a");
    assertThat(reduced(schema, LETTERS, List.of(rows))).containsExactly("a", "b", "e", "f");
    List<String> many = IntStream.range(0, 100_000).mapToObj(i -> "" + i).toList();
    Schema wide = Schema.of(encoded("c", 7, new ArrowType.Int(32, true), true));
    List<@Nullable Object> shuffled = new ArrayList<>(many.subList(10, 99_990));
    Collections.shuffle(shuffled, new Random(1));
    assertThat(reduced(wide, many, List.of(shuffled))).isEqualTo(many.subList(10, 99_990));
  }

  /// The order is that of the rows, whatever columns use a value first.
  @Test
  void columnsWithOneDictionaryShareTheReducedOne() {
    ArrowType.Int int8 = new ArrowType.Int(8, true);
    Schema schema =
        Schema.of(
            encoded("c", 7, int8, false), encoded("d", 7, new ArrowType.Int(16, true), false));
    List<@Nullable Object> first = List.of("f", "a", "f");
    List<@Nullable Object> second = List.of("c", "b", "a");
    assertThat(reduced(schema, LETTERS, List.of(first, second)))
        .containsExactly("f", "c", "a", "b");
  }

  @Test
  void nullOfADictionaryIsAValue() {
    Schema schema = Schema.of(encoded("c", 7, new ArrowType.Int(8, true), false));
    List<@Nullable String> dictionary = Arrays.asList("a", null, "b", null);
    List<@Nullable Object> rows =
        Arrays.asList(new DictionaryIndex(3), null, "b", new DictionaryIndex(1));
    assertThat(reduced(schema, dictionary, List.of(rows))).containsExactly(null, "b", null);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void onlyNullsUseNoValue(boolean empty) {
    Schema schema = Schema.of(encoded("c", 7, new ArrowType.Int(8, true), false));
    List<@Nullable Object> rows = new ArrayList<>();
    if (!empty) {
      rows.add(null);
    }
    assertThat(reduced(schema, LETTERS, List.of(rows))).isEmpty();
  }

  /// Each value of this dictionary takes less than a byte, and most are never referred to.
  @Test
  void hugeDictionaryWithoutBytesIsNotRead() {
    try (Arena arena = Arena.ofConfined()) {
      Field field =
          Field.of("c", true, new ArrowType.Null())
              .withDictionary(new DictionaryEncoding(7, new ArrowType.Int(64, true), true));
      Schema schema = Schema.of(field);
      ArrayData nulls =
          new ArrayData(
              Objects.requireNonNull(DictionaryFields.of(schema).values(7)),
              1L << 40,
              1L << 40,
              List.of(),
              List.of(),
              null);
      ArrayData indices =
          new ArrayBuilder(arena)
              .array(
                  Field.of("c", true, new ArrowType.Int(64, true)),
                  List.of(1L << 39, 3L, 1L << 39));
      UsedDictionaries used = new UsedDictionaries(schema, _ -> nulls, arena, _ -> {});
      RecordBatch batch =
          new RecordBatch(
              schema, 3, List.of(new ArrayData(field, 3, 0, indices.buffers(), List.of(), nulls)));
      used.add(batch, arena);
      used.reduce(arena);
      assertThat(used.values(7).length()).isEqualTo(2);
      Array.DictionaryEncoded rewritten =
          (Array.DictionaryEncoded) Array.of(used.rewritten(batch, arena).columns().getFirst());
      assertThat(indices(rewritten)).containsExactly(1L, 0L, 1L);
    }
  }

  private static Collection<Long> indices(Array.DictionaryEncoded encoded) {
    List<Long> indices = new ArrayList<>();
    for (long slot = 0; slot < encoded.length(); slot++) {
      indices.add(encoded.index(slot));
    }
    return indices;
  }

  @ParameterizedTest
  @ValueSource(longs = {6, 100, -1})
  void indexOutsideOfItsDictionaryIsAnError(long index) {
    try (Arena arena = Arena.ofConfined()) {
      Field field = encoded("c", 7, new ArrowType.Int(8, true), false);
      Schema schema = Schema.of(field);
      ArrayData values = new ArrayBuilder(arena).array(TEXT, LETTERS);
      ArrayData indices =
          new ArrayBuilder(arena)
              .array(Field.of("c", true, new ArrowType.Int(8, true)), List.of(5L, index));
      UsedDictionaries used = new UsedDictionaries(schema, _ -> values, arena, _ -> {});
      RecordBatch batch =
          new RecordBatch(
              schema, 2, List.of(new ArrayData(field, 2, 0, indices.buffers(), List.of(), values)));
      assertThatThrownBy(() -> used.add(batch, arena))
          .isInstanceOf(MalformedInputException.class)
          .hasMessageStartingWith("Expected an index of 0 to less than 6 but found " + index);
    }
  }
}
