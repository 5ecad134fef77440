package dev.quiver.formats.parquet;

import static dev.quiver.formats.parquet.ParquetBytes.BYTE_ARRAY;
import static dev.quiver.formats.parquet.ParquetBytes.INT32;
import static dev.quiver.formats.parquet.ParquetBytes.INT64;
import static dev.quiver.formats.parquet.ParquetBytes.OPTIONAL;
import static dev.quiver.formats.parquet.ParquetBytes.REPEATED;
import static dev.quiver.formats.parquet.ParquetBytes.REQUIRED;
import static dev.quiver.formats.parquet.ParquetBytes.dictionary;
import static dev.quiver.formats.parquet.ParquetBytes.int32;
import static dev.quiver.formats.parquet.ParquetBytes.int64;
import static dev.quiver.formats.parquet.ParquetBytes.levels;
import static dev.quiver.formats.parquet.ParquetBytes.packed;
import static dev.quiver.formats.parquet.ParquetBytes.page;
import static dev.quiver.formats.parquet.ParquetBytes.text;
import static java.util.Collections.singletonList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.formats.ForeignDataException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that old and odd writers leave behind, and that other readers read as well.
class OddParquetTest extends ParquetFixture {

  private static final int LIST = 3;
  private static final byte[] LEFT_OVER = {-1, -1, -1, -1, 0, 21, 0, 21};

  /// @param typed the group with a physical type: the root, or a group below it
  @ParameterizedTest
  @ValueSource(strings = {"root", "group"})
  void childrenMakeAGroup(String typed) throws IOException {
    CompactStruct root = new CompactStruct();
    CompactStruct group = new CompactStruct();
    (typed.equals("root") ? root : group).integer(1, INT32);
    ParquetBytes file =
        new ParquetBytes(root.text(4, "schema").integer(5, 1), 1)
            .element(group.integer(3, REQUIRED).text(4, "g").integer(5, 1))
            .leaf(INT64, REQUIRED, "x")
            .chunk(INT64, 1, false, page(1, 0, int64(7)));
    assertThat(types(file)).containsExactly("g: struct<x: int64>");
    assertThat(rows(file)).containsExactly(List.of(List.of(7L)));
  }

  /// @param missing the bytes that the declared size of the chunk lacks
  @ParameterizedTest
  @CsvSource({"1, 3", "13, 3", "100, 3", "101, 0"})
  void chunksMayLackTheHeaderOfTheirDictionary(int missing, int rowCount) throws IOException {
    byte[] indices = page(3, 8, new byte[] {1}, packed(1, 0, 1, 0), new byte[120]);
    ParquetBytes file =
        new ParquetBytes(2, 3)
            .leaf(BYTE_ARRAY, REQUIRED, "x")
            .leaf(INT64, REQUIRED, "y")
            .missing(missing)
            .chunk(BYTE_ARRAY, 3, true, dictionary(2, text("a", "b")), indices)
            .missing(0)
            .chunk(INT64, 3, false, page(3, 0, int64(1, 2, 3)));
    if (rowCount > 0) {
      assertThat(rows(file))
          .containsExactly(
              List.of(binary("a"), 1L), List.of(binary("b"), 2L), List.of(binary("a"), 3L));
    } else {
      assertThatThrownBy(() -> rows(file))
          .isInstanceOf(ForeignDataException.class)
          .hasMessageContaining("pages within their column");
    }
  }

  @Test
  void chunksWithoutADictionaryHaveTheirSize() {
    ParquetBytes file =
        new ParquetBytes(1, 3)
            .leaf(INT64, REQUIRED, "x")
            .missing(1)
            .chunk(INT64, 3, false, page(3, 0, int64(1, 2, 3)));
    assertThatThrownBy(() -> rows(file)).hasMessageContaining("pages within their column");
  }

