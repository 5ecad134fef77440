package dev.quiver.arrow.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteWordsTest {

  /// The bytes at which sums of words carry or change their sign.
  private static final int[] BYTES = {0, 1, 9, 10, 13, 14, 0x7F, 0x80, 0x81, 0xFE, 0xFF};

  private final Random random = new Random(3);

  private long word() {
    long word = random.nextLong();
    for (int i = 0; i < Long.BYTES; i++) {
      if (random.nextInt(4) > 0) {
        long chosen = BYTES[random.nextInt(BYTES.length)];
        word = word & ~(0xFFL << 8 * i) | chosen << 8 * i;
      }
    }
    return word;
  }

  private static int byteOf(long word, int index) {
    return (int) (word >>> 8 * index) & 0xFF;
  }

  @Test
  void eachByteIsLookedAtByItself() {
    for (int round = 0; round < 100_000; round++) {
      long word = word();
      int limit = 1 + random.nextInt(128);
      long zeros = 0;
      long below = 0;
      for (int i = 0; i < Long.BYTES; i++) {
        zeros |= byteOf(word, i) == 0 ? 0x80L << 8 * i : 0;
        below |= byteOf(word, i) < limit ? 0x80L << 8 * i : 0;
      }
      assertThat(ByteWords.zeros(word)).as("%x", word).isEqualTo(zeros);
      assertThat(ByteWords.below(word, limit)).as("%x, %d", word, limit).isEqualTo(below);
    }
    assertThat(ByteWords.below(0, 1)).isEqualTo(ByteWords.HIGHEST_BITS);
  }

  @Test
  void repeatsAByte() {
    assertThat(ByteWords.repeated(0xA5)).isEqualTo(0xA5A5A5A5A5A5A5A5L);
  }
}
