package dev.quiver.arrow.statistics;

import dev.quiver.arrow.memory.ByteWords;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.statistics.ColumnProfile.TextLength;
import org.jspecify.annotations.Nullable;

/// The lengths of texts in characters, which are code points of Unicode.
final class TextLengths {

  private long minimum = Long.MAX_VALUE;
  private long maximum;
  private long total;
  private long count;

  /// Adds a text as often as it occurs.
  void add(long length, long occurrences) {
    minimum = Math.min(minimum, length);
    maximum = Math.max(maximum, length);
    total += length * occurrences;
    count += occurrences;
  }

  void merge(TextLengths other) {
    minimum = Math.min(minimum, other.minimum);
    maximum = Math.max(maximum, other.maximum);
    total += other.total;
    count += other.count;
  }

  /// Returns the lengths, or null without any text.
  @Nullable TextLength result() {
    return count == 0 ? null : new TextLength(minimum, maximum, (double) total / count);
  }

  /// Returns the number of characters that begin in some bytes of UTF-8.
  ///
  /// @param bytes an array with [ValueSink#PADDING_BYTE_SIZE] bytes after them
  static long characters(byte[] bytes, int start, int length) {
    int others = 0;
    for (int i = 0; i < length; i += Long.BYTES) {
      long word = LittleEndian.getInt64(bytes, start + i);
      // A byte that continues a character begins with the bits 10.
      long continuing = word & ~(word << 1) & ByteWords.HIGHEST_BITS;
      int left = length - i;
      others +=
          Long.bitCount(
              left >= Long.BYTES ? continuing : continuing & (1L << Byte.SIZE * left) - 1);
    }
    return length - others;
  }
}
