package dev.quiver.arrow.statistics;

import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.memory.ByteString;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The first bytes of the least and of the greatest of some byte sequences.
final class PrefixExtremes {

  private byte @Nullable [] minimum;
  private byte @Nullable [] maximum;

  /// The first eight bytes of each extreme, the first of them highest.
  private long minimumWord;

  private long maximumWord;

  /// @param bytes an array with [ValueSink#PADDING_BYTE_SIZE] bytes after the value
  void add(byte[] bytes, int start, int length) {
    byte[] least = minimum;
    byte[] greatest = maximum;
    long word = BlockMemory.bigEndianWord(bytes, start, length);
    if (least == null || greatest == null) {
      setMinimum(bytes, start, length, word);
      setMaximum(bytes, start, length, word);
      return;
    }
    if (Long.compareUnsigned(word, minimumWord) <= 0 && compare(bytes, start, length, least) < 0) {
      setMinimum(bytes, start, length, word);
    }
    if (Long.compareUnsigned(word, maximumWord) >= 0
        && compare(bytes, start, length, greatest) > 0) {
      setMaximum(bytes, start, length, word);
    }
  }

  void merge(PrefixExtremes other) {
    if (other.minimum != null && other.maximum != null) {
      add(padded(other.minimum), 0, other.minimum.length);
      add(padded(other.maximum), 0, other.maximum.length);
    }
  }

  @Nullable ByteString minimum() {
    return minimum == null ? null : ByteString.of(minimum);
  }

  @Nullable ByteString maximum() {
    return maximum == null ? null : ByteString.of(maximum);
  }

  private void setMinimum(byte[] bytes, int start, int length, long word) {
    minimum = Arrays.copyOfRange(bytes, start, start + kept(length));
    minimumWord = word;
  }

  private void setMaximum(byte[] bytes, int start, int length, long word) {
    maximum = Arrays.copyOfRange(bytes, start, start + kept(length));
    maximumWord = word;
  }

  private static int compare(byte[] bytes, int start, int length, byte[] extreme) {
    return Arrays.compareUnsigned(bytes, start, start + kept(length), extreme, 0, extreme.length);
  }

  private static int kept(int length) {
    return Math.min(length, ColumnProfile.KEPT_BYTE_SIZE);
  }

  private static byte[] padded(byte[] bytes) {
    return Arrays.copyOf(bytes, bytes.length + ValueSink.PADDING_BYTE_SIZE);
  }
}
