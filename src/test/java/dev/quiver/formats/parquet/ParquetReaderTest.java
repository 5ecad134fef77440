package dev.quiver.formats.parquet;

import static dev.quiver.formats.parquet.ParquetBytes.BOOLEAN;
import static dev.quiver.formats.parquet.ParquetBytes.BYTE_ARRAY;
import static dev.quiver.formats.parquet.ParquetBytes.INT32;
import static dev.quiver.formats.parquet.ParquetBytes.INT64;
import static dev.quiver.formats.parquet.ParquetBytes.INT96;
import static dev.quiver.formats.parquet.ParquetBytes.OPTIONAL;
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

import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.formats.ForeignDataException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Values of files that are made byte by byte. Nested columns are in [NestedParquetTest], types in
/// [ParquetTypesTest]; files of libraries are in the tests of clients.
class ParquetReaderTest extends ParquetFixture {

  private static final int DICTIONARY = 8;
  private static final int DELTA = 5;

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  @Test
  void valuesArePlainOrNull() throws IOException {
    ParquetBytes file =
        new ParquetBytes(3, 4)
            .leaf(INT64, REQUIRED, "a")
            .leaf(INT32, OPTIONAL, "b")
            .leaf(BYTE_ARRAY, OPTIONAL, "c")
            .chunk(INT64, 4, false, page(4, 0, int64(1, -2, 3, Long.MIN_VALUE)))
            .chunk(
                INT32,
                4,
                false,
                page(3, 0, levels(1, 1, 0, 1), int32(5, 6)),
                page(1, 0, levels(1, 0)))
            .chunk(BYTE_ARRAY, 4, false, page(4, 0, levels(1, 0, 1, 1, 0), text("xy", "")));
    assertThat(rows(file))
        .isEqualTo(
            List.of(
                Arrays.asList(1L, 5L, null),
                Arrays.asList(-2L, null, binary("xy")),
                Arrays.asList(3L, 6L, binary("")),
                Arrays.asList(Long.MIN_VALUE, null, null)));
    assertThat(types(file)).containsExactly("a: int64", "b: int32", "c: binary");
  }

  @Test
  void indicesReferToTheDictionaryOfTheirChunk() throws IOException {
    byte[] indices = join(bytes(2), packed(2, 2, 0, 1, 2), bytes(3 << 1, 1));
    ParquetBytes file =
        new ParquetBytes(2, 11)
            .leaf(INT64, REQUIRED, "a")
            .leaf(BYTE_ARRAY, REQUIRED, "b")
            .chunk(INT64, 11, true, dictionary(3, int64(7, 8, 9)), page(11, DICTIONARY, indices))
            .chunk(
                BYTE_ARRAY,
                11,
                true,
                dictionary(3, text("a", "long ".repeat(9), "")),
                page(11, DICTIONARY, indices));
    assertThat(column(file, 0)).containsExactly(9L, 7L, 8L, 9L, 7L, 7L, 7L, 7L, 8L, 8L, 8L);
    assertThat(column(file, 1))
        .startsWith(binary(""), binary("a"), binary("long ".repeat(9)), binary(""));
  }

  @Test
  void levelsOfOldFilesAreBits() throws IOException {
    ParquetBytes file =
        new ParquetBytes(1, 10)
            .leaf(INT32, OPTIONAL, "a")
            .chunk(
                INT32, 10, false, page(10, 0, 4, bytes(0b1010_0000, 0b0100_0000), int32(1, 2, 3)));
    assertThat(column(file, 0))
        .isEqualTo(Arrays.asList(1L, null, 2L, null, null, null, null, null, null, 3L));
  }

  @Test
  void levelsOfVersion2AreNotCompressed() throws IOException {
    byte[] definition = packed(1, 1, 0, 1);
    CompactStruct data =
        new CompactStruct()
            .integer(1, 3)
            .integer(2, 1)
            .integer(3, 3)
            .integer(4, 0)
            .integer(5, definition.length)
            .integer(6, 0);
    byte[] values = int64(5, 6);
    byte[] snappy = join(bytes(16, 15 << 2), values);
    int levelsByteSize = definition.length;
    byte[] compressed =
        join(
            ParquetBytes.header(3, 16 + levelsByteSize, snappy.length + levelsByteSize)
                .struct(8, data)
                .end(),
            definition,
            snappy);
    byte[] plain =
        join(
            ParquetBytes.header(3, 16 + levelsByteSize, 16 + levelsByteSize)
                .struct(8, data.bool(7, false))
                .end(),
            definition,
            values);
    ParquetBytes file =
        new ParquetBytes(1, 6)
            .codec(1)
            .leaf(INT64, OPTIONAL, "a")
            .chunk(INT64, 6, false, compressed, plain);
    assertThat(column(file, 0)).isEqualTo(Arrays.asList(5L, null, 6L, 5L, null, 6L));
  }

