package dev.quiver.formats.parquet.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.parquet.file.Encoding;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FixedWidthDecoderTest {

  private static byte[] decode(Page page, int byteWidth, int count) {
    byte[] values = new byte[count * byteWidth];
    FixedWidthDecoder.of(page, byteWidth).read(values, count);
    return values;
  }

  /// Data that pyarrow wrote.
  @ParameterizedTest
  @CsvSource({
    // 1.5, -2.25 and 3e10
    "BYTE_STREAM_SPLIT, 4, 3, 000076 000084 c010df 3fc050, 0000c03f 000010c0 7684df50",
    "DELTA_BYTE_ARRAY, 3, 3,"
        + "80010403000303000000040000000000000000000000"
        + "8001040306030300000020000000000000000000000061626364786264,"
        + "616263 616264 786264"
  })
  void decodesDataOfAnotherWriter(
      Encoding encoding, int byteWidth, int count, String data, String values) {
    Page page = Pages.of(encoding, count, Pages.hex(data));
    assertThat(decode(page, byteWidth, count)).isEqualTo(Pages.hex(values));
  }

  /// Data that pyarrow wrote, with deltas that wrap around in 32 bits.
  @Test
  void decodesDeltasOf32Bits() {
    byte[] data = Pages.hex("8001 04 05 0e 03 1f000000 00000000000000c0ffffff3f");
    Page page = Pages.of(Encoding.DELTA_BINARY_PACKED, 5, Arrays.copyOf(data, 5 + 1 + 4 + 31 * 4));
    assertThat(decode(page, Integer.BYTES, 5))
        .isEqualTo(
            new BitWriter()
                .bits(7, 32)
                .bits(5, 32)
                .bits(3, 32)
                .bits(Integer.MIN_VALUE, 32)
                .bits(Integer.MAX_VALUE, 32)
                .toBytes());
  }

  @Test
  void decodesDeltasInParts() {
    Random random = new Random(2);
    long[] values = random.longs(1_000).toArray();
    byte[] data = Pages.delta(128, 4, values);
    FixedWidthDecoder decoder =
        FixedWidthDecoder.of(Pages.of(Encoding.DELTA_BINARY_PACKED, 1_000, data), Long.BYTES);
    int at = 0;
    for (int part : new int[] {1, 127, 128, 129, 400, 215}) {
      byte[] decoded = new byte[part * Long.BYTES];
      decoder.read(decoded, part);
      BitWriter expected = new BitWriter();
      for (int i = 0; i < part; i++) {
        expected.bits(values[at++], Long.SIZE);
      }
      assertThat(decoded).isEqualTo(expected.toBytes());
    }
  }

  @Test
  void decodesStreamsInParts() {
    Random random = new Random(1);
    int count = 1_000;
    for (int byteWidth : new int[] {1, 2, 8, 12}) {
      byte[] values = new byte[count * byteWidth];
      random.nextBytes(values);
      byte[] streams = new byte[values.length];
      for (int i = 0; i < values.length; i++) {
        streams[i % byteWidth * count + i / byteWidth] = values[i];
      }
      FixedWidthDecoder decoder =
          FixedWidthDecoder.of(Pages.of(Encoding.BYTE_STREAM_SPLIT, count, streams), byteWidth);
      int at = 0;
      for (int part : Pages.parts(random, count)) {
        byte[] decoded = new byte[part * byteWidth];
        decoder.read(decoded, part);
        assertThat(decoded).isEqualTo(Arrays.copyOfRange(values, at, at + part * byteWidth));
        at += decoded.length;
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "PLAIN, 4, 01020304 050607, as many values",
    "BYTE_STREAM_SPLIT, 4, 01020304, as many values",
    "BYTE_STREAM_SPLIT, 4, 01020304 05060708 09, streams of one size",
    "DELTA_BYTE_ARRAY, 1, 8001 04 01 00 8001 04 01 04 6162, values of 1 bytes",
    "DELTA_BINARY_PACKED, 2, 8001 04 01 00, found DELTA_BINARY_PACKED",
    "RLE, 4, 02000000 0401, found RLE"
  })
  void rejectsMissingValuesAndOtherEncodings(
      Encoding encoding, int byteWidth, String data, String message) {
    Page page = Pages.of(encoding, 2, Pages.hex(data));
    assertThatThrownBy(() -> decode(page, byteWidth, 2))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageContaining(message);
  }
}
