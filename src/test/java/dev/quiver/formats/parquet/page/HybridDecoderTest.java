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

class HybridDecoderTest {

  private static HybridDecoder decoder(int bitWidth, byte[] data) {
    Page page = Pages.of(Encoding.RLE, 1, data);
    HybridDecoder decoder = new HybridDecoder();
    decoder.reset(page.content(), page.start(), page.end(), bitWidth);
    return decoder;
  }

  /// Writes runs of random kinds and lengths, the bit-packed ones in whole groups.
  private static byte[] encode(Random random, int bitWidth, int[] numbers) {
    BitWriter writer = new BitWriter();
    for (int at = 0; at < numbers.length; ) {
      int left = numbers.length - at;
      int groups = Math.min(left / 8, 1 + random.nextInt(12));
      if (groups > 0 && random.nextBoolean()) {
        writer.varint(groups << 1 | 1);
        for (int end = at + 8 * groups; at < end; at++) {
          writer.bits(numbers[at], bitWidth);
        }
      } else {
        int count = Math.min(left, random.nextInt(200));
        Arrays.fill(numbers, at, at + count, numbers[at]);
        writer.varint(count << 1).bits(numbers[at] & 0xFFFF_FFFFL, (bitWidth + 7) / 8 * 8);
        at += count;
      }
    }
    return writer.toBytes();
  }

  @Test
  void decodesRunsOfEveryBitWidth() {
    Random random = new Random(1);
    for (int bitWidth = 1; bitWidth <= Integer.SIZE; bitWidth++) {
      int[] numbers = random.ints(3_000).toArray();
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] >>>= Integer.SIZE - bitWidth;
      }
      HybridDecoder decoder = decoder(bitWidth, encode(random, bitWidth, numbers));
      int[] decoded = new int[numbers.length];
      int at = 0;
      for (int count : Pages.parts(random, numbers.length)) {
        int[] part = new int[count];
        decoder.read(part, count);
        System.arraycopy(part, 0, decoded, at, count);
        at += count;
      }
      assertThat(decoded).as("%d bits", bitWidth).isEqualTo(numbers);
    }
  }

  @Test
  void decodesNumbersOfOneBitAsBits() {
    Random random = new Random(2);
    int[] numbers = random.ints(3_000, 0, 2).toArray();
    HybridDecoder decoder = decoder(1, encode(random, 1, numbers));
    int at = 0;
    for (int count : Pages.parts(random, numbers.length)) {
      long[] words = new long[2];
      decoder.readBits(words, count);
      for (int i = 0; i < 128; i++) {
        assertThat(Bits.get(words, i)).isEqualTo(i < count && numbers[at + i] == 1);
      }
      at += count;
    }
  }

  @Test
  void acceptsLastGroupThatIsTruncated() {
    int[] numbers = new int[5];
    decoder(3, new BitWriter().varint(3).bits(0b100_011_010_001_000, 16).toBytes())
        .read(numbers, 5);
    assertThat(numbers).containsExactly(0, 1, 2, 3, 4);
  }

  @ParameterizedTest
  @CsvSource({
    "3, '', as many levels",
    "3, 02, whole runs",
    "3, 02 01, as many levels",
    "3, 03 07, as many levels",
    "3, 02 08, numbers with 3 bits",
    "9, 04 00 02, numbers with 9 bits",
    "9, 04 00, whole runs",
    "3, 8080808080 01, less than 2^31",
    "3, feffffff7f 01, whole runs",
    "3, 00 01 00 01 01, as many levels"
  })
  void rejectsMissingOrInvalidRuns(int bitWidth, String data, String message) {
    HybridDecoder decoder = decoder(bitWidth, Pages.hex(data));
    assertThatThrownBy(() -> decoder.read(new int[8], 8))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageContaining(message);
  }
}
