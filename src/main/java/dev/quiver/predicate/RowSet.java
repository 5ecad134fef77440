package dev.quiver.predicate;

import dev.quiver.columnar.SlotRanges;
import java.util.Arrays;

/// Rows of a batch, one bit each.
public final class RowSet {

  private final long length;
  private final long[] words;

  private RowSet(long length, long[] words) {
    this.length = length;
    this.words = words;
  }

  /// Returns the first `length` rows.
  static RowSet all(long length) {
    long[] words = new long[Math.toIntExact((length + Long.SIZE - 1) / Long.SIZE)];
    Arrays.fill(words, -1L);
    if ((length & 63) != 0) {
      words[words.length - 1] = -1L >>> (-length & 63);
    }
    return new RowSet(length, words);
  }

  /// Returns the bits, from the lowest of the first word on. Bits past the rows of the batch are
  /// zero.
  public long[] words() {
    return words;
  }

  /// Returns the number of rows of the batch.
  public long length() {
    return length;
  }

  /// Returns the number of rows in the set.
  public long count() {
    long count = 0;
    for (long word : words) {
      count += Long.bitCount(word);
    }
    return count;
  }

  public boolean isEmpty() {
    for (long word : words) {
      if (word != 0) {
        return false;
      }
    }
    return true;
  }

  public boolean contains(long row) {
    return (words[(int) (row >>> 6)] >>> (row & 63) & 1) != 0;
  }

  /// Returns the first row in the set at or after `from`, or [#length].
  public long next(long from) {
    return first(from, 0);
  }

  /// Returns the row after the last of those that follow each other in the set from `row` on, which
  /// is in it.
  public long runEnd(long row) {
    return first(row, -1L);
  }

  /// Adds the rows in ascending order, at most `count`.
  ///
  /// @return how many were added
  public long addTo(SlotRanges ranges, long count) {
    long rest = count;
    for (long start = next(0); start < length && rest > 0; ) {
      long end = runEnd(start);
      long added = Math.min(rest, end - start);
      ranges.add(start, added);
      rest -= added;
      start = next(end);
    }
    return count - rest;
  }

  /// Returns the first row whose bit is set, after all bits were flipped by `flip`.
  private long first(long from, long flip) {
    if (from >= length) {
      return length;
    }
    int index = (int) (from >>> 6);
    long word = (words[index] ^ flip) & -1L << (from & 63);
    while (word == 0) {
      index++;
      if (index == words.length) {
        return length;
      }
      word = words[index] ^ flip;
    }
    return Math.min(length, ((long) index << 6) + Long.numberOfTrailingZeros(word));
  }
}
