package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.statistics.ColumnMatcher.SlotMatcher;
import dev.quiver.arrow.statistics.RangeSet.Range;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A matcher of text and binary values.
///
/// Eight bytes of each value of a block, as a number, decide about most of them: those after the
/// bytes that both ends of a range share. The few values that they leave open are compared as a
/// whole.
final class BinaryMatcher implements SlotMatcher {

  private static final int SLOTS = 1024;
  private static final int ELSEWHERE = -1;
  private static final int VIEW_BYTE_SIZE = Array.BinaryView.VIEW_BYTE_SIZE;

  /// The number of bytes of a value in its view.
  private static final int VIEW_PREFIX_BYTE_SIZE = 4;

  private final List<End> ends;
  private final BlockMemory memory;
  private final RangeKernels kernels;
  private final byte[] single = new byte[Long.BYTES];
  private byte[] block = {};
  private final long[] offsets = new long[SLOTS + 1];

  /// Where the values of a block start on the heap, or [#ELSEWHERE].
  private final int[] starts = new int[SLOTS];

  private final int[] lengths = new int[SLOTS];
  private final long[] keys = new long[SLOTS];
  private final long[] open = new long[SLOTS / Long.SIZE];
  private final long[] passed = new long[SLOTS / Long.SIZE];

  BinaryMatcher(RangeSet<ByteString> set, BlockMemory memory, RangeKernels kernels) {
    this.ends = set.ranges().stream().map(End::of).toList();
    this.memory = memory;
    this.kernels = kernels;
  }

  /// The ends of a range.
  ///
  /// @param low the first value
  /// @param high the value after the last one, or null without end
  /// @param skipped the bytes before the compared number
  /// @param least the number of the first value
  /// @param greatest the number of the last value
  /// @param only whether the first value is the only one
  private record End(
      byte[] low, byte @Nullable [] high, int skipped, long least, long greatest, boolean only) {

    static End of(Range<ByteString> range) {
      byte[] low = Objects.requireNonNull(range.low()).toByteArray();
      byte[] high = range.high() == null ? null : range.high().toByteArray();
      boolean only = high != null && Arrays.equals(high, Arrays.copyOf(low, low.length + 1));
      int shared =
          high == null
              ? 0
              : only ? Math.max(0, low.length - 1) : Math.max(0, Arrays.mismatch(low, high));
      int skipped = shared & -Long.BYTES;
      return new End(
          low,
          high,
          skipped,
          word(low, skipped),
          high == null ? -1L : only ? word(low, skipped) : word(high, skipped),
          only);
    }

    private static long word(byte[] value, int from) {
      byte[] padded = Arrays.copyOf(value, Math.max(value.length, from) + Long.BYTES);
      return BlockMemory.bigEndianWord(padded, from, value.length - from);
    }
  }

  @Override
  public void retain(ArrayData array, long length, long[] selected) {
    if (length == 0) {
      return;
    }
    Values values =
        switch (array.field().type()) {
          case ArrowType.FixedSizeBinary(int byteWidth) ->
              new FixedWidth(array.buffer(BufferRole.DATA), byteWidth);
          case ArrowType.ViewBytes _ ->
              new Views(array.buffer(BufferRole.VIEWS), array.variadicBuffers());
          default ->
              new Delimited(Integers.of(array, BufferRole.OFFSETS), array.buffer(BufferRole.DATA));
        };
    for (long from = 0; from < length; from += SLOTS) {
      int n = (int) Math.min(SLOTS, length - from);
      int first = (int) (from >>> 6);
      int words = (n + Long.SIZE - 1) / Long.SIZE;
      if (RowSet.count(selected, first, words) > 0) {
        Arrays.fill(passed, 0, words, 0);
        for (End end : ends) {
          test(values, from, n, end, selected, first);
        }
        for (int i = 0; i < words; i++) {
          selected[first + i] &= passed[i];
        }
      }
    }
  }