  @Test
  void booleansAreBitsOrRuns() throws IOException {
    byte[] runs = join(int32(4), bytes(5 << 1, 1, 3 << 1, 0));
    ParquetBytes file =
        new ParquetBytes(1, 11)
            .leaf(BOOLEAN, REQUIRED, "a")
            .chunk(BOOLEAN, 11, false, page(3, 0, bytes(0b101)), page(8, 3, runs));
    assertThat(column(file, 0))
        .containsExactly(true, false, true, true, true, true, true, true, false, false, false);
    ParquetBytes nulls =
        new ParquetBytes(1, 5)
            .leaf(BOOLEAN, OPTIONAL, "a")
            .chunk(BOOLEAN, 5, false, page(5, 0, levels(1, 1, 0, 1, 1, 0), bytes(0b011)));
    assertThat(column(nulls, 0)).isEqualTo(Arrays.asList(true, null, true, false, null));
  }

  @Test
  void differencesHaveUpTo64Bits() throws IOException {
    byte[] deltas =
        join(
            bytes(0x80, 1, 1, 3, 20), // Blocks of 128 in one miniblock, three values, the first 10.
            bytes(1, 64), // The minimum is -1.
            int64(Long.MIN_VALUE, 3),
            new byte[126 * 8]);
    ParquetBytes file =
        new ParquetBytes(1, 3)
            .leaf(INT64, REQUIRED, "a")
            .chunk(INT64, 3, false, page(3, DELTA, deltas));
    assertThat(column(file, 0)).containsExactly(10L, 9 + Long.MIN_VALUE, 9 + Long.MIN_VALUE + 2);
  }

  /// The pages of an INT96 column are read twice: to find coarse timestamps, and as rows.
  @ParameterizedTest
  @ValueSource(ints = {INT96, INT64})
  void theCancellationCheckEndsTheReading(int type) throws IOException {
    byte[] page = page(1, 0, type == INT64 ? int64(1) : join(int64(1), int32(2_440_588)));
    byte[] file =
        new ParquetBytes(1, 5)
            .leaf(type, REQUIRED, "a")
            .chunk(type, 5, false, page, page, page, page, page)
            .end();
    AtomicInteger count = new AtomicInteger();
    forEach(open(file, count::incrementAndGet), _ -> {});
    int calls = count.get();
    assertThat(calls).isGreaterThanOrEqualTo(type == INT64 ? 7 : 14);
    for (RuntimeException reason :
        List.of(
            ForeignDataException.of("cancelled"),
            new UncheckedIOException(new IOException("cancelled")),
            new IndexOutOfBoundsException("cancelled"))) {
      for (int last = 0; last < calls; last++) {
        count.set(last);
        Runnable check =
            () -> {
              if (count.getAndDecrement() <= 0) {
                throw reason;
              }
            };
        assertThatThrownBy(() -> forEach(open(file, check), _ -> {})).isSameAs(reason);
      }
    }
  }

  @Test
  void everyRowGroupHasItsOwnDictionary() throws IOException {
    byte[] indices = page(2, DICTIONARY, join(bytes(1), packed(1, 1, 0)));
    ParquetBytes file =
        new ParquetBytes(2, 2)
            .leaf(INT64, REQUIRED, "a")
            .leaf(BYTE_ARRAY, REQUIRED, "b")
            .chunk(INT64, 2, true, dictionary(2, int64(1, 2)), indices)
            .chunk(BYTE_ARRAY, 2, true, dictionary(2, text("x", "y")), indices)
            .rowGroup(0)
            .chunk(INT64, 0, false)
            .chunk(BYTE_ARRAY, 0, false)
            .rowGroup(2)
            .chunk(INT64, 2, true, dictionary(2, int64(3, 4)), indices)
            .chunk(BYTE_ARRAY, 2, true, dictionary(2, text("", "z")), indices);
    assertThat(column(file, 0)).containsExactly(2L, 1L, 4L, 3L);
    assertThat(column(file, 1)).containsExactly(binary("y"), binary("x"), binary("z"), binary(""));
  }

