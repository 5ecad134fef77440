package dev.quiver.arrow.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockMemoryTest {

  private static long[] words(List<BigInteger> integers, int wordCount) {
    long[] words = new long[integers.size() * wordCount];
    for (int i = 0; i < words.length; i++) {
      words[i] = integers.get(i / wordCount).shiftRight(i % wordCount * Long.SIZE).longValue();
    }
    return words;
  }

  /// Every power of two, its neighbours and their negations, among integers that fit.
  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void integersFitOneWordUpToItsSign(int wordCount) {
    for (int bit = 0; bit < wordCount * Long.SIZE - 1; bit++) {
      BigInteger power = BigInteger.ONE.shiftLeft(bit);
      for (BigInteger integer :
          List.of(power, power.subtract(BigInteger.ONE), power.negate(), power.not())) {
        List<BigInteger> integers = List.of(BigInteger.ZERO, integer, BigInteger.TWO.negate());
        long[] lowest = new long[4];
        boolean fits = BlockMemory.narrow(words(integers, wordCount), wordCount, 3, lowest);
        assertThat(fits).as("%s", integer).isEqualTo(integer.bitLength() < Long.SIZE);
        assertThat(lowest).containsExactly(0, integer.longValue(), -2, 0);
      }
    }
  }

  @Test
  void integersAfterTheLastAreNotRead() {
    long[] words = {1, 0, 2, 7};
    assertThat(BlockMemory.narrow(words, 2, 1, new long[2])).isTrue();
    assertThat(BlockMemory.narrow(words, 2, 2, new long[2])).isFalse();
  }
}
