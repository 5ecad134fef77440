package dev.quiver.formats.parquet;

import static dev.quiver.formats.parquet.ParquetBytes.BYTE_ARRAY;
import static dev.quiver.formats.parquet.ParquetBytes.FIXED;
import static dev.quiver.formats.parquet.ParquetBytes.INT32;
import static dev.quiver.formats.parquet.ParquetBytes.INT64;
import static dev.quiver.formats.parquet.ParquetBytes.INT96;
import static dev.quiver.formats.parquet.ParquetBytes.OPTIONAL;
import static dev.quiver.formats.parquet.ParquetBytes.REPEATED;
import static dev.quiver.formats.parquet.ParquetBytes.REQUIRED;
import static dev.quiver.formats.parquet.ParquetBytes.dictionary;
import static dev.quiver.formats.parquet.ParquetBytes.int32;
import static dev.quiver.formats.parquet.ParquetBytes.int64;
import static dev.quiver.formats.parquet.ParquetBytes.join;
import static dev.quiver.formats.parquet.ParquetBytes.levels;
import static dev.quiver.formats.parquet.ParquetBytes.packed;
import static dev.quiver.formats.parquet.ParquetBytes.page;
import static dev.quiver.formats.parquet.ParquetBytes.run;
import static dev.quiver.formats.parquet.ParquetBytes.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.type.Field;
import dev.quiver.formats.ForeignDataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Files that contradict themselves, or that exceed a limit. Each is rejected with a sentence, soon
/// and with little memory.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DamagedParquetTest extends ParquetFixture {

  private static final int DICTIONARY = 8;

  private void assertRejected(byte[] file, String message) {
    assertThatThrownBy(() -> forEach(file, _ -> {}))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageStartingWith("Expected ")
        .hasMessageContaining(message);
  }

  private void assertTooLarge(byte[] file) {
    assertThatThrownBy(() -> forEach(file, _ -> {}))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("of a Parquet file at a time (page-bytes)");
  }

  private static ParquetBytes one(int type, long rowCount, byte[]... pages) {
    return new ParquetBytes(1, rowCount)
        .leaf(type, REQUIRED, "x")
        .chunk(type, rowCount, false, pages);
  }

  @Test
  void filesEndWithAFooterAndItsMark() {
    assertRejected("PAR1".getBytes(StandardCharsets.US_ASCII), "other bytes at its end");
    assertRejected("a,b\n1,2\n3,4\n5,6\n".getBytes(StandardCharsets.US_ASCII), "other bytes");
    byte[] file = one(INT64, 1, page(1, 0, int64(1))).end();
    file[file.length - 1] = 'E';
    assertRejected(file, "encrypted");
    file[file.length - 1] = '1';
    file[file.length - 6] = 127;
    assertRejected(file, "whole footer");
  }

  @Test
  void footersAreBounded() {
    ParquetBytes file = one(INT64, 1, page(1, 0, int64(1)));
    byte[] nested = new byte[100_000];
    Arrays.fill(nested, (byte) 0x19);
    assertRejected(file.end(new CompactStruct().raw(99, 9, nested)), "levels");
    Arrays.fill(nested, (byte) 0x1C);
    assertRejected(file.end(new CompactStruct().raw(99, 12, nested)), "levels");
    byte[] many = {(byte) 0xF1, -1, -1, -1, -1, 7};
    assertRejected(file.end(new CompactStruct().raw(99, 9, many)), "whole footer");
    byte[] long2 = {-1, -1, -1, -1, 7, 'a'};
    assertRejected(file.end(new CompactStruct().raw(6, 8, long2)), "whole footer");
    assertRejected(file.end(new CompactStruct().raw(8, 12, (byte) 0)), "encrypted");
  }

  @Test
  void schemasAreTrees() {
    assertRejected(new ParquetBytes(2, 1).leaf(INT32, REQUIRED, "x").end(), "tree");
    assertRejected(new ParquetBytes(-1, 1).leaf(INT32, REQUIRED, "x").end(), "tree");
    assertRejected(new ParquetBytes(0, 1).leaf(INT32, REQUIRED, "x").end(), "tree");
    assertRejected(new ParquetBytes(1, 1).group(REQUIRED, "g", -1, -1).end(), "tree");
    assertRejected(new ParquetBytes(1, 0).leaf(FIXED, REQUIRED, "x").end(), "values of 1 to");
  }

  @Test
  void schemasAreBounded() throws IOException {
    Limit heap = new Limit("page-bytes", 128 << 20);
    assertThat(open(columns(100_000), heap, () -> {}).schema().fields()).hasSize(100_000);
    assertThatThrownBy(() -> open(columns(100_001), heap, () -> {}))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessage("Expected at most 100000 fields in a schema (schema-fields) but found 100001");
    assertThat(open(nested(63)).schema().fields()).hasSize(1);
    assertThatThrownBy(() -> open(nested(64)))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessage("Expected at most 64 levels of fields (schema-depth-levels) but found 65");
    assertThatThrownBy(() -> open(nested(5_000)))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessage("Expected at most 64 levels of fields (schema-depth-levels) but found more");
  }

  /// Tasks decode several groups of these columns, each of one null of a megabyte.
  @Tag("long")
  @Test
  void columnsTogetherAreBounded() {
    int count = 1_100;
    byte[] definition = run(1, 0);
    ParquetBytes file = new ParquetBytes(count, 1);
    for (int i = 0; i < count; i++) {
      file.element(
              new CompactStruct()
                  .integer(1, FIXED)
                  .integer(2, 1 << 20)
                  .integer(3, OPTIONAL)
                  .text(4, "x"))
          .chunk(FIXED, 1, false, page(1, 0, int32(definition.length), definition));
    }
    assertRejected(file.end(), "rows that take at most 1,073,741,824 bytes at a time");
  }

  @Test
  void chunksDoNotShareBytes() {
    ParquetBytes file = one(INT64, 20, page(20, 0, int64(new long[20])));
    for (int i = 0; i < 10; i++) {
      file.repeat();
    }
    assertRejected(file.end(), "column chunks of its size");
  }

  @Test
  void timestampsThatAreReadAheadHaveALimit() throws IOException {
    byte[] definition = run(1_000_001, 0);
    byte[] page = page(1_000_001, 0, int32(definition.length), definition);
    ParquetBytes file =
        new ParquetBytes(1, 1_000_001)
            .leaf(INT96, OPTIONAL, "x")
            .chunk(INT96, 1_000_001, false, page);
    assertThatThrownBy(() -> open(file.end()))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("bytes of rows (decompression-ratio) but found 8000008");
  }

  private static byte[] columns(int count) {
    ParquetBytes file = new ParquetBytes(count, 0);
    for (int i = 0; i < count; i++) {
      file.leaf(INT32, REQUIRED, "");
    }
    return file.endWithoutRows();
  }

  /// @param groupCount the groups around a column
  private static byte[] nested(int groupCount) {
    ParquetBytes file = new ParquetBytes(1, 0);
    for (int i = 0; i < groupCount; i++) {
      file.group(OPTIONAL, "g", 1, -1);
    }
    return file.leaf(INT32, REQUIRED, "x").endWithoutRows();
  }

  /// The paths of all columns together have gigabytes.
  @Test
  void aLongNameMayHaveManyColumnsBelowIt() throws IOException {
    int count = 30_000;
    ParquetBytes file = new ParquetBytes(1, 0).group(REQUIRED, "n".repeat(1_000_000), count, -1);
    for (int i = 0; i < count; i++) {
      file.leaf(INT32, REQUIRED, "x");
    }
    Field column = open(file.endWithoutRows()).schema().fields().getFirst();
    assertThat(column.children()).hasSize(count);
  }

  @Test
  void checksRowCountsOfRowGroups() throws IOException {
    byte[] page = page(1, 0, int64(1));
    for (long stated : new long[] {-1, 1, 3, Long.MAX_VALUE, Long.MIN_VALUE}) {
      ParquetBytes file =
          one(INT64, 1, page).rowGroup(1).chunk(INT64, 1, false, page).rowCount(stated);
      assertRejected(file.end(), "rows but found " + (stated < 2 ? "more" : "fewer"));
    }
    // The sum of these counts overflows to the stated one.
    assertRejected(
        one(INT64, Long.MAX_VALUE, page)
            .rowGroup(Long.MAX_VALUE)
            .chunk(INT64, 1, false, page)
            .rowCount(-2)
            .end(),
        "rows but found more");
  }

  /// A few bytes stand for a row of 67 million elements.
  @Test
  void rowsAreBounded() {
    int count = 1 << 26;
    byte[] repetition = join(run(1, 0), run(count - 1, 1));
    byte[] definition = run(count, 1);
    for (int type : new int[] {INT64, BYTE_ARRAY}) {
      byte[] page =
          page(
              count,
              DICTIONARY,
              int32(repetition.length),
              repetition,
              int32(definition.length),
              definition,
              new byte[] {1},
              run(count, 0));
      byte[] value = type == INT64 ? int64(5) : text("a text of 16 bytes");
      ParquetBytes file =
          new ParquetBytes(1, 1)
              .leaf(type, REPEATED, "x")
              .chunk(type, count, true, dictionary(1, value), page);
      assertTooLarge(file.end());
    }
  }

  /// A list of 67 million empty lists has no values, but offsets.
  @Test
  void listsAreBounded() {
    int count = 1 << 26;
    byte[] repetition = join(run(1, 0), run(count - 1, 1));
    byte[] definition = run(count, 1);
    // The inner lists are empty.
    byte[] page =
        page(count, 0, int32(repetition.length), repetition, int32(definition.length), definition);
    ParquetBytes file =
        new ParquetBytes(1, 1)
            .group(REPEATED, "a", 1, -1)
            .group(REPEATED, "b", 1, -1)
            .leaf(INT32, REPEATED, "c")
            .chunk(INT32, count, false, page);
    assertTooLarge(file.end());
  }

  @Test
  void checksCountsAgainstTheRowGroup() {
    byte[] page = page(4, 0, int64(1, 2, 3, 4));
    assertRejected(one(INT64, 5, page).end(), "as many rows");
    assertRejected(one(INT64, 3, page).end(), "as many rows");
    assertRejected(one(INT64, 1L << 40, page).end(), "as many rows");
    assertRejected(one(INT64, 4, page(4, 0, int64(1))).end(), "as many values");
    assertRejected(one(INT64, 1 << 30, page(1 << 30, 0, int64(1))).end(), "as many values");
    assertRejected(one(INT64, 1, page(0, 0), page(0, 0)).end(), "as many rows");
  }

  @Test
  void checksSizesOfPages() {
    assertRejected(one(INT64, 1, header(8, 1 << 20)).end(), "pages within their column");
    assertRejected(one(INT64, 1, header(8, -1)).end(), "headers");
    assertTooLarge(one(INT64, 1, join(header(1 << 30, 8), int64(1))).end());
    assertRejected(
        one(INT64, 1, join(header(Integer.MAX_VALUE, 8), int64(1))).end(), "pages of at most");
    assertRejected(one(BYTE_ARRAY, 1, page(1, 0, int32(-5, 0))).end(), "within their page");
    assertRejected(
        one(BYTE_ARRAY, 1, page(1, 0, int32(Integer.MAX_VALUE, 0))).end(), "within their page");
  }

  private static byte[] header(int byteSize, int compressedByteSize) {
    CompactStruct data =
        new CompactStruct().integer(1, 1).integer(2, 0).integer(3, 3).integer(4, 3);
    return ParquetBytes.header(0, byteSize, compressedByteSize).struct(5, data).end();
  }

  /// A dictionary ends with its row group, and a column chunk has one at most.
  @Test
  void dictionariesBelongToTheirChunk() {
    byte[] indices = page(1, DICTIONARY, join(new byte[] {1}, run(1, 0)));
    for (int type : new int[] {INT64, BYTE_ARRAY}) {
      byte[] dictionary = dictionary(1, type == INT64 ? int64(5) : text("a"));
      ParquetBytes file = new ParquetBytes(1, 1).leaf(type, REQUIRED, "x");
      assertRejected(
          file.chunk(type, 1, true, dictionary, indices)
              .rowGroup(1)
              .chunk(type, 1, false, indices)
              .end(),
          "indices within their dictionary");
      ParquetBytes two = new ParquetBytes(1, 1).leaf(type, REQUIRED, "x");
      assertRejected(
          two.chunk(type, 1, true, dictionary, dictionary, indices).end(),
          "one dictionary per column chunk");
    }
  }

  @Test
  void indicesAreInTheDictionary() {
    byte[] indices = join(new byte[] {8}, packed(8, 0, 99, 0, 0));
    byte[] page = page(4, DICTIONARY, indices);
    assertRejected(one(INT64, 4, page).end(), "indices within their dictionary");
    ParquetBytes file =
        new ParquetBytes(1, 4)
            .leaf(BYTE_ARRAY, REQUIRED, "x")
            .chunk(BYTE_ARRAY, 4, true, dictionary(1, text("a")), page);
    assertRejected(file.end(), "indices within their dictionary");
    ParquetBytes large =
        new ParquetBytes(1, 4)
            .leaf(INT64, REQUIRED, "x")
            .chunk(INT64, 4, true, dictionary(Integer.MAX_VALUE, int64(1)), page);
    assertRejected(large.end(), "within their dictionary");
  }

  @Test
  void listsBeginWithTheirRowAndHaveOneLength() {
    byte[] late = page(2, 0, levels(1, 1, 0), levels(1, 1, 1), int32(1, 2));
    assertRejected(
        new ParquetBytes(1, 2).leaf(INT32, REPEATED, "x").chunk(INT32, 2, false, late).end(),
        "begin with a row");
    byte[] two = page(2, 0, levels(1, 0, 1), levels(1, 1, 1), int32(1, 2));
    byte[] one = page(1, 0, levels(1, 0), levels(1, 1), int32(1));
    ParquetBytes different =
        new ParquetBytes(1, 1)
            .group(REPEATED, "l", 2, -1)
            .leaf(INT32, REQUIRED, "a")
            .leaf(INT32, REQUIRED, "b")
            .chunk(INT32, 2, false, two)
            .chunk(INT32, 1, false, one);
    assertRejected(different.end(), "lists of equal length");
    byte[] first = page(3, 0, levels(1, 0, 1, 0), levels(1, 1, 1, 1), int32(1, 2, 3));
    byte[] second = page(3, 0, levels(1, 0, 0, 1), levels(1, 1, 1, 1), int32(1, 2, 3));
    ParquetBytes shifted =
        new ParquetBytes(1, 2)
            .group(REPEATED, "l", 2, -1)
            .leaf(INT32, REQUIRED, "a")
            .leaf(INT32, REQUIRED, "b")
            .chunk(INT32, 3, false, first)
            .chunk(INT32, 3, false, second);
    assertRejected(shifted.end(), "lists of equal length");
  }

  @Test
  void unsupportedCodecsAreNamed() {
    ParquetBytes file =
        new ParquetBytes(1, 1)
            .codec(3)
            .leaf(INT64, REQUIRED, "x")
            .chunk(INT64, 1, false, page(1, 0, int64(1)));
    assertRejected(file.end(), "found LZO");
  }

  /// Bytes of valid files are changed at random.
  @Test
  void changedFilesAreReadOrRejected() throws IOException {
    byte[] list = page(5, 0, levels(1, 0, 1, 0, 0, 1), levels(1, 1, 1, 0, 1, 1), int32(1, 2, 3, 4));
    byte[] indices = join(new byte[] {2}, packed(2, 2, 0, 1));
    byte[] valid =
        new ParquetBytes(3, 3)
            .leaf(INT32, REPEATED, "l")
            .leaf(BYTE_ARRAY, REQUIRED, "t")
            .leaf(INT64, OPTIONAL, "i")
            .chunk(INT32, 5, false, list)
            .chunk(BYTE_ARRAY, 3, true, dictionary(3, text("a", "", "b")), page(3, 8, indices))
            .chunk(INT64, 3, false, page(3, 0, levels(1, 1, 0, 1), int64(1, 2)))
            .end();
    Random random = new Random(3);
    int read = 0;
    for (int i = 0; i < 2_000; i++) {
      byte[] file = valid.clone();
      for (int change = random.nextInt(4); change >= 0; change--) {
        file[random.nextInt(file.length)] = (byte) random.nextInt();
      }
      try {
        forEach(file, _ -> {});
        read++;
      } catch (ForeignDataException e) {
        assertThat(e).hasMessageStartingWith("Expected ");
      }
    }
    assertThat(read).isPositive();
  }
}
