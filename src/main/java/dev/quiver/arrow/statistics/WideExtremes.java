package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.statistics.ColumnStatistics.Bound;
import dev.quiver.arrow.statistics.RangeKernels.LongRange;
import dev.quiver.arrow.type.BufferRole;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The extremes of signed integers of 128 and 256 bits. A block of numbers that fit 64 bits, as
/// most decimals do, is treated as such.
final class WideExtremes implements Extremes {

  private final int wordCount;
  private final BlockMemory memory;
  private final RangeKernels kernels;
  private final LongRange range = new LongRange();
  private final long[] lowest;
  private final long[] minimum;
  private final long[] maximum;
  private boolean isEmpty = true;

  WideExtremes(int bitWidth, BlockMemory memory, RangeKernels kernels) {
    this.wordCount = bitWidth / Long.SIZE;
    this.memory = memory;
    this.kernels = kernels;
    this.lowest = new long[BlockMemory.BYTE_SIZE / Long.BYTES / wordCount];
    this.minimum = new long[wordCount];
    this.maximum = new long[wordCount];
  }

  @Override
  public long add(ArrayData array, long length, SlotMask mask) {
    MemorySegment data = array.buffer(BufferRole.DATA);
    int blockLength = BlockMemory.BYTE_SIZE / Long.BYTES / wordCount;
    long count = 0;
    for (long from = 0; from < length; from += blockLength) {
      int n = (int) Math.min(blockLength, length - from);
      int considered = mask.read(from, n);
      if (considered == 0) {
        continue;
      }
      count += considered;
      long[] values = memory.longs(data, from * wordCount, n * wordCount);
      if (BlockMemory.narrow(values, wordCount, n, lowest)) {
        range.clear();
        kernels.extend(lowest, n, considered == n ? null : mask.words(), range);
        add(extended(range.minimum), 0);
        add(extended(range.maximum), 0);
      } else {
        add(values, n, mask.words());
      }
    }
    return count;
  }

  private long[] extended(long value) {
    long[] words = new long[wordCount];
    Arrays.fill(words, value >> 63);
    words[0] = value;
    return words;
  }

  private void add(long[] values, int n, long[] words) {
    for (int start = 0; start < n; start += Long.SIZE) {
      for (long rest = words[start >>> 6]; rest != 0; rest &= rest - 1) {
        add(values, (start + Long.numberOfTrailingZeros(rest)) * wordCount);
      }
    }
  }

  private void add(long[] values, int at) {
    if (isEmpty) {
      System.arraycopy(values, at, minimum, 0, wordCount);
      System.arraycopy(values, at, maximum, 0, wordCount);
      isEmpty = false;
      return;
    }
    if (isLess(values, at, minimum, 0)) {
      System.arraycopy(values, at, minimum, 0, wordCount);
    }
    if (isLess(maximum, 0, values, at)) {
      System.arraycopy(values, at, maximum, 0, wordCount);
    }
  }

  private boolean isLess(long[] a, int aAt, long[] b, int bAt) {
    int i = wordCount - 1;
    if (a[aAt + i] != b[bAt + i]) {
      return a[aAt + i] < b[bAt + i];
    }
    for (i--; i > 0 && a[aAt + i] == b[bAt + i]; ) {
      i--;
    }
    return Long.compareUnsigned(a[aAt + i], b[bAt + i]) < 0;
  }

  @Override
  public @Nullable Bound minimum() {
    return bound(minimum);
  }

  @Override
  public @Nullable Bound maximum() {
    return bound(maximum);
  }

  private @Nullable Bound bound(long[] value) {
    if (isEmpty) {
      return null;
    }
    byte[] bytes = new byte[wordCount * Long.BYTES];
    for (int i = 0; i < wordCount; i++) {
      LittleEndian.setInt64(bytes, i * Long.BYTES, value[i]);
    }
    return new Bound(ByteString.of(bytes), true);
  }
}
