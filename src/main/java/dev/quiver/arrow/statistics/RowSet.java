package dev.quiver.arrow.statistics;

import java.util.Arrays;

/// Rows of a batch, one bit each.
public final class RowSet {

  private final long[] words;

  private RowSet(long[] words) {
    this.words = words;
  }

  /// Returns the first `length` rows.
  static RowSet all(long length) {
    long[] words = new long[Math.toIntExact((length + Long.SIZE - 1) / Long.SIZE)];
    Arrays.fill(words, -1L);
    if ((length & 63) != 0) {
      words[words.length - 1] = -1L >>> (-length & 63);
    }
    return new RowSet(words);
  }

  /// Returns the bits, from the lowest of the first word on. Bits past the rows of the batch are
  /// zero.
  public long[] words() {
    return words;
  }

  /// Returns the number of bits that are set in some words.
  static int count(long[] words, int first, int count) {
    int bits = 0;
    for (int i = first; i < first + count; i++) {
      bits += Long.bitCount(words[i]);
    }
    return bits;
  }

  boolean isEmpty() {
    for (long word : words) {
      if (word != 0) {
        return false;
      }
    }
    return true;
  }
}
