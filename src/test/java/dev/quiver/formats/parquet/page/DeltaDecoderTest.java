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

class DeltaDecoderTest {

  private static DeltaDecoder decoder(Page page) {
    return new DeltaDecoder(page.content(), page.start(), page.end());
  }

  private static void assertDecoded(Random random, byte[] data, long... values) {
    Page page = Pages.of(Encoding.DELTA_BINARY_PACKED, values.length, data);
    DeltaDecoder decoder = decoder(page);
    assertThat(decoder.end()).isEqualTo(page.end());
    assertThat(decoder.left()).isEqualTo(values.length);
    int at = 0;
    for (int count : Pages.parts(random, values.length)) {
      long[] part = new long[count];
      decoder.read(part, count);
      for (long value : part) {
        assertThat(value).isEqualTo(values[at++]);
      }
    }
    assertThat(decoder.left()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"128, 4, 1000", "256, 2, 257", "8, 1, 30", "1024, 32, 1", "128, 4, 0"})
  void decodesDeltasOfEveryBitWidth(int blockSize, int miniblockCount, int count) {
    Random random = new Random(1);
    for (int bitWidth = 0; bitWidth <= Long.SIZE; bitWidth++) {
      long[] values = new long[count];
      for (int i = 0; i < count; i++) {
        long delta = bitWidth == 0 ? 0 : random.nextLong() >>> Long.SIZE - bitWidth;
        values[i] = i == 0 ? random.nextLong() : values[i - 1] + delta - (1L << bitWidth / 2);
      }
      assertDecoded(random, Pages.delta(blockSize, miniblockCount, values), values);
    }
  }

  /// Data that pyarrow wrote, without the zeros at its end.
  @Test
  void decodesDataOfAnotherWriter() {
    String start =
        "8002040c0e89897a3f00000043420f000000008021a10700000000c090d0"
            + "0300000000c048e801000000006024f4000000000030127a000000000018"
            + "093d0000000000000000000000000085841e000001008022a1070080ffff"
            + "3f91d003";
    assertDecoded(
        new Random(2),
        Arrays.copyOf(Pages.hex(start), 5 + 3 + 4 + 63 * 64 / Byte.SIZE),
        7,
        5,
        3,
        1,
        2,
        3,
        4,
        5,
        -1_000_000,
        1L << 40,
        Long.MIN_VALUE,
        Long.MAX_VALUE);
  }

  @Test
  void rejectsBitWidthsAbove64() {
    byte[] data = Arrays.copyOf(Pages.hex("8001 04 05 00 00 41000000"), 1_000);
    DeltaDecoder decoder = decoder(Pages.of(Encoding.DELTA_BINARY_PACKED, 5, data));
    assertThatThrownBy(() -> decoder.read(new long[5], 5))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageContaining("valid blocks of deltas");
  }

  @ParameterizedTest
  @CsvSource({
    "'', 1",
    "8001 04, 1",
    "8001 04 05, 1",
    "00 01 05 00, 1",
    "8001 00 05 00, 1",
    "8001 03 05 00, 1",
    "8001 8002 05 00, 1",
    "04 01 05 00, 1",
    "8080808010 01 05 00, 1",
    "8001 04 8080808010 00, 1",
    "8001 04 ffffffffffffffffff01 00, 1",
    "8001 04 ffffffffffffffffffff01 00, 1",
    "8001 04 05 00 00, 5",
    "8001 04 05 00 00 000000, 5",
    "8001 04 05 00 00 41000000, 5",
    "8001 04 05 00 00 01000000 ffffff, 5",
    "8001 04 05 00 00 00000000, 6"
  })
  void rejectsInvalidBlocks(String data, int count) {
    Page page = Pages.of(Encoding.DELTA_BINARY_PACKED, count, Pages.hex(data));
    assertThatThrownBy(() -> decoder(page).read(new long[count], count))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageStartingWith("Expected a Parquet file with ");
  }
}
