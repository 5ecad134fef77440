package dev.quiver.arrow.validate;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.validate.kernel.Blocks;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;

/// The range of decimals of a precision, as integers in two's complement.
final class DecimalRange {

  /// 4, or a multiple of 8.
  private final int byteWidth;

  /// 64 bits each, the lowest first.
  private final long[] least;

  private final long[] greatest;

  private DecimalRange(int byteWidth, long[] least, long[] greatest) {
    this.byteWidth = byteWidth;
    this.least = least;
    this.greatest = greatest;
  }

  static DecimalRange of(int precision, int bitWidth) {
    BigInteger greatest = BigInteger.TEN.pow(precision).subtract(BigInteger.ONE);
    int words = Math.max(1, bitWidth / Long.SIZE);
    return new DecimalRange(
        bitWidth / Byte.SIZE, words(greatest.negate(), words), words(greatest, words));
  }

  boolean contains(MemorySegment data, long slot) {
    if (byteWidth == Integer.BYTES) {
      int value = LittleEndian.getInt32(data, slot << 2);
      return least[0] <= value && value <= greatest[0];
    }
    return compare(data, slot, least) >= 0 && compare(data, slot, greatest) <= 0;
  }

  /// Returns whether the first `length` slots are in range, null or not.
  boolean containsAll(Blocks blocks, MemorySegment data, long length) {
    int blockLength = Blocks.BYTE_SIZE / byteWidth;
    for (long from = 0; from < length; from += blockLength) {
      int count = (int) Math.min(blockLength, length - from);
      if (byteWidth == Integer.BYTES
          ? !containsAll(blocks.int32s(data, from, count), count)
          : !containsAll(blocks.int64s(data, from * least.length, count * least.length), count)) {
        return false;
      }
    }
    return true;
  }

  private boolean containsAll(int[] values, int count) {
    for (int i = 0; i < count; i++) {
      if (values[i] < least[0] || values[i] > greatest[0]) {
        return false;
      }
    }
    return true;
  }

  private boolean containsAll(long[] words, int count) {
    int highest = least.length - 1;
    for (int i = 0; i < count; i++) {
      long word = words[i * least.length + highest];
      // A highest word strictly between the limits' highest words decides alone.
      if ((word <= least[highest] || word >= greatest[highest])
          && (compare(words, i, least) < 0 || compare(words, i, greatest) > 0)) {
        return false;
      }
    }
    return true;
  }

  private static int compare(long[] words, int slot, long[] limit) {
    int word = limit.length - 1;
    int first = slot * limit.length;
    int order = Long.compare(words[first + word], limit[word]);
    while (order == 0 && word > 0) {
      word--;
      order = Long.compareUnsigned(words[first + word], limit[word]);
    }
    return order;
  }

  /// Returns the integer in a slot.
  String describe(MemorySegment data, long slot) {
    byte[] bigEndian = new byte[byteWidth];
    for (int i = 0; i < byteWidth; i++) {
      bigEndian[byteWidth - 1 - i] = LittleEndian.getInt8(data, slot * byteWidth + i);
    }
    return new BigInteger(bigEndian).toString();
  }

  /// Compares the highest word first: it has the sign and usually decides.
  private int compare(MemorySegment data, long slot, long[] limit) {
    long byteOffset = slot * byteWidth;
    int word = limit.length - 1;
    int order = Long.compare(word(data, byteOffset, word), limit[word]);
    while (order == 0 && word > 0) {
      word--;
      order = Long.compareUnsigned(word(data, byteOffset, word), limit[word]);
    }
    return order;
  }

  private static long word(MemorySegment data, long byteOffset, int word) {
    return LittleEndian.getInt64(data, byteOffset + word * Long.BYTES);
  }

  private static long[] words(BigInteger value, int count) {
    long[] words = new long[count];
    for (int i = 0; i < count; i++) {
      words[i] = value.shiftRight(i * Long.SIZE).longValue();
    }
    return words;
  }
}
