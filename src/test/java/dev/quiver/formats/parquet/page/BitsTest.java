package dev.quiver.formats.parquet.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BitsTest {

  private static final int BIT_COUNT = 3 * Long.SIZE;

  @Test
  void putsAndSetsBitsAnywhereInWords() {
    long bits = 0xA5A5_C3C3_1234_9876L;
    for (int at = 0; at < 2 * Long.SIZE; at++) {
      for (int count = 0; count <= Bits.UNALIGNED_MAXIMUM; count++) {
        long[] put = new long[3];
        long[] set = new long[3];
        BitSet expected = new BitSet();
        for (int i = 0; i < count; i++) {
          expected.set(at + i, (bits >>> i & 1) != 0);
        }
        Bits.put(put, at, bits & (1L << count) - 1, count);
        Bits.set(set, at, count);
        for (int i = 0; i < BIT_COUNT; i++) {
          assertThat(Bits.get(put, i)).isEqualTo(expected.get(i));
          assertThat(Bits.get(set, i)).isEqualTo(i >= at && i < at + count);
        }
        assertThat(Bits.count(put, at + count)).isEqualTo(expected.cardinality());
        assertThat(Bits.count(set, at + count / 2)).isEqualTo(count / 2);
      }
    }
  }

  @Test
  void getsBitsFromAnyBitOfAnArray() {
    byte[] bytes = new byte[20];
    new Random(1).nextBytes(bytes);
    BitSet expected = BitSet.valueOf(bytes);
    for (int first = 0; first < 80; first++) {
      for (int count = 1; count <= Bits.UNALIGNED_MAXIMUM; count++) {
        long[] words = expected.get(first, first + count).toLongArray();
        assertThat(Bits.get(bytes, first, count)).isEqualTo(words.length == 0 ? 0 : words[0]);
      }
    }
  }
}
