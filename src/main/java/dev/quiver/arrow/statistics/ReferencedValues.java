package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.BufferRole;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// The values of a dictionary, or the runs of an array, that slots refer to: a byte for each, 1 if
/// any slot does.
final class ReferencedValues {

  private final BlockMemory memory;
  private byte[] map = {};
  private int count;

  ReferencedValues(BlockMemory memory) {
    this.memory = memory;
  }

  /// Returns the map, valid until the next values are marked.
  byte[] map() {
    return map;
  }

  /// Returns the number of values in the map.
  int count() {
    return count;
  }

  /// Marks the values to which the indices of considered slots refer.
  ///
  /// @return the number of considered slots
  long mark(ArrayData indices, long length, SlotMask mask, int valueCount) {
    clear(valueCount);
    MemorySegment data = indices.buffer(BufferRole.DATA);
    int byteWidth = byteWidth(indices);
    int blockLength = BlockMemory.BYTE_SIZE / byteWidth;
    long considered = 0;
    for (long from = 0; from < length; from += blockLength) {
      int n = (int) Math.min(blockLength, length - from);
      int inBlock = mask.isAll() ? n : mask.read(from, n);
      considered += inBlock;
      if (inBlock == n) {
        markAll(data, byteWidth, from, n);
      } else if (inBlock > 0) {
        long[] words = mask.words();
        for (int first = 0; first < n; first += Long.SIZE) {
          for (long rest = words[first >>> 6]; rest != 0; rest &= rest - 1) {
            long slot = from + first + Long.numberOfTrailingZeros(rest);
            map[index(data, byteWidth, slot)] = 1;
          }
        }
      }
    }
    return considered;
  }

  private void markAll(MemorySegment data, int byteWidth, long from, int n) {
    byte[] marked = map;
    switch (byteWidth) {
      case Byte.BYTES -> {
        byte[] block = memory.bytes(data, from, n);
        for (int i = 0; i < n; i++) {
          marked[block[i] & 0xFF] = 1;
        }
      }
      case Short.BYTES -> {
        short[] block = memory.shorts(data, from, n);
        for (int i = 0; i < n; i++) {
          marked[block[i] & 0xFFFF] = 1;
        }
      }
      case Integer.BYTES -> {
        int[] block = memory.ints(data, from, n);
        for (int i = 0; i < n; i++) {
          marked[block[i]] = 1;
        }
      }
      default -> {
        long[] block = memory.longs(data, from, n);
        for (int i = 0; i < n; i++) {
          marked[(int) block[i]] = 1;
        }
      }
    }
  }

  /// Returns how many considered slots refer to nulls.
  long countNulls(ArrayData indices, long length, SlotMask mask, List<ArrayData> values) {
    byte[] nulls = new byte[count];
    int start = 0;
    for (ArrayData part : values) {
      MemorySegment validity = part.validity();
      for (int i = 0; validity.byteSize() != 0 && i < part.length(); i++) {
        nulls[start + i] = (byte) (Bitmaps.get(validity, i) ? 0 : 1);
      }
      start += (int) part.length();
    }
    MemorySegment data = indices.buffer(BufferRole.DATA);
    int byteWidth = byteWidth(indices);
    long nullCount = 0;
    for (long slot = 0; slot < length; slot++) {
      if (mask.isSet(slot)) {
        nullCount += nulls[index(data, byteWidth, slot)];
      }
    }
    return nullCount;
  }

  /// Marks the runs with considered slots.
  ///
  /// @param validity the validity of the runs' values
  /// @return the number of considered slots in runs that are not null
  long markRuns(Integers ends, long length, SlotMask mask, MemorySegment validity) {
    int runCount = runCount(ends, length);
    clear(runCount);
    long considered = 0;
    long start = 0;
    for (int run = 0; run < runCount; run++) {
      long end = Math.min(length, ends.get(run));
      long inRun = mask.isAll() ? end - start : count(mask, start, end);
      map[run] = (byte) (inRun > 0 ? 1 : 0);
      considered += validity.byteSize() == 0 || Bitmaps.get(validity, run) ? inRun : 0;
      start = end;
    }
    return considered;
  }

  /// Returns the number of runs that start before `length`.
  private static int runCount(Integers ends, long length) {
    int runCount = 0;
    while (runCount == 0 ? length > 0 : ends.get(runCount - 1) < length) {
      runCount++;
    }
    return runCount;
  }

  private static long count(SlotMask mask, long start, long end) {
    long considered = 0;
    for (long slot = start; slot < end; slot++) {
      considered += mask.isSet(slot) ? 1 : 0;
    }
    return considered;
  }

  private void clear(int valueCount) {
    if (map.length < valueCount) {
      map = new byte[valueCount];
    } else {
      Arrays.fill(map, 0, valueCount, (byte) 0);
    }
    count = valueCount;
  }

  private static int byteWidth(ArrayData indices) {
    return (int) (indices.layout().buffers().get(1).bitWidth() >>> 3);
  }

  private static int index(MemorySegment data, int byteWidth, long slot) {
    return switch (byteWidth) {
      case Byte.BYTES -> LittleEndian.getInt8(data, slot) & 0xFF;
      case Short.BYTES -> LittleEndian.getInt16(data, slot << 1) & 0xFFFF;
      case Integer.BYTES -> LittleEndian.getInt32(data, slot << 2);
      default -> (int) LittleEndian.getInt64(data, slot << 3);
    };
  }
}
