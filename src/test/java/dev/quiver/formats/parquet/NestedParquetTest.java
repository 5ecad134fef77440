package dev.quiver.formats.parquet;

import static dev.quiver.formats.parquet.ParquetBytes.INT32;
import static dev.quiver.formats.parquet.ParquetBytes.OPTIONAL;
import static dev.quiver.formats.parquet.ParquetBytes.REPEATED;
import static dev.quiver.formats.parquet.ParquetBytes.REQUIRED;
import static dev.quiver.formats.parquet.ParquetBytes.int32;
import static dev.quiver.formats.parquet.ParquetBytes.levels;
import static dev.quiver.formats.parquet.ParquetBytes.page;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Trials;
import dev.quiver.formats.ForeignDataException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Lists, maps and structs: their levels, and the forms of their schema.
@Tag("random")
class NestedParquetTest extends ParquetFixture {

  private static final int LIST = 3;
  private static final int MAP = 1;
  private static final int MAP_KEY_VALUE = 2;

  /// Pages end anywhere, also within rows and next to null and empty lists.
  @Test
  void nestedValuesAreAssembledFromTheirLevels() throws IOException {
    for (int seed : Trials.seeds(150)) {
      Random random = new Random(seed);
      List<Shape> columns = List.of(Shape.random(random, 4), Shape.random(random, 3));
      assertRead(columns, random.nextInt(60), random, 1 + random.nextInt(40));
    }
  }

  /// A piece ends after 65,536 rows or 262,144 slots, while a block of levels is partly used.
  @Tag("long")
  @Test
  void rowsAreAlignedWherePiecesEndWithinABlockOfLevels() throws IOException {
    Shape element = Shape.struct(true, Shape.integer(true), Shape.list(false, Shape.integer(true)));
    List<Shape> columns =
        List.of(
            Shape.list(false, Shape.list(false, element)),
            Shape.integer(true),
            Shape.list(true, element));
    assertRead(columns, 100_000, new Random(5), 30_000);
  }