  /// Adds the values of a block that are in a range to the passed ones.
  private void test(Values values, long from, int n, End end, long[] selected, int first) {
    int words = (n + Long.SIZE - 1) / Long.SIZE;
    values.readKeys(from, n, end.skipped, selected, first);
    Arrays.fill(open, 0, words, 0);
    kernels.test(keys, n, end.least, end.greatest - end.least, open);
    for (int i = 0; i < words; i++) {
      for (long rest = open[i] & selected[first + i] & ~passed[i]; rest != 0; rest &= rest - 1) {
        int slot = (i << 6) + Long.numberOfTrailingZeros(rest);
        boolean isInside =
            end.skipped == 0
                && Long.compareUnsigned(keys[slot], end.least) > 0
                && (end.high == null || Long.compareUnsigned(keys[slot], end.greatest) < 0);
        if (isInside
            || (starts[slot] == ELSEWHERE ? values.isIn(from + slot, end) : isIn(slot, end))) {
          passed[i] |= 1L << slot;
        }
      }
    }
  }

  /// The values of an array. Values outside the heap are read from their segments.
  private abstract static class Values {

    /// Reads eight bytes of each value of a block into `keys`.
    ///
    /// @param skipped the number of bytes before them
    abstract void readKeys(long from, int n, int skipped, long[] selected, int first);

    abstract long byteSize(long slot);

    /// Returns the segment with a value.
    abstract MemorySegment segment(long slot);

    /// Returns the position of a value in its segment.
    abstract long start(long slot);

    final boolean isIn(long slot, End end) {
      long byteSize = byteSize(slot);
      if (end.only && byteSize != end.low.length) {
        return false;
      }
      MemorySegment segment = segment(slot);
      long start = start(slot);
      int order = compare(segment, start, byteSize, end.low);
      return end.only
          ? order == 0
          : order >= 0 && (end.high == null || compare(segment, start, byteSize, end.high) < 0);
    }

    private static int compare(MemorySegment segment, long start, long byteSize, byte[] other) {
      long different =
          MemorySegment.mismatch(
              segment, start, start + byteSize, MemorySegment.ofArray(other), 0, other.length);
      if (different < 0) {
        return 0;
      }
      if (different == byteSize || different == other.length) {
        return Long.compare(byteSize, other.length);
      }
      return Integer.compare(
          LittleEndian.getInt8(segment, start + different) & 0xFF, other[(int) different] & 0xFF);
    }
  }

  /// Computes the keys of the first `n` slots, whose values are on the heap. The key of a value
  /// without bytes after `skipped` is 0.
  private void computeKeys(byte[] bytes, int n, int skipped) {
    block = bytes;
    if (skipped == 0) {
      for (int i = 0; i < n; i++) {
        keys[i] = BlockMemory.bigEndianWord(bytes, starts[i], lengths[i]);
      }
      return;
    }
    for (int i = 0; i < n; i++) {
      keys[i] =
          lengths[i] <= skipped
              ? 0
              : BlockMemory.bigEndianWord(bytes, starts[i] + skipped, lengths[i] - skipped);
    }
  }

  /// Returns whether a value on the heap is in a range.
  private boolean isIn(int slot, End end) {
    int start = starts[slot];
    int stop = start + lengths[slot];
    return (end.low.length == 0
            || Arrays.compareUnsigned(block, start, stop, end.low, 0, end.low.length) >= 0)
        && (end.high == null
            || Arrays.compareUnsigned(block, start, stop, end.high, 0, end.high.length) < 0);
  }

  private final class Delimited extends Values {

    private final Integers ends;
    private final MemorySegment data;

    Delimited(Integers ends, MemorySegment data) {
      this.ends = ends;
      this.data = data;
    }

    @Override
    void readKeys(long from, int n, int skipped, long[] selected, int first) {
      if (ends.byteWidth() == Long.BYTES) {
        MemorySegment.copy(ends.segment(), LittleEndian.INT64, from << 3, offsets, 0, n + 1);
      } else {
        int[] narrow = memory.ints(ends.segment(), from, n + 1);
        for (int i = 0; i <= n; i++) {
          offsets[i] = narrow[i];
        }
      }
      long base = offsets[0];
      if (offsets[n] - base <= BlockMemory.TEXT_BYTE_SIZE) {
        byte[] bytes = memory.bytes(data, base, (int) (offsets[n] - base));
        for (int i = 0; i < n; i++) {
          starts[i] = (int) (offsets[i] - base);
          lengths[i] = (int) (offsets[i + 1] - offsets[i]);
        }
        computeKeys(bytes, n, skipped);
        return;
      }
      Arrays.fill(starts, 0, n, ELSEWHERE);
      for (int i = 0; i < n; i++) {
        keys[i] =
            (selected[first + (i >>> 6)] >>> (i & 63) & 1) == 0
                ? 0
                : key(data, offsets[i], offsets[i + 1] - offsets[i], skipped);
      }
    }