  @Test
  void bytesAfterTheLastValueAreUnused() throws IOException {
    byte[] pages = page(2, 0, levels(1, 0, 1), levels(1, 1, 1), int32(1, 2));
    byte[] rest = page(1, 0, levels(1, 1), levels(1, 1), int32(3));
    ParquetBytes file =
        new ParquetBytes(2, 1)
            .leaf(INT32, REPEATED, "l")
            .leaf(INT64, REQUIRED, "x")
            .chunk(INT32, 3, false, pages, rest, LEFT_OVER)
            .chunk(INT64, 1, false, page(1, 0, int64(8)), LEFT_OVER)
            .rowGroup(1)
            .chunk(INT32, 3, false, pages, rest, LEFT_OVER)
            // A page is left over.
            .chunk(INT64, 1, false, page(1, 0, int64(9)), page(1, 0, int64(10)));
    assertThat(rows(file))
        .containsExactly(List.of(List.of(1L, 2L, 3L), 8L), List.of(List.of(1L, 2L, 3L), 9L));
  }

  /// Some writers declare another number of values, but the pages have those of all rows.
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 4, 1_000})
  void declaredNumbersOfValuesMayBeWrong(long declared) throws IOException {
    byte[] pages = page(2, 0, levels(1, 0, 1), levels(1, 1, 1), int32(1, 2));
    byte[] rest = page(2, 0, levels(1, 1, 0), levels(1, 1, 1), int32(3, 4));
    ParquetBytes file =
        new ParquetBytes(1, 2)
            .leaf(INT32, REPEATED, "l")
            .chunk(INT32, declared, false, pages, rest);
    assertThat(rows(file)).containsExactly(List.of(List.of(1L, 2L, 3L)), List.of(List.of(4L)));
  }

  @Test
  void footersMayLackTheNumberOfRows() throws IOException {
    byte[] page = page(1, 0, int64(5));
    ParquetBytes file =
        new ParquetBytes(1, 1)
            .leaf(INT64, REQUIRED, "x")
            .chunk(INT64, 1, false, page)
            .rowGroup(1)
            .chunk(INT64, 1, false, page)
            .rowCount(0);
    assertThat(open(file.end()).rowCount()).isEqualTo(2);
    assertThat(rows(file)).containsExactly(List.of(5L), List.of(5L));
  }

  /// The first group is beside columns, the second within a struct, the third within a list.
  @Test
  void groupsWithoutFieldsAreNull() throws IOException {
    ParquetBytes file =
        new ParquetBytes(5, 2)
            .group(OPTIONAL, "a", 1, -1)
            .group(OPTIONAL, "inner", 0, -1)
            .leaf(INT64, REQUIRED, "x")
            .group(REQUIRED, "b", 2, -1)
            .group(REQUIRED, "none", 0, -1)
            .leaf(INT64, REQUIRED, "y")
            .group(OPTIONAL, "c", 1, LIST)
            .group(REPEATED, "list", 1, -1)
            .group(OPTIONAL, "element", 0, -1)
            .group(REPEATED, "d", 2, -1)
            .group(REQUIRED, "none", 0, -1)
            .leaf(INT32, REQUIRED, "z")
            .chunk(INT64, 2, false, page(2, 0, int64(1, 2)))
            .chunk(INT64, 2, false, page(2, 0, int64(3, 4)))
            .chunk(
                INT32,
                3,
                false,
                page(3, 0, levels(1, 0, 1, 0), levels(1, 1, 1, 1), int32(5, 6, 7)));
    ParquetContents contents = open(file.end());
    assertThat(types(file))
        .containsExactly(
            "a: struct<inner: struct>",
            "x: int64",
            "b: struct<none: struct, y: int64>",
            "c: list<item: struct>",
            "d: list<item: struct<none: struct, z: int32>>");
    assertThat(contents.lostTypes())
        .extracting(type -> type.path() + " " + type.sentence())
        .containsExactly(
            "a.inner is a group without fields, so its values are null",
            "b.none is a group without fields, so its values are null",
            "c.list.element is a group without fields, so its values are null",
            "d.none is a group without fields, so its values are null");
    assertThat(rows(file))
        .containsExactly(
            Arrays.asList(
                null,
                1L,
                Arrays.asList(null, 3L),
                null,
                List.of(Arrays.asList(null, 5L), Arrays.asList(null, 6L))),
            Arrays.asList(
                null, 2L, Arrays.asList(null, 4L), null, singletonList(Arrays.asList(null, 7L))));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 70_000})
  void filesMayLackColumns(int rowCount) throws IOException {
    ParquetBytes file = new ParquetBytes(0, rowCount);
    assertThat(types(file)).isEmpty();
    List<Long> lengths = batchLengths(file);
    assertThat(lengths.stream().mapToLong(Long::longValue).sum()).isEqualTo(rowCount);
    ParquetBytes empty = new ParquetBytes(1, rowCount).group(OPTIONAL, "a", 0, -1);
    assertThat(rows(empty)).hasSize(rowCount);
    assertThat(rows(empty)).allMatch(row -> row.size() == 1 && row.getFirst() == null);
  }

  /// The rows of such a file take no bytes.
  @ParameterizedTest
  @CsvSource({"0, 2147483647, true", "1, 2147483647, false", "0, 1099511627776, false"})
  void filesWithoutColumnsHaveABoundedNumberOfRows(long first, long second, boolean fits)
      throws IOException {
    byte[] file = new ParquetBytes(0, first).rowGroup(second).end();
    if (fits) {
      assertThat(open(file).rowCount()).isEqualTo(first + second);
    } else {
      assertThatThrownBy(() -> open(file))
          .hasMessage(
              "Expected at most 2,147,483,647 rows in a Parquet file without columns but found %,d",
              first + second);
    }
  }

  /// A list of Arrow has two levels in the file.
  @ParameterizedTest
  @CsvSource({"63, true", "64, false"})
  void levelsAreThoseOfArrow(int listCount, boolean fits) throws IOException {
    ParquetBytes file = new ParquetBytes(1, 1);
    for (int i = 0; i < listCount; i++) {
      file.group(OPTIONAL, "l", 1, LIST).group(REPEATED, "list", 1, -1);
    }
    int levelCount = 2 * listCount;
    // All lists but the innermost one have an element.
    file.leaf(INT32, REQUIRED, "element")
        .chunk(INT32, 1, false, page(1, 0, levels(6, 0), levels(7, levelCount - 1)));
    if (!fits) {
      assertThatThrownBy(() -> open(file.end())).isInstanceOf(TooLargeInputException.class);
      return;
    }
    @Nullable Object value = rows(file).getFirst().getFirst();
    for (int i = 1; i < listCount; i++) {
      value = ((List<?>) value).getFirst();
    }
    assertThat((List<?>) value).isEmpty();
  }

  /// @param byteSize the size of the only page
  @ParameterizedTest
  @CsvSource({"400000, true, 1", "500000, false, 0", "500000, true, 1", "1100000, true, -1"})
  void largePagesTakeTheWholeMemory(int byteSize, boolean isCompressed, int turns)
      throws IOException {
    byte[] page = page(byteSize / 8, 0, int64(new long[byteSize / 8]));
    ParquetBytes file =
        new ParquetBytes(1, byteSize / 8)
            .leaf(INT64, REQUIRED, "x")
            .chunk(INT64, byteSize / 8, false, page);
    AtomicInteger wholes = new AtomicInteger();
    PageMemory memory =
        new PageMemory() {
          @Override
          public Limit share() {
            return new Limit("page-bytes", isCompressed ? 1_000_000 : 4_000_000);
          }

          @Override
          public Limit whole() {
            wholes.incrementAndGet();
            return new Limit("page-bytes", 2_000_000);
          }
        };
    if (turns < 0) {
      assertThatThrownBy(() -> rowCount(file, memory)).isInstanceOf(TooLargeInputException.class);
    } else {
      assertThat(rowCount(file, memory)).isEqualTo(byteSize / 8);
      assertThat(wholes).hasValue(turns);
    }
  }

  private long rowCount(ParquetBytes file, PageMemory memory) throws IOException {
    List<RecordBatch> batches = new ArrayList<>();
    forEach(open(file.end(), memory, () -> {}), batches::add);
    return batches.stream().mapToLong(RecordBatch::length).sum();
  }
}
