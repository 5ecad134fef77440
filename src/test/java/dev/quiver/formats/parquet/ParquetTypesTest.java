package dev.quiver.formats.parquet;

import static dev.quiver.formats.parquet.ParquetBytes.BYTE_ARRAY;
import static dev.quiver.formats.parquet.ParquetBytes.FIXED;
import static dev.quiver.formats.parquet.ParquetBytes.INT32;
import static dev.quiver.formats.parquet.ParquetBytes.INT64;
import static dev.quiver.formats.parquet.ParquetBytes.INT96;
import static dev.quiver.formats.parquet.ParquetBytes.REQUIRED;
import static dev.quiver.formats.parquet.ParquetBytes.dictionary;
import static dev.quiver.formats.parquet.ParquetBytes.int32;
import static dev.quiver.formats.parquet.ParquetBytes.int64;
import static dev.quiver.formats.parquet.ParquetBytes.join;
import static dev.quiver.formats.parquet.ParquetBytes.packed;
import static dev.quiver.formats.parquet.ParquetBytes.page;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.type.IntervalValue;
import dev.quiver.formats.ForeignDataException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The types of columns, and the limits of their values.
class ParquetTypesTest extends ParquetFixture {

  private static final int EPOCH_DAY = 2_440_588;
  private static final int DECIMAL = 5;
  private static final int DICTIONARY = 8;

  private static ParquetBytes annotated(int type, int length, int convertedType) {
    return new ParquetBytes(1, 2)
        .element(
            new CompactStruct()
                .integer(1, type)
                .integer(2, length)
                .integer(3, REQUIRED)
                .text(4, "a")
                .integer(6, convertedType));
  }

  /// Values of a logical type, by its field in the union `LogicalType`.
  private static ParquetBytes logical(int type, int length, int member, CompactStruct fields) {
    return new ParquetBytes(1, 2)
        .element(
            new CompactStruct()
                .integer(1, type)
                .integer(2, length)
                .integer(3, REQUIRED)
                .text(4, "a")
                .struct(10, new CompactStruct().struct(member, fields)));
  }

