package dev.quiver.arrow.array;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferLayout;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.Layout;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests which bytes of a big-endian buffer are swapped, and that the others stay.
class ByteOrdersTest {

  @ParameterizedTest
  @CsvSource({
    "validity,           VALIDITY,     1,   0102,                             0102",
    "type ids,           TYPE_IDS,     8,   0102,                             0102",
    "offsets,            OFFSETS,      32,  0000000000000102,                 0000000002010000",
    "large offsets,      OFFSETS,      64,  0102030405060708,                 0807060504030201",
    "slot offsets,       SLOT_OFFSETS, 32,  01020304,                         04030201",
    "sizes,              SIZES,        64,  0102030405060708,                 0807060504030201",
    "an inline view,     VIEWS,        128, 0000000c6162636465666768696a6b6c, 0c0000006162636465666768696a6b6c",
    "a longer view,      VIEWS,        128, 0000000d616263640102030405060708, 0d000000616263640403020108070605",
    "a negative view,    VIEWS,        128, ffffffff616263640102030405060708, ffffffff616263640403020108070605",
  })
  void swapsBuffersByTheirRole(
      String description, BufferRole role, long bitWidth, String bigEndian, String littleEndian) {
    assertSwapped(
        description,
        new BufferLayout(role, bitWidth),
        new ArrowType.Utf8View(),
        bigEndian,
        littleEndian);
  }

  @ParameterizedTest
  @CsvSource({
    "BOOL,         0102,                             0102",
    "INT8,         0102,                             0102",
    "INT16,        010203,                           020103",
    "INT32,        0102030405,                       0403020105",
    "INT64,        010203040506070809,               080706050403020109",
    "FLOAT16,      01020304,                         02010403",
    "DECIMAL128,   000102030405060708090a0b0c0d0e0f, 0f0e0d0c0b0a09080706050403020100",
    "DECIMAL256,   000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f, 1f1e1d1c1b1a191817161514131211100f0e0d0c0b0a09080706050403020100",
    "YEAR_MONTH,   01020304,                         04030201",
    "DAY_TIME,     0102030405060708,                 0403020108070605",
    "MONTH_DAY_NANO, 0102030405060708090a0b0c0d0e0f10, 0403020108070605100f0e0d0c0b0a09",
    "FIXED_BINARY, 01020304,                         01020304",
    "BYTES,        01020304,                         01020304",
  })
  void swapsDataByItsType(String name, String bigEndian, String littleEndian) {
    ArrowType type =
        switch (name) {
          case "BOOL" -> new ArrowType.Bool();
          case "INT8" -> new ArrowType.Int(8, true);
          case "INT16" -> new ArrowType.Int(16, false);
          case "INT32" -> new ArrowType.Int(32, true);
          case "INT64" -> new ArrowType.Timestamp(TimeUnit.NANOSECOND, null);
          case "FLOAT16" -> new ArrowType.FloatingPoint(Precision.HALF);
          case "DECIMAL128" -> new ArrowType.Decimal(38, 0, 128);
          case "DECIMAL256" -> new ArrowType.Decimal(76, 0, 256);
          case "FIXED_BINARY" -> new ArrowType.FixedSizeBinary(4);
          case "BYTES" -> new ArrowType.LargeBinary();
          default -> new ArrowType.Interval(IntervalUnit.valueOf(name));
        };
    Layout layout = Layout.of(type);
    assertSwapped(
        name, layout.buffers().get(layout.indexOf(BufferRole.DATA)), type, bigEndian, littleEndian);
  }

  private static void assertSwapped(
      String description,
      BufferLayout buffer,
      ArrowType type,
      String bigEndian,
      String littleEndian) {
    MemorySegment source = MemorySegment.ofArray(HexFormat.of().parseHex(bigEndian));
    MemorySegment copy = MemorySegment.ofArray(new byte[(int) source.byteSize()]);
    ByteOrders.swap(source, copy, buffer, type);
    assertThat(hex(copy)).as(description).isEqualTo(littleEndian);
    assertThat(ByteOrders.matters(buffer, type)).isEqualTo(!bigEndian.equals(littleEndian));
    ByteOrders.swap(source, source, buffer, type);
    assertThat(hex(source)).as(description + " in place").isEqualTo(littleEndian);
  }

  private static String hex(MemorySegment segment) {
    return HexFormat.of().formatHex(segment.toArray(LittleEndian.INT8));
  }
}
