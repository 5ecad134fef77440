package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.statistics.ColumnStatistics.Bound;
import dev.quiver.arrow.statistics.RangeKernels.LongRange;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The extremes of numbers of 8 to 64 bits.
///
/// Each block is transformed in place into signed integers of the same order. NaN lies beyond the
/// infinities then, so that only a block with such values is looked at twice.
final class NumberExtremes implements Extremes {

  /// The nanoseconds in a microsecond.
  private static final int NANOSECONDS = 1000;

  private final int bitWidth;
  private final boolean isFloatingPoint;
  private final boolean isUnsigned;
  private final BlockMemory memory;
  private final RangeKernels kernels;
  private final LongRange range = new LongRange();
  private final LongRange block = new LongRange();

  /// The keys of the infinities.
  private final long leastNumber;

  private final long greatestNumber;
  private boolean hasNan;
  private boolean isWholeMicroseconds;

  NumberExtremes(ArrowType type, BlockMemory memory, RangeKernels kernels) {
    this.bitWidth = NumberKeys.byteWidth(type) * Byte.SIZE;
    this.isFloatingPoint = type instanceof ArrowType.FloatingPoint;
    this.isUnsigned = type instanceof ArrowType.Int(_, boolean signed) && !signed;
    this.memory = memory;
    this.kernels = kernels;
    this.greatestNumber =
        switch (bitWidth) {
          case Short.SIZE -> Float.floatToFloat16(Float.POSITIVE_INFINITY);
          case Integer.SIZE -> Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
          default -> Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);
        };
    this.leastNumber = ~greatestNumber;
    this.isWholeMicroseconds =
        type instanceof ArrowType.Timestamp time && time.isZonedNanoseconds();
  }

  @Override
  public long add(ArrayData array, long length, SlotMask mask) {
    MemorySegment data = array.buffer(BufferRole.DATA);
    int blockLength = BlockMemory.BYTE_SIZE / (bitWidth >>> 3);
    long count = 0;
    for (long from = 0; from < length; from += blockLength) {
      int n = (int) Math.min(blockLength, length - from);
      int considered = mask.isAll() ? n : mask.read(from, n);
      if (considered > 0) {
        add(data, from, n, considered == n ? null : mask.words());
        count += considered;
      }
    }
    return count;
  }

  private void add(MemorySegment data, long from, int n, long @Nullable [] words) {
    block.clear();
    switch (bitWidth) {
      case Byte.SIZE -> {
        byte[] keys = memory.bytes(data, from, n);
        transform(keys, n);
        kernels.extend(keys, n, words, block);
      }
      case Short.SIZE -> {
        short[] keys = memory.shorts(data, from, n);
        transform(keys, n);
        kernels.extend(keys, n, words, block);
        if (hasNanInBlock()) {
          int number = firstNumber(n, words, i -> keys[i]);
          if (number < n) {
            kernels.replaceOutside(
                keys, n, (short) leastNumber, (short) greatestNumber, keys[number]);
            kernels.extend(keys, n, words, block);
          }
        }
      }
      case Integer.SIZE -> {
        int[] keys = memory.ints(data, from, n);
        transform(keys, n);
        kernels.extend(keys, n, words, block);
        if (hasNanInBlock()) {
          int number = firstNumber(n, words, i -> keys[i]);
          if (number < n) {
            kernels.replaceOutside(keys, n, (int) leastNumber, (int) greatestNumber, keys[number]);
            kernels.extend(keys, n, words, block);
          }
        }
      }
      default -> {
        long[] keys = memory.longs(data, from, n);
        isWholeMicroseconds = isWholeMicroseconds && areWholeMicroseconds(keys, n, words);
        transform(keys, n);
        kernels.extend(keys, n, words, block);
        if (hasNanInBlock()) {
          int number = firstNumber(n, words, i -> keys[i]);
          if (number < n) {
            kernels.replaceOutside(keys, n, leastNumber, greatestNumber, keys[number]);
            kernels.extend(keys, n, words, block);
          }
        }
      }
    }
    range.add(block.minimum, block.maximum);
  }

  /// Returns whether the considered values are multiples of a thousand nanoseconds.
  private static boolean areWholeMicroseconds(long[] values, int n, long @Nullable [] words) {
    long rest = 0;
    if (words == null) {
      for (int i = 0; i < n; i++) {
        rest |= values[i] % NANOSECONDS;
      }
    } else {
      for (int i = 0; i < n; i++) {
        if ((words[i >>> 6] >>> (i & 63) & 1) != 0) {
          rest |= values[i] % NANOSECONDS;
        }
      }
    }
    return rest == 0;
  }

  /// Returns whether the block has a NaN, and clears its range then.
  private boolean hasNanInBlock() {
    boolean found =
        isFloatingPoint && (block.minimum < leastNumber || block.maximum > greatestNumber);
    if (found) {
      hasNan = true;
      block.clear();
    }
    return found;
  }

  /// Returns the index of the first considered value that is not NaN, or `n`.
  private int firstNumber(int n, long @Nullable [] words, KeyReader keys) {
    for (int i = 0; i < n; i++) {
      long key = keys.key(i);
      boolean considered = words == null || (words[i >>> 6] >>> (i & 63) & 1) != 0;
      if (considered && key >= leastNumber && key <= greatestNumber) {
        return i;
      }
    }
    return n;
  }

  private interface KeyReader {
    long key(int index);
  }

  @Override
  public @Nullable Bound minimum() {
    return bound(range.minimum);
  }

  @Override
  public @Nullable Bound maximum() {
    return bound(range.maximum);
  }

  @Override
  public boolean hasNan() {
    return hasNan;
  }

  @Override
  public boolean isWholeMicroseconds() {
    return isWholeMicroseconds;
  }

  private @Nullable Bound bound(long key) {
    if (range.minimum > range.maximum) {
      return null;
    }
    long bits =
        isUnsigned
            ? key ^ 1L << bitWidth - 1
            : isFloatingPoint
                ? withoutNegativeZero(key < 0 ? key ^ (1L << bitWidth - 1) - 1 : key)
                : key;
    byte[] bytes = new byte[bitWidth >>> 3];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (bits >>> 8 * i);
    }
    return new Bound(ByteString.of(bytes), true);
  }

  private long withoutNegativeZero(long bits) {
    return bits << Long.SIZE - bitWidth == Long.MIN_VALUE ? 0 : bits;
  }

  private void transform(byte[] keys, int n) {
    if (isUnsigned) {
      for (int i = 0; i < n; i++) {
        keys[i] ^= Byte.MIN_VALUE;
      }
    }
  }

  private void transform(short[] keys, int n) {
    if (isUnsigned) {
      for (int i = 0; i < n; i++) {
        keys[i] ^= Short.MIN_VALUE;
      }
    } else if (isFloatingPoint) {
      NumberKeys.order(keys, n);
    }
  }

  private void transform(int[] keys, int n) {
    if (isUnsigned) {
      for (int i = 0; i < n; i++) {
        keys[i] ^= Integer.MIN_VALUE;
      }
    } else if (isFloatingPoint) {
      NumberKeys.order(keys, n);
    }
  }

  private void transform(long[] keys, int n) {
    if (isUnsigned) {
      for (int i = 0; i < n; i++) {
        keys[i] ^= Long.MIN_VALUE;
      }
    } else if (isFloatingPoint) {
      NumberKeys.order(keys, n);
    }
  }
}
