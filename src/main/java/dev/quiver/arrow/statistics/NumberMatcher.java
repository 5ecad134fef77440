package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.statistics.ColumnMatcher.SlotMatcher;
import dev.quiver.arrow.statistics.RangeSet.Range;
import dev.quiver.arrow.type.BufferRole;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// A matcher of numbers of 8 to 64 bits.
///
/// Floating-point numbers become integers of the same order, in which all NaN come last. If there
/// are many ranges, the one that a value may be in is searched.
final class NumberMatcher implements SlotMatcher {

  /// The number of ranges from which searching one is faster than testing all.
  private static final int SEARCHED = 9;

  /// A block is tested number by number if fewer than one of this many is selected.
  private static final int SPARSE_PART = 32;

  private final int byteWidth;
  private final boolean isFloatingPoint;
  private final BlockMemory memory;
  private final RangeKernels kernels;

  /// Whether the ranges have the values that do not pass.
  private final boolean negated;

  /// The first number of each range, as the bits of a value.
  private final long[] lows;

  /// One less than the length of each range.
  private final long[] spans;

  private final long[] matched = new long[BlockMemory.BYTE_SIZE / Long.SIZE];

  /// @param keys keys of the type
  /// @param set the keys that pass
  NumberMatcher(
      ValueKeys<BigInteger> keys,
      int byteWidth,
      RangeSet<BigInteger> set,
      BlockMemory memory,
      RangeKernels kernels) {
    this.byteWidth = byteWidth;
    this.isFloatingPoint = keys instanceof ValueKeys.FloatingPoints;
    this.memory = memory;
    this.kernels = kernels;
    RangeSet<BigInteger> complement = set.complement().intersection(RangeSet.of(keys.domain()));
    this.negated = complement.ranges().size() < set.ranges().size();
    List<Range<BigInteger>> ranges = (negated ? complement : set).ranges();
    this.lows = new long[ranges.size()];
    this.spans = new long[ranges.size()];
    // The keys of floating-point numbers count from negative infinity, their bits from 0.0.
    BigInteger offset =
        keys instanceof ValueKeys.FloatingPoints numbers
            ? BigInteger.valueOf(-1 - numbers.infinity())
            : BigInteger.ZERO;
    BigInteger nan = keys.nan();
    for (int i = 0; i < lows.length; i++) {
      Range<BigInteger> range = ranges.get(i);
      BigInteger low = Objects.requireNonNull(range.low());
      BigInteger high = Objects.requireNonNull(range.high());
      if (nan != null && range.contains(nan)) {
        high = BigInteger.ONE.shiftLeft(8 * byteWidth);
      }
      lows[i] = low.add(offset).longValue();
      spans[i] = high.subtract(low).subtract(BigInteger.ONE).longValue();
    }
  }

  @Override
  public void retain(ArrayData array, long length, long[] selected) {
    MemorySegment data = array.buffer(BufferRole.DATA);
    int blockLength = BlockMemory.BYTE_SIZE / byteWidth;
    for (long from = 0; from < length; from += blockLength) {
      int n = (int) Math.min(blockLength, length - from);
      int first = (int) (from >>> 6);
      int words = (n + Long.SIZE - 1) / Long.SIZE;
      int count = RowSet.count(selected, first, words);
      if (count == 0) {
        continue;
      }
      Arrays.fill(matched, 0, words, 0);
      if (lows.length >= SEARCHED) {
        search(data, from, n, selected);
      } else if (count * SPARSE_PART < n) {
        testEach(data, from, words, selected);
      } else {
        test(data, from, n);
      }
      long flip = negated ? -1L : 0;
      for (int i = 0; i < words; i++) {
        selected[first + i] &= matched[i] ^ flip;
      }
    }
  }

  private void test(MemorySegment data, long from, int n) {
    switch (byteWidth) {
      case Byte.BYTES -> {
        byte[] values = memory.bytes(data, from, n);
        for (int i = 0; i < lows.length; i++) {
          kernels.test(values, n, (byte) lows[i], (byte) spans[i], matched);
        }
      }
      case Short.BYTES -> {
        short[] values = memory.shorts(data, from, n);
        if (isFloatingPoint) {
          NumberKeys.order(values, n);
        }
        for (int i = 0; i < lows.length; i++) {
          kernels.test(values, n, (short) lows[i], (short) spans[i], matched);
        }
      }
      case Integer.BYTES -> {
        int[] values = memory.ints(data, from, n);
        if (isFloatingPoint) {
          NumberKeys.order(values, n);
        }
        for (int i = 0; i < lows.length; i++) {
          kernels.test(values, n, (int) lows[i], (int) spans[i], matched);
        }
      }
      default -> {
        long[] values = memory.longs(data, from, n);
        if (isFloatingPoint) {
          NumberKeys.order(values, n);
        }
        for (int i = 0; i < lows.length; i++) {
          kernels.test(values, n, lows[i], spans[i], matched);
        }
      }
    }
  }

  private void testEach(MemorySegment data, long from, int words, long[] selected) {
    long unused = -1L >>> Long.SIZE - 8 * byteWidth;
    for (int word = 0; word < words; word++) {
      long passing = 0;
      long start = from + ((long) word << 6);
      for (long rest = selected[(int) (start >>> 6)]; rest != 0; rest &= rest - 1) {
        int slot = Long.numberOfTrailingZeros(rest);
        long value = value(data, start + slot);
        for (int i = 0; i < lows.length; i++) {
          boolean isIn = Long.compareUnsigned(value - lows[i] & unused, spans[i]) <= 0;
          passing |= (isIn ? 1L : 0L) << slot;
        }
      }
      matched[word] = passing;
    }
  }

  /// Looks for the range of each selected value, the last one that starts at or before it. Ranges
  /// ascend in their distance from the first one.
  private void search(MemorySegment data, long from, int n, long[] selected) {
    long unused = -1L >>> Long.SIZE - 8 * byteWidth;
    for (int start = 0; start < n; start += Long.SIZE) {
      long word = 0;
      for (long rest = selected[(int) (from + start >>> 6)]; rest != 0; rest &= rest - 1) {
        int i = start + Long.numberOfTrailingZeros(rest);
        long value = value(data, from + i) - lows[0] & unused;
        int low = 0;
        int high = lows.length - 1;
        while (low < high) {
          int middle = low + high + 1 >>> 1;
          if (Long.compareUnsigned(lows[middle] - lows[0] & unused, value) <= 0) {
            low = middle;
          } else {
            high = middle - 1;
          }
        }
        long distance = value - (lows[low] - lows[0] & unused);
        word |= (Long.compareUnsigned(distance, spans[low]) <= 0 ? 1L : 0L) << i;
      }
      matched[start >>> 6] = word;
    }
  }

  private long value(MemorySegment data, long slot) {
    return switch (byteWidth) {
      case Byte.BYTES -> LittleEndian.getInt8(data, slot);
      case Short.BYTES -> {
        short value = LittleEndian.getInt16(data, slot << 1);
        yield isFloatingPoint ? value ^ value >> 15 & Short.MAX_VALUE : value;
      }
      case Integer.BYTES -> {
        int value = LittleEndian.getInt32(data, slot << 2);
        yield isFloatingPoint ? value ^ value >> 31 & Integer.MAX_VALUE : value;
      }
      default -> {
        long value = LittleEndian.getInt64(data, slot << 3);
        yield isFloatingPoint ? value ^ value >> 63 & Long.MAX_VALUE : value;
      }
    };
  }
}
