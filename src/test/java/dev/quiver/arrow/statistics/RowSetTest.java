package dev.quiver.arrow.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

class RowSetTest {

  @Test
  void allHasABitForEachRowAndNoOther() {
    for (int length = 0; length < 300; length++) {
      RowSet rows = RowSet.all(length);
      BitSet expected = new BitSet();
      expected.set(0, length);
      assertThat(BitSet.valueOf(rows.words())).isEqualTo(expected);
      assertThat(rows.words()).hasSize(Math.ceilDiv(length, Long.SIZE));
    }
  }

  @Test
  void setOfOneRowIsNotEmpty() {
    for (int row = 0; row < 300; row++) {
      RowSet rows = RowSet.all(300);
      long[] words = rows.words();
      for (int i = 0; i < words.length; i++) {
        words[i] = i == row >>> 6 ? 1L << row : 0;
      }
      assertThat(rows.isEmpty()).isFalse();
      words[row >>> 6] = 0;
      assertThat(rows.isEmpty()).isTrue();
    }
  }
}