  @Test
  void pagesOfNullsNeedNoDictionary() throws IOException {
    byte[] page = page(5_000, DICTIONARY, int32(3), run(5_000, 0));
    ParquetBytes file =
        new ParquetBytes(2, 5_000)
            .leaf(INT64, OPTIONAL, "a")
            .leaf(BYTE_ARRAY, OPTIONAL, "b")
            .chunk(INT64, 5_000, false, page)
            .chunk(BYTE_ARRAY, 5_000, false, page);
    assertThat(rows(file)).hasSize(5_000).containsOnly(Arrays.asList(null, null));
  }

  /// Pieces of the first column end by their bytes, those of the second by their rows.
  @Test
  void rowsAreAlignedWherePiecesDiffer() throws IOException {
    int count = 100_001;
    String[] texts = new String[count];
    long[] numbers = new long[count];
    int[] valid = new int[count];
    List<List<@Nullable Object>> expected = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts[i] = "x".repeat(i < 20_000 ? 500 : i % 7);
      numbers[i] = i;
      valid[i] = 1;
      expected.add(List.of(binary(texts[i]), (long) i, (i & 1) == 0));
    }
    byte[] bits = new byte[count / 8 + 1];
    Arrays.fill(bits, (byte) 0b0101_0101);
    ParquetBytes file =
        new ParquetBytes(3, count)
            .leaf(BYTE_ARRAY, REQUIRED, "text")
            .leaf(INT64, OPTIONAL, "number")
            .leaf(BOOLEAN, REQUIRED, "flag")
            .chunk(BYTE_ARRAY, count, false, page(count, 0, text(texts)))
            .chunk(INT64, count, false, page(count, 0, levels(1, valid), int64(numbers)))
            .chunk(BOOLEAN, count, false, page(count, 0, bits));
    assertThat(rows(file)).isEqualTo(expected);
    assertThat(batchLengths(file)).hasSizeGreaterThan(3).allMatch(length -> length <= 1 << 16);
  }

  @Test
  void aReaderCanBeClosedAtAnyTime() throws IOException {
    int count = 300_000;
    byte[] page = page(count, 0, int64(new long[count]));
    ParquetBytes file = new ParquetBytes(8, count);
    for (int i = 0; i < 8; i++) {
      file.leaf(INT64, REQUIRED, "c" + i);
    }
    for (int i = 0; i < 8; i++) {
      file.chunk(INT64, count, false, page);
    }
    int batchCount = batchLengths(file).size();
    ParquetContents contents = open(file.end());
    for (int i = 0; i < batchCount + 3; i++) {
      try (ParquetReader reader = contents.read(new CpuPool(3), folder)) {
        for (int j = 0; j < i; j++) {
          assertThat(reader.next() == null).isEqualTo(j >= batchCount);
        }
      }
    }
  }

  /// A value of the dictionary that is repeated has many more bytes than the file.
  @Test
  void batchesEndBeforeTheyAreLarge() throws IOException {
    int count = 500;
    String large = "x".repeat(100_000);
    byte[] indices = join(bytes(1), bytes(count << 1 & 0x7F | 0x80, count >> 6, 0));
    ParquetBytes file =
        new ParquetBytes(2, count)
            .leaf(BYTE_ARRAY, REQUIRED, "a")
            .leaf(INT32, REQUIRED, "b")
            .chunk(
                BYTE_ARRAY,
                count,
                true,
                dictionary(1, text(large)),
                page(count, DICTIONARY, indices))
            .chunk(INT32, count, false, page(count, 0, int32(IntStream.range(0, count).toArray())));
    List<Long> lengths = batchLengths(file);
    assertThat(lengths.stream().mapToLong(Long::longValue).sum()).isEqualTo(count);
    assertThat(lengths).allSatisfy(length -> assertThat(length).isLessThanOrEqualTo(64));
    assertThat(column(file, 1))
        .isEqualTo(IntStream.range(0, count).mapToObj(i -> (long) i).toList());
  }
}