    @Override
    long byteSize(long slot) {
      return ends.get(slot + 1) - ends.get(slot);
    }

    @Override
    MemorySegment segment(long slot) {
      return data;
    }

    @Override
    long start(long slot) {
      return ends.get(slot);
    }
  }

  private long key(MemorySegment data, long start, long byteSize, int skipped) {
    int copied = (int) Math.clamp(byteSize - skipped, 0, Long.BYTES);
    MemorySegment.copy(
        data, LittleEndian.INT8, start + Math.min(skipped, byteSize), single, 0, copied);
    return BlockMemory.bigEndianWord(single, 0, copied);
  }

  private final class FixedWidth extends Values {

    private final MemorySegment data;
    private final int byteWidth;

    FixedWidth(MemorySegment data, int byteWidth) {
      this.data = data;
      this.byteWidth = byteWidth;
    }

    @Override
    void readKeys(long from, int n, int skipped, long[] selected, int first) {
      if ((long) byteWidth * n > BlockMemory.TEXT_BYTE_SIZE) {
        Arrays.fill(starts, 0, n, ELSEWHERE);
        for (int i = 0; i < n; i++) {
          keys[i] = key(data, (from + i) * byteWidth, byteWidth, skipped);
        }
        return;
      }
      byte[] bytes = memory.bytes(data, from * byteWidth, n * byteWidth);
      for (int i = 0; i < n; i++) {
        starts[i] = i * byteWidth;
        lengths[i] = byteWidth;
      }
      computeKeys(bytes, n, skipped);
    }

    @Override
    long byteSize(long slot) {
      return byteWidth;
    }

    @Override
    MemorySegment segment(long slot) {
      return data;
    }

    @Override
    long start(long slot) {
      return slot * byteWidth;
    }
  }

  private final class Views extends Values {

    private final MemorySegment views;
    private final List<MemorySegment> data;

    Views(MemorySegment views, List<MemorySegment> data) {
      this.views = views;
      this.data = data;
    }

    /// Reads short values from their views, and long ones from where they are.
    @Override
    void readKeys(long from, int n, int skipped, long[] selected, int first) {
      byte[] bytes = memory.bytes(views, from * VIEW_BYTE_SIZE, n * VIEW_BYTE_SIZE);
      block = bytes;
      for (int i = 0; i < n; i++) {
        int view = i * VIEW_BYTE_SIZE;
        int byteSize = (int) LittleEndian.getInt64(bytes, view);
        boolean isInline = byteSize <= Array.BinaryView.INLINE_BYTE_SIZE_MAX;
        starts[i] = isInline ? view + VIEW_PREFIX_BYTE_SIZE : ELSEWHERE;
        lengths[i] = byteSize;
        if (isInline) {
          keys[i] =
              byteSize <= skipped
                  ? 0
                  : BlockMemory.bigEndianWord(bytes, starts[i] + skipped, byteSize - skipped);
        } else if ((selected[first + (i >>> 6)] >>> (i & 63) & 1) != 0) {
          long location = LittleEndian.getInt64(bytes, view + Long.BYTES);
          keys[i] = key(data.get((int) location), location >>> Integer.SIZE, byteSize, skipped);
        }
      }
    }

    @Override
    long byteSize(long slot) {
      return LittleEndian.getInt32(views, slot * VIEW_BYTE_SIZE);
    }

    @Override
    MemorySegment segment(long slot) {
      return data.get(LittleEndian.getInt32(views, slot * VIEW_BYTE_SIZE + Long.BYTES));
    }

    @Override
    long start(long slot) {
      return LittleEndian.getInt32(views, slot * VIEW_BYTE_SIZE + Long.BYTES + Integer.BYTES);
    }
  }
}