  private void assertRead(List<Shape> columns, int rowCount, Random random, int pageSlotMaximum)
      throws IOException {
    ParquetBytes file = new ParquetBytes(columns.size(), rowCount);
    columns.forEach(column -> column.addSchema(file, "c"));
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < rowCount; i++) {
      List<@Nullable Object> row = new ArrayList<>();
      columns.forEach(column -> row.add(column.value(random)));
      rows.add(row);
    }
    for (int i = 0; i < columns.size(); i++) {
      List<@Nullable Object> values = new ArrayList<>();
      for (List<@Nullable Object> row : rows) {
        values.add(row.get(i));
      }
      columns.get(i).addChunks(file, values, random, pageSlotMaximum);
    }
    assertThat(rows(file).equals(rows)).as("%s", columns).isTrue();
  }

  /// A row of more slots than a piece has otherwise.
  @Test
  void aRowMayHaveMoreSlotsThanAPiece() throws IOException {
    int count = 600_000;
    int[] repetition = new int[count];
    int[] ones = new int[count];
    int[] values = new int[count];
    Arrays.setAll(repetition, i -> i == 1 || i == 2 ? 0 : 1);
    repetition[0] = 0;
    Arrays.fill(ones, 1);
    Arrays.setAll(values, i -> i);
    byte[] page = page(count, 0, levels(1, repetition), levels(1, ones), int32(values));
    ParquetBytes file =
        new ParquetBytes(1, 3).leaf(INT32, REPEATED, "a").chunk(INT32, count, false, page);
    assertThat(column(file, 0))
        .isEqualTo(List.of(List.of(0L), List.of(1L), LongStream.range(2, count).boxed().toList()));
  }

  /// The forms of lists of two levels and of three, by the specification's rules for older files.
  @Test
  void listsHaveTheFormsOfOlderWriters() throws IOException {
    byte[] page = page(5, 0, levels(1, 0, 1, 0, 0, 1), levels(1, 1, 1, 0, 1, 1), int32(1, 2, 3, 4));
    List<?> expected = List.of(List.of(1L, 2L), List.of(), List.of(3L, 4L));
    List<?> structs =
        List.of(List.of(List.of(1L), List.of(2L)), List.of(), List.of(List.of(3L), List.of(4L)));
    ParquetBytes bare = new ParquetBytes(1, 3).leaf(INT32, REPEATED, "a");
    assertThat(column(bare.chunk(INT32, 5, false, page), 0)).isEqualTo(expected);
    ParquetBytes two =
        new ParquetBytes(1, 3).group(REQUIRED, "a", 1, LIST).leaf(INT32, REPEATED, "element");
    assertThat(column(two.chunk(INT32, 5, false, page), 0)).isEqualTo(expected);
    ParquetBytes three =
        new ParquetBytes(1, 3)
            .group(REQUIRED, "a", 1, LIST)
            .group(REPEATED, "list", 1, -1)
            .leaf(INT32, REQUIRED, "element");
    assertThat(column(three.chunk(INT32, 5, false, page), 0)).isEqualTo(expected);
    for (String name : List.of("array", "a_tuple")) {
      ParquetBytes tuple =
          new ParquetBytes(1, 3)
              .group(REQUIRED, "a", 1, LIST)
              .group(REPEATED, name, 1, -1)
              .leaf(INT32, REQUIRED, "x");
      assertThat(column(tuple.chunk(INT32, 5, false, page), 0)).as(name).isEqualTo(structs);
    }
  }

  @Test
  void listsStructsAndMapsHaveNulls() throws IOException {
    // Optional list, optional struct, optional value: null, [], [null], [{null}], [{5}, {6}].
    byte[] page = page(6, 0, levels(1, 0, 0, 0, 0, 0, 1), levels(3, 0, 1, 2, 3, 4, 4), int32(5, 6));
    ParquetBytes file =
        new ParquetBytes(1, 5)
            .group(OPTIONAL, "a", 1, LIST)
            .group(REPEATED, "list", 1, -1)
            .group(OPTIONAL, "element", 1, -1)
            .leaf(INT32, OPTIONAL, "x")
            .chunk(INT32, 6, false, page);
    assertThat(column(file, 0))
        .isEqualTo(
            Arrays.asList(
                null,
                List.of(),
                Arrays.asList((Object) null),
                List.of(Arrays.asList((Object) null)),
                List.of(List.of(5L), List.of(6L))));
    assertThat(types(file)).containsExactly("a: list<item: struct<x: int32>>");
    ParquetBytes map =
        new ParquetBytes(1, 2)
            .group(OPTIONAL, "m", 1, MAP)
            .group(REPEATED, "key_value", 2, -1)
            .leaf(INT32, REQUIRED, "k")
            .leaf(INT32, OPTIONAL, "v")
            .chunk(INT32, 3, false, page(3, 0, levels(1, 0, 1, 0), levels(2, 2, 2, 0), int32(1, 2)))
            .chunk(INT32, 3, false, page(3, 0, levels(1, 0, 1, 0), levels(2, 3, 2, 0), int32(9)));
    assertThat(column(map, 0))
        .isEqualTo(Arrays.asList(List.of(List.of(1L, 9L), Arrays.asList(2L, null)), null));
    assertThat(types(map))
        .containsExactly("m: map<entries: struct<key: int32 not null, value: int32> not null>");
  }

  private static final byte[] FIVE_SLOTS =
      page(5, 0, levels(1, 0, 1, 0, 0, 1), levels(1, 1, 1, 0, 1, 1), int32(1, 2, 3, 4));

  /// A group within a list is the element if it has several fields or a repeated one.
  @Test
  void repeatedGroupsAreElementsUnlessTheyWrapOneField() throws IOException {
    ParquetBytes two =
        new ParquetBytes(1, 3)
            .group(REQUIRED, "a", 1, LIST)
            .group(REPEATED, "element", 2, -1)
            .leaf(INT32, REQUIRED, "x")
            .leaf(INT32, REQUIRED, "y")
            .chunk(INT32, 5, false, FIVE_SLOTS)
            .chunk(INT32, 5, false, FIVE_SLOTS);
    assertThat(types(two)).containsExactly("a: list<item: struct<x: int32, y: int32>>");
    assertThat(column(two, 0).getFirst()).isEqualTo(List.of(List.of(1L, 1L), List.of(2L, 2L)));
    byte[] nested = page(4, 0, levels(2, 0, 2, 1, 0), levels(2, 2, 2, 1, 0), int32(1, 2));
    ParquetBytes repeated =
        new ParquetBytes(1, 2)
            .group(REQUIRED, "a", 1, LIST)
            .group(REPEATED, "list", 1, -1)
            .leaf(INT32, REPEATED, "x")
            .chunk(INT32, 4, false, nested);
    assertThat(types(repeated)).containsExactly("a: list<item: struct<x: list<item: int32>>>");
    ParquetBytes array =
        new ParquetBytes(1, 2)
            .group(REQUIRED, "a", 1, LIST)
            .group(REPEATED, "array", 1, LIST)
            .leaf(INT32, REPEATED, "array")
            .chunk(INT32, 4, false, nested);
    assertThat(types(array)).containsExactly("a: list<item: list<item: int32>>");
    assertThat(column(array, 0)).isEqualTo(List.of(List.of(List.of(1L, 2L), List.of()), List.of()));
    ParquetBytes lists =
        new ParquetBytes(1, 2)
            .group(REPEATED, "a", 1, LIST)
            .group(REPEATED, "list", 1, -1)
            .leaf(INT32, REQUIRED, "element")
            .chunk(INT32, 4, false, nested);
    assertThat(column(lists, 0)).isEqualTo(column(array, 0));
  }

  @Test
  void mapsHaveTheFormsOfOlderWriters() throws IOException {
    for (int annotation : new int[] {MAP, MAP_KEY_VALUE}) {
      ParquetBytes map =
          new ParquetBytes(1, 3)
              .group(REQUIRED, "m", 1, annotation)
              .group(REPEATED, "map", 2, MAP_KEY_VALUE)
              .leaf(INT32, REQUIRED, "k")
              .leaf(INT32, REQUIRED, "v")
              .chunk(INT32, 5, false, FIVE_SLOTS)
              .chunk(INT32, 5, false, FIVE_SLOTS);
      assertThat(types(map))
          .containsExactly("m: map<entries: struct<key: int32 not null, value: int32> not null>");
    }
    ParquetBytes keys =
        new ParquetBytes(1, 3)
            .group(REQUIRED, "m", 1, MAP)
            .group(REPEATED, "key_value", 1, -1)
            .leaf(INT32, REQUIRED, "key")
            .chunk(INT32, 5, false, FIVE_SLOTS);
    assertThat(column(keys, 0)).isEqualTo(List.of(List.of(1L, 2L), List.of(), List.of(3L, 4L)));
  }

  @Test
  void keysOfMapsAreNeverNull() throws IOException {
    byte[] values = page(2, 0, levels(1, 0, 1), levels(1, 1, 1), int32(8, 9));
    assertThat(column(mapWithKeys(OPTIONAL, REQUIRED, 2, 2).chunk(INT32, 2, false, values), 0))
        .isEqualTo(List.of(List.of(List.of(List.of(5L), 8L), List.of(List.of(6L), 9L))));
    assertNullKey(mapWithKeys(OPTIONAL, REQUIRED, 2, 1).chunk(INT32, 2, false, values));
    assertThat(column(mapWithKeys(REQUIRED, OPTIONAL, 2, 1).chunk(INT32, 2, false, values), 0))
        .isEqualTo(
            List.of(List.of(List.of(List.of(5L), 8L), List.of(Arrays.asList((Object) null), 9L))));
    byte[] keys = page(2, 0, levels(1, 0, 1), levels(2, 2, 1), int32(5));
    assertNullKey(
        new ParquetBytes(1, 1)
            .group(REQUIRED, "m", 1, MAP)
            .group(REPEATED, "key_value", 2, -1)
            .leaf(INT32, OPTIONAL, "key")
            .leaf(INT32, REQUIRED, "value")
            .chunk(INT32, 2, false, keys)
            .chunk(INT32, 2, false, values));
  }

  /// Returns a map of one row with two keys that are structs, up to its values.
  private static ParquetBytes mapWithKeys(int struct, int child, int... definition) {
    int[] keys =
        Arrays.stream(definition).allMatch(level -> level == 2) ? new int[] {5, 6} : new int[] {5};
    return new ParquetBytes(1, 1)
        .group(REQUIRED, "m", 1, MAP)
        .group(REPEATED, "key_value", 2, -1)
        .group(struct, "key", 1, -1)
        .leaf(INT32, child, "x")
        .leaf(INT32, REQUIRED, "value")
        .chunk(INT32, 2, false, page(2, 0, levels(1, 0, 1), levels(2, definition), int32(keys)));
  }

  private void assertNullKey(ParquetBytes file) {
    assertThatThrownBy(() -> rows(file))
        .isInstanceOf(ForeignDataException.class)
        .hasMessage("Expected a key for each entry of a map but found a null in column key");
  }

  /// The lists of both leaves have equal offsets and equally many nulls.
  @Test
  void leavesAgreeWhichListsAreNull() {
    byte[] nullFirst = page(2, 0, levels(1, 0, 0), levels(2, 0, 1));
    byte[] emptyFirst = page(2, 0, levels(1, 0, 0), levels(2, 1, 0));
    ParquetBytes file =
        new ParquetBytes(1, 2)
            .group(OPTIONAL, "a", 1, LIST)
            .group(REPEATED, "list", 1, -1)
            .group(REQUIRED, "element", 2, -1)
            .leaf(INT32, REQUIRED, "x")
            .leaf(INT32, REQUIRED, "y")
            .chunk(INT32, 2, false, nullFirst)
            .chunk(INT32, 2, false, emptyFirst);
    assertThatThrownBy(() -> rows(file)).hasMessageContaining("lists of equal length");
  }
}