  @ParameterizedTest
  @CsvSource({
    "15, int8, -128, 127, -129, 128",
    "11, uint8, 0, 255, -1, 256",
    "16, int16, -32768, 32767, -32769, 32768",
    "12, uint16, 0, 65535, -1, 65536"
  })
  void narrowIntegersHaveTheirRange(
      int annotation, String type, int minimum, int maximum, int below, int above)
      throws IOException {
    ParquetBytes file =
        annotated(INT32, 0, annotation).chunk(INT32, 2, false, page(2, 0, int32(minimum, maximum)));
    assertThat(types(file)).containsExactly("a: " + type);
    assertThat(column(file, 0)).containsExactly((long) minimum, (long) maximum);
    for (int value : new int[] {below, above, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      assertRejected(
          annotated(INT32, 0, annotation).chunk(INT32, 2, false, page(2, 0, int32(0, value))),
          "Expected integers of %s bits".formatted(type.replaceAll("\\D", "")));
    }
  }

  private void assertRejected(ParquetBytes file, String message) {
    assertThatThrownBy(() -> rows(file))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageStartingWith(message)
        .hasMessageEndingWith(" in column a");
  }

  @Test
  void unitsOfTimesAreKept() throws IOException {
    ParquetBytes file =
        annotated(INT64, 0, 9)
            .chunk(INT64, 2, false, page(2, 0, int64(Long.MAX_VALUE, Long.MIN_VALUE)));
    assertThat(types(file)).containsExactly("a: timestamp[ms, UTC]");
    assertThat(column(file, 0)).containsExactly(Long.MAX_VALUE, Long.MIN_VALUE);
    ParquetBytes times =
        annotated(INT32, 0, 7).chunk(INT32, 2, false, page(2, 0, int32(0, 86_399_999)));
    assertThat(types(times)).containsExactly("a: time32[ms]");
    assertThat(column(times, 0)).containsExactly(0L, 86_399_999L);
  }

  @Test
  void fixedLengthValuesHaveTypes() throws IOException {
    ParquetBytes halves =
        logical(FIXED, 2, 15, new CompactStruct())
            .chunk(FIXED, 2, false, page(2, 0, new byte[] {0, 0x3C, 0, (byte) 0xC0}));
    assertThat(types(halves)).containsExactly("a: float16");
    assertThat(column(halves, 0)).containsExactly(1.0, -2.0);
    ParquetBytes uuids = logical(FIXED, 16, 14, new CompactStruct());
    assertThat(types(uuids.chunk(FIXED, 2, false, page(2, 0, new byte[32]))))
        .first()
        .asString()
        .startsWith("a: uuid");
    byte[] interval = int32(1, -2, -1);
    ParquetBytes intervals =
        annotated(FIXED, 12, 21).chunk(FIXED, 2, false, page(2, 0, interval, int32(0, 0, 1)));
    assertThat(column(intervals, 0))
        .containsExactly(
            new IntervalValue.MonthDayNano(1, -2, 0xFFFF_FFFFL * 1_000_000),
            new IntervalValue.MonthDayNano(0, 0, 1_000_000));
    ParquetBytes bytes =
        annotated(FIXED, 3, 0)
            .chunk(FIXED, 2, false, page(2, 0, "abcxyz".getBytes(StandardCharsets.US_ASCII)));
    assertThat(types(bytes)).containsExactly("a: fixed_size_binary[3]");
    assertThat(column(bytes, 0)).containsExactly(binary("abc"), binary("xyz"));
  }

  @Test
  void int96TimestampsAreNanosecondsWhereTheyFit() throws IOException {
    byte[] near =
        join(int64(1), int32(EPOCH_DAY), int64(86_399_999_999_999L), int32(EPOCH_DAY - 1));
    byte[] far = join(int64(1_999), int32(EPOCH_DAY + 1), int64(0), int32(EPOCH_DAY + 200_000));
    ParquetBytes file =
        new ParquetBytes(2, 2)
            .leaf(INT96, REQUIRED, "near")
            .group(REQUIRED, "group", 1, -1)
            .leaf(INT96, REQUIRED, "far")
            .chunk(INT96, 2, false, page(2, 0, near))
            .chunk(INT96, 2, false, page(2, 0, far));
    assertThat(column(file, 0)).containsExactly(1L, -1L);
    assertThat(column(file, 1))
        .containsExactly(List.of(86_400_000_001L), List.of(200_000 * 86_400_000_000L));
    assertThat(open(file.end()).coarseTimestamps(10)).containsExactly("group.far");
  }

  @Test
  void int96TimestampsHaveTheRangeOfNanosecondsOnBothSides() throws IOException {
    assertThat(int96(Long.MAX_VALUE, Long.MIN_VALUE))
        .containsExactly(Long.MAX_VALUE, Long.MIN_VALUE);
    long day = 86_400_000_000_000L;
    int last = EPOCH_DAY + (int) (Long.MAX_VALUE / day);
    int first = EPOCH_DAY - (int) (Long.MAX_VALUE / day) - 1;
    byte[] above = join(int64(Long.MAX_VALUE % day + 1), int32(last));
    byte[] below = join(int64(Math.floorMod(Long.MIN_VALUE, day) - 1), int32(first));
    for (byte[] value : List.of(above, below)) {
      ParquetBytes file = int96File(join(value, value));
      assertThat(open(file.end()).coarseTimestamps(10)).containsExactly("a");
      assertThat(column(int96File(join(value, value)), 0))
          .containsOnly(value == above ? Long.MAX_VALUE / 1_000 : Long.MIN_VALUE / 1_000 - 1);
    }
    byte[] nextDay = join(int64(day), int32(EPOCH_DAY - 1));
    assertThat(column(int96File(join(nextDay, nextDay)), 0)).containsOnly(0L);
    assertThat(open(int96File(join(nextDay, nextDay)).end()).coarseTimestamps(10)).isEmpty();
    byte[] beyond = join(int64(0), int32(Integer.MAX_VALUE));
    assertRejected(int96File(join(beyond, beyond)), "Expected timestamps whose microseconds fit");
  }

  private static ParquetBytes int96File(byte[] values) {
    return new ParquetBytes(1, 2)
        .leaf(INT96, REQUIRED, "a")
        .chunk(INT96, 2, false, page(2, 0, values));
  }

  /// Returns nanoseconds that are read from a file.
  private List<@Nullable Object> int96(long... nanoseconds) throws IOException {
    long day = 86_400_000_000_000L;
    byte[] values = {};
    for (long value : nanoseconds) {
      values =
          join(
              values,
              int64(Math.floorMod(value, day)),
              int32(EPOCH_DAY + (int) Math.floorDiv(value, day)));
    }
    return column(int96File(values), 0);
  }

  @ParameterizedTest
  @CsvSource({"3, 1", "16, 20", "17, 38", "20, 50", "32, 76"})
  void decimalsOfBytesHaveAnySize(int length, int precision) throws IOException {
    byte[] values = new byte[2 * length];
    Arrays.fill(values, 0, length - 1, (byte) -1);
    values[length - 1] = (byte) 0xFE;
    values[2 * length - 1] = 7;
    ParquetBytes file =
        new ParquetBytes(1, 2)
            .element(
                new CompactStruct()
                    .integer(1, FIXED)
                    .integer(2, length)
                    .integer(3, REQUIRED)
                    .text(4, "a")
                    .integer(6, 5)
                    .integer(7, 1)
                    .integer(8, precision))
            .chunk(FIXED, 2, false, page(2, 0, values));
    assertThat(column(file, 0)).isEqualTo(List.of(BigInteger.valueOf(-2), BigInteger.valueOf(7)));
  }

  /// Two columns decode their values in the same memory, one of them from a dictionary.
  @Test
  void decimalsOfByteArraysHaveAnySize() throws IOException {
    List<BigInteger> values =
        List.of(
            BigInteger.ZERO,
            BigInteger.valueOf(-1),
            BigInteger.TWO.pow(127).subtract(BigInteger.ONE),
            BigInteger.TWO.pow(127).negate());
    byte[] stored = new byte[0];
    for (BigInteger value : values) {
      byte[] padded = new byte[20];
      Arrays.fill(padded, (byte) value.signum() < 0 ? (byte) -1 : 0);
      byte[] bytes = value.toByteArray();
      System.arraycopy(bytes, 0, padded, 20 - bytes.length, bytes.length);
      byte[] used = value.signum() == 0 ? new byte[0] : padded;
      stored = join(stored, int32(used.length), used);
    }
    byte[] indices = join(new byte[] {2}, packed(2, 3, 2, 1, 0));
    ParquetBytes file =
        new ParquetBytes(2, 4)
            .element(decimal("a"))
            .element(decimal("b"))
            .chunk(BYTE_ARRAY, 4, false, page(4, 0, stored))
            .chunk(BYTE_ARRAY, 4, true, dictionary(4, stored), page(4, DICTIONARY, indices));
    List<List<@Nullable Object>> rows = rows(file);
    assertThat(rows.stream().map(List::getFirst)).containsExactlyElementsOf(values);
    assertThat(rows.stream().map(List::getLast)).containsExactlyElementsOf(values.reversed());
    byte[] large = BigInteger.TWO.pow(127).toByteArray();
    assertRejected(
        new ParquetBytes(1, 1)
            .element(decimal("a"))
            .chunk(BYTE_ARRAY, 1, false, page(1, 0, int32(large.length), large)),
        "Expected decimals of at most 16 bytes but found a larger one");
  }

  /// The values of a page are decoded in several blocks.
  @Test
  void decimalsOfByteArraysFillSeveralBlocks() throws IOException {
    List<BigInteger> values = new ArrayList<>();
    ByteArrayOutputStream stored = new ByteArrayOutputStream();
    for (int i = 0; i < 10_000; i++) {
      BigInteger value = BigInteger.valueOf(i - 5_000);
      values.add(value);
      byte[] bytes = value.toByteArray();
      stored.writeBytes(join(int32(bytes.length), bytes));
    }
    ParquetBytes file =
        new ParquetBytes(1, 10_000)
            .element(decimal("a"))
            .chunk(BYTE_ARRAY, 10_000, false, page(10_000, 0, stored.toByteArray()));
    assertThat(column(file, 0)).isEqualTo(values);
  }

  private static CompactStruct decimal(String name) {
    return new CompactStruct()
        .integer(1, BYTE_ARRAY)
        .integer(3, REQUIRED)
        .text(4, name)
        .integer(6, DECIMAL)
        .integer(7, 0)
        .integer(8, 38);
  }
}
