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

/// A matcher of signed integers of 128 and 256 bits. A block of numbers that fit 64 bits, as most
/// decimals do, is tested as such.
final class WideMatcher implements SlotMatcher {

  private static final BigInteger LONG_MINIMUM = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger LONG_END = BigInteger.ONE.shiftLeft(Long.SIZE - 1);

  /// A block is tested number by number if fewer than one of this many is selected.
  private static final int SPARSE_PART = 16;

  private final int wordCount;
  private final BlockMemory memory;
  private final RangeKernels kernels;

  /// The first and the last number of each range, each as words, the lowest first.
  private final long[][] lows;

  private final long[][] lasts;

  /// The parts of the ranges in 64 bits.
  private final long[] narrowLows;

  private final long[] narrowSpans;
  private final long[] lowest;
  private final long[] matched = new long[BlockMemory.BYTE_SIZE / Long.SIZE];

  WideMatcher(int bitWidth, RangeSet<BigInteger> set, BlockMemory memory, RangeKernels kernels) {
    this.wordCount = bitWidth / Long.SIZE;
    this.memory = memory;
    this.kernels = kernels;
    this.lowest = new long[BlockMemory.BYTE_SIZE / Long.BYTES / wordCount];
    List<Range<BigInteger>> ranges = set.ranges();
    this.lows = new long[ranges.size()][];
    this.lasts = new long[ranges.size()][];
    for (int i = 0; i < lows.length; i++) {
      lows[i] = words(Objects.requireNonNull(ranges.get(i).low()));
      lasts[i] = words(Objects.requireNonNull(ranges.get(i).high()).subtract(BigInteger.ONE));
    }
    List<Range<BigInteger>> narrow =
        set.intersection(RangeSet.of(new Range<>(LONG_MINIMUM, LONG_END))).ranges();
    this.narrowLows = new long[narrow.size()];
    this.narrowSpans = new long[narrow.size()];
    for (int i = 0; i < narrowLows.length; i++) {
      BigInteger low = Objects.requireNonNull(narrow.get(i).low());
      BigInteger high = Objects.requireNonNull(narrow.get(i).high());
      narrowLows[i] = low.longValue();
      narrowSpans[i] = high.subtract(low).subtract(BigInteger.ONE).longValue();
    }
  }

  private long[] words(BigInteger number) {
    long[] words = new long[wordCount];
    for (int i = 0; i < wordCount; i++) {
      words[i] = number.shiftRight(i * Long.SIZE).longValue();
    }
    return words;
  }

  @Override
  public void retain(ArrayData array, long length, long[] selected) {
    MemorySegment data = array.buffer(BufferRole.DATA);
    int blockLength = lowest.length;
    for (long from = 0; from < length; from += blockLength) {
      int n = (int) Math.min(blockLength, length - from);
      int first = (int) (from >>> 6);
      int words = (n + Long.SIZE - 1) / Long.SIZE;
      if (RowSet.count(selected, first, words) * SPARSE_PART < n) {
        for (int i = first; i < first + words; i++) {
          selected[i] &= passing(data, (long) i << 6, selected[i]);
        }
        continue;
      }
      long[] values = memory.longs(data, from * wordCount, n * wordCount);
      if (BlockMemory.narrow(values, wordCount, n, lowest)) {
        Arrays.fill(matched, 0, words, 0);
        for (int i = 0; i < narrowLows.length; i++) {
          kernels.test(lowest, n, narrowLows[i], narrowSpans[i], matched);
        }
        for (int i = 0; i < words; i++) {
          selected[first + i] &= matched[i];
        }
      } else {
        for (int i = 0; i < words; i++) {
          selected[first + i] &= passing(values, i << 6, selected[first + i]);
        }
      }
    }
  }

  private long passing(long[] values, int start, long word) {
    long passing = 0;
    for (long rest = word; rest != 0; rest &= rest - 1) {
      int slot = Long.numberOfTrailingZeros(rest);
      passing |= (passes(values, (start + slot) * wordCount) ? 1L : 0L) << slot;
    }
    return passing;
  }

  private long passing(MemorySegment data, long start, long word) {
    long passing = 0;
    for (long rest = word; rest != 0; rest &= rest - 1) {
      int slot = Long.numberOfTrailingZeros(rest);
      long at = (start + slot) * wordCount * Long.BYTES;
      long low = LittleEndian.getInt64(data, at);
      long beyond = 0;
      for (int i = 1; i < wordCount; i++) {
        beyond |= LittleEndian.getInt64(data, at + (long) i * Long.BYTES) ^ low >> 63;
      }
      boolean passes =
          beyond == 0 ? passes(low) : passes(memory.longs(data, at >>> 3, wordCount), 0);
      passing |= (passes ? 1L : 0L) << slot;
    }
    return passing;
  }

  private boolean passes(long value) {
    for (int i = 0; i < narrowLows.length; i++) {
      if (Long.compareUnsigned(value - narrowLows[i], narrowSpans[i]) <= 0) {
        return true;
      }
    }
    return false;
  }

  private boolean passes(long[] values, int at) {
    for (int i = 0; i < lows.length; i++) {
      if (compare(values, at, lows[i]) >= 0 && compare(values, at, lasts[i]) <= 0) {
        return true;
      }
    }
    return false;
  }

  private int compare(long[] values, int at, long[] number) {
    int i = wordCount - 1;
    int order = Long.compare(values[at + i], number[i]);
    for (i--; order == 0 && i >= 0; i--) {
      order = Long.compareUnsigned(values[at + i], number[i]);
    }
    return order;
  }
}
