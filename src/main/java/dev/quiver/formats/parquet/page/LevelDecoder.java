package dev.quiver.formats.parquet.page;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.formats.parquet.file.Encoding;
import dev.quiver.formats.parquet.file.ParquetErrors;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A decoder of definition or repetition levels.
public final class LevelDecoder {

  private final int maximum;
  private final int bitWidth;
  private final HybridDecoder hybrid = new HybridDecoder();

  /// Whether levels are in the deprecated encoding BIT_PACKED, most significant bit first.
  private boolean isBitPacked;

  private PageBytes content = new PageBytes();

  /// The next bit of the page, in the encoding BIT_PACKED.
  private long nextBit;

  /// @param maximum the largest level
  LevelDecoder(int maximum) {
    this.maximum = maximum;
    this.bitWidth = Integer.SIZE - Integer.numberOfLeadingZeros(maximum);
  }

  /// Returns the largest level.
  public int maximum() {
    return maximum;
  }

  /// Moves to the levels of a page of version 2.
  void reset(PageBytes bytes, int start, int end) {
    isBitPacked = false;
    hybrid.reset(bytes, start, end, bitWidth);
  }

  /// Moves to the levels of a page of version 1.
  ///
  /// @param valueCount the number of levels
  /// @return the offset after the levels
  int resetInPage(
      PageBytes bytes, int start, int end, @Nullable Encoding encoding, int valueCount) {
    if (encoding == Encoding.BIT_PACKED) {
      long byteSize = ((long) valueCount * bitWidth + 7) >>> 3;
      requireLeft(byteSize, end - start);
      isBitPacked = true;
      content = bytes;
      nextBit = (long) start << 3;
      return start + (int) byteSize;
    }
    if (encoding != Encoding.RLE) {
      throw ParquetErrors.unsupported(encoding);
    }
    requireLeft(Integer.BYTES, end - start);
    int byteSize = LittleEndian.getInt32(bytes.array, start);
    int first = start + Integer.BYTES;
    requireLeft(byteSize, end - first);
    reset(bytes, first, first + byteSize);
    return first + byteSize;
  }

  private static void requireLeft(long byteSize, int left) {
    if (byteSize < 0 || byteSize > left) {
      throw ParquetErrors.damaged("levels within their page");
    }
  }

  /// Reads levels into the start of an array.
  public void read(int[] target, int count) {
    if (maximum == 0) {
      Arrays.fill(target, 0, count, 0);
      return;
    }
    if (isBitPacked) {
      unpack(target, count);
    } else {
      hybrid.read(target, count);
    }
    // Otherwise all numbers of that bit width are levels.
    if ((maximum & maximum + 1) != 0) {
      requireMaximum(target, count);
    }
  }

  private void requireMaximum(int[] levels, int count) {
    int largest = 0;
    for (int i = 0; i < count; i++) {
      largest = Math.max(largest, levels[i]);
    }
    if (largest > maximum) {
      throw ParquetErrors.damaged("levels of at most %d".formatted(maximum));
    }
  }

  private void unpack(int[] target, int count) {
    for (int i = 0; i < count; i++) {
      int level = 0;
      for (int bit = 0; bit < bitWidth; bit++) {
        level = level << 1 | bit();
      }
      target[i] = level;
    }
  }

  private int bit() {
    int bit = content.array[(int) (nextBit >>> 3)] >>> 7 - (int) (nextBit & 7) & 1;
    nextBit++;
    return bit;
  }

  /// Reads levels of at most 1 as bits.
  ///
  /// @param words zero at those bits
  public void readBits(long[] words, int count) {
    if (!isBitPacked) {
      hybrid.readBits(words, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      words[i >>> 6] |= (long) bit() << i;
    }
  }
}
