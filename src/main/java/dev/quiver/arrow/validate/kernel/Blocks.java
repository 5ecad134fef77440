package dev.quiver.arrow.validate.kernel;

import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/// A check whether a whole range of a buffer is valid. Ranges are copied to the heap in cache-sized
/// blocks for [Kernels]. They must be in bounds. Not thread-safe.
///
/// It does not locate the invalid value; callers do.
public final class Blocks {

  public static final int BYTE_SIZE = 8 << 10;

  /// The number of values of any width that fit into a block.
  public static final int MASKED_LENGTH = BYTE_SIZE / Long.BYTES;

  /// The start of the bytes in their array, after the padding.
  public static final int TEXT_START = Kernels.PADDING_BYTE_SIZE;

  private static final VarHandle INT32S =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final Kernels kernels;

  /// The values of a block to ignore.
  private final short[] zeros = new short[MASKED_LENGTH];

  private byte[] bytes = {};
  private short[] shorts = {};
  private int[] ints = {};
  private long[] longs = {};

  public Blocks(Kernels kernels) {
    this.kernels = kernels;
  }

  /// The classification of bytes as text.
  public enum Text {
    ASCII,
    UTF8,
    OTHER
  }

  Text text(MemorySegment data, long start, long end) {
    boolean ascii = true;
    int byteSize;
    for (long position = start; position < end; position += byteSize) {
      byteSize = copyText(data, position, end);
      if (!kernels.isAscii(bytes, TEXT_START, TEXT_START + byteSize)) {
        byteSize = position + byteSize == end ? byteSize : truncateToCharacters(byteSize);
        if (!kernels.isUtf8(bytes, TEXT_START, TEXT_START + byteSize)) {
          return Text.OTHER;
        }
        ascii = false;
      }
    }
    return ascii ? Text.ASCII : Text.UTF8;
  }

  /// Returns whether every slot from `start` to `end` is UTF-8 and starts at a character.
  ///
  /// @param offsets valid offsets by `Level.OFFSETS`
  public boolean areText(MemorySegment data, Integers offsets, long start, long end) {
    long dataEnd = offsets.get(end);
    long slot = start;
    int byteSize;
    for (long position = offsets.get(start); position < dataEnd; position += byteSize) {
      byteSize = copyText(data, position, dataEnd);
      // Every ASCII byte starts a character, so slots may start anywhere.
      if (!kernels.isAscii(bytes, TEXT_START, TEXT_START + byteSize)) {
        byteSize = position + byteSize == dataEnd ? byteSize : truncateToCharacters(byteSize);
        if (!kernels.isUtf8(bytes, TEXT_START, TEXT_START + byteSize)) {
          return false;
        }
        slot = firstAt(position, offsets, slot, end);
        slot = startingCharacters(offsets, slot, end, position, byteSize);
        if (slot < 0) {
          return false;
        }
      }
    }
    return true;
  }

  /// Returns whether the first `count` integers, of 4 or 8 bytes, start at 0 or above and never
  /// decrease.
  public boolean ascend(Integers integers, long count) {
    boolean narrow = integers.byteWidth() == Integer.BYTES;
    int blockLength = BYTE_SIZE / integers.byteWidth();
    int length;
    // Index 0 holds the last value of the previous block.
    long previous = 0;
    for (long first = 0; first < count; first += length) {
      length = (int) Math.min(blockLength, count - first);
      if (narrow) {
        copyInts(integers.segment(), first, length, 1);
        ints[0] = (int) previous;
        previous = ints[length];
      } else {
        copyLongs(integers.segment(), first, length, 1);
        longs[0] = previous;
        previous = longs[length];
      }
      if (!(narrow ? kernels.ascend(ints, 1, length + 1) : kernels.ascend(longs, 1, length + 1))) {
        return false;
      }
    }
    return true;
  }

  /// Returns whether the values from `start` to `end` are less than `limit`, all taken as unsigned.
  ///
  /// @param limit 0 or more
  public boolean areBelow(MemorySegment data, int byteWidth, long start, long end, long limit) {
    if (byteWidth < Long.BYTES && limit >>> 8 * byteWidth != 0) {
      return true;
    }
    int blockLength = BYTE_SIZE / byteWidth;
    for (long from = start; from < end; from += blockLength) {
      int length = (int) Math.min(blockLength, end - from);
      copy(data, byteWidth, from, length);
      if (!areBelow(byteWidth, length, limit)) {
        return false;
      }
    }
    return true;
  }

  /// Returns the same as [#areBelow], ignoring values whose bit in the bitmap is zero.
  ///
  /// @param start a multiple of 8
  /// @param end at most [#MASKED_LENGTH] after `start`
  public boolean areBelowWhereSet(
      MemorySegment data, int byteWidth, long start, long end, long limit, MemorySegment bitmap) {
    int length = (int) (end - start);
    copyBytes(bitmap, start >>> 3, (int) Bitmaps.byteSize(length));
    int zeroCount = 0;
    for (int i = 0; i < length; i++) {
      zeros[zeroCount] = (short) i;
      zeroCount += ~bytes[TEXT_START + (i >>> 3)] >>> (i & 7) & 1;
    }
    copy(data, byteWidth, start, length);
    for (int i = 0; i < zeroCount; i++) {
      switch (byteWidth) {
        case Byte.BYTES -> bytes[TEXT_START + zeros[i]] = 0;
        case Short.BYTES -> shorts[zeros[i]] = 0;
        case Integer.BYTES -> ints[zeros[i]] = 0;
        default -> longs[zeros[i]] = 0;
      }
    }
    return areBelow(byteWidth, length, limit);
  }

  /// Returns bytes starting at [#TEXT_START], at most one more than a block, valid until the next
  /// call.
  public byte[] bytes(MemorySegment data, long start, int length) {
    Objects.checkFromToIndex(0, length, BYTE_SIZE + 1);
    copyBytes(data, start, length);
    return bytes;
  }

  /// Returns at most a block of 4-byte values, valid until the next call.
  public int[] int32s(MemorySegment data, long start, int length) {
    copyInts(data, start, length, 0);
    return ints;
  }

  /// Returns at most a block of 8-byte values, valid until the next call.
  public long[] int64s(MemorySegment data, long start, int length) {
    copyLongs(data, start, length, 0);
    return longs;
  }

  /// Returns a 4-byte number from an array of bytes.
  public static int int32(byte[] bytes, int index) {
    return (int) INT32S.get(bytes, index);
  }

  private void copy(MemorySegment data, int byteWidth, long start, int length) {
    switch (byteWidth) {
      case Byte.BYTES -> copyBytes(data, start, length);
      case Short.BYTES -> copyShorts(data, start, length);
      case Integer.BYTES -> copyInts(data, start, length, 0);
      default -> copyLongs(data, start, length, 0);
    }
  }

  /// Returns whether the copied values are below the limit.
  private boolean areBelow(int byteWidth, int length, long limit) {
    return switch (byteWidth) {
      case Byte.BYTES -> kernels.areBelow(bytes, TEXT_START, TEXT_START + length, (byte) limit);
      case Short.BYTES -> kernels.areBelow(shorts, 0, length, (short) limit);
      case Integer.BYTES -> kernels.areBelow(ints, 0, length, (int) limit);
      default -> kernels.areBelow(longs, 0, length, limit);
    };
  }

  /// Copies a block of text, with zeros before and after it.
  ///
  /// @return its size, which is less than a block if the text ends earlier
  private int copyText(MemorySegment data, long start, long end) {
    int byteSize = (int) Math.min(BYTE_SIZE, end - start);
    copyBytes(data, start, byteSize);
    endText(byteSize);
    return byteSize;
  }

  private void endText(int byteSize) {
    int end = TEXT_START + byteSize;
    Arrays.fill(bytes, end, end + Kernels.PADDING_BYTE_SIZE, (byte) 0);
  }

  /// Drops the start of a character that ends in the next block.
  private int truncateToCharacters(int byteSize) {
    int end = TEXT_START + byteSize;
    int last = end - 1;
    while (last > end - Utf8Search.CHARACTER_BYTE_SIZE_MAXIMUM
        && Utf8Search.isContinuation(bytes[last])) {
      last--;
    }
    // A lead byte has as many leading ones as its character has bytes.
    int leadingOnes = Integer.numberOfLeadingZeros(~bytes[last] << 3 * Byte.SIZE);
    if (leadingOnes <= end - last) {
      return byteSize;
    }
    endText(last - TEXT_START);
    return last - TEXT_START;
  }

  /// Checks the first byte of each slot that starts in the block.
  ///
  /// @param slot the first such slot
  /// @return the slot after them, or -1 if one of them starts inside a character
  private long startingCharacters(
      Integers offsets, long slot, long slotsEnd, long position, int byteSize) {
    boolean narrow = offsets.byteWidth() == Integer.BYTES;
    int blockLength = BYTE_SIZE / offsets.byteWidth();
    long next = slot;
    while (next < slotsEnd) {
      int length = (int) Math.min(blockLength, slotsEnd - next);
      int in;
      if (narrow) {
        copyInts(offsets.segment(), next, length, 0);
        in = startingCharacters(length, (int) position, byteSize);
      } else {
        copyLongs(offsets.segment(), next, length, 0);
        in = startingCharacters(length, position, byteSize);
      }
      if (in < 0) {
        return -1;
      }
      next += in;
      if (in < length) {
        return next;
      }
    }
    return next;
  }

  private int startingCharacters(int length, int position, int byteSize) {
    int signs = 0;
    int i = 0;
    for (; i < length; i++) {
      int offset = ints[i] - position;
      if (offset >= byteSize) {
        break;
      }
      signs |= bytes[TEXT_START + offset] - Utf8Search.CONTINUATION_END;
    }
    return signs < 0 ? -1 : i;
  }

  private int startingCharacters(int length, long position, int byteSize) {
    int signs = 0;
    int i = 0;
    for (; i < length; i++) {
      long offset = longs[i] - position;
      if (offset >= byteSize) {
        break;
      }
      signs |= bytes[TEXT_START + (int) offset] - Utf8Search.CONTINUATION_END;
    }
    return signs < 0 ? -1 : i;
  }

  /// Returns the first slot from `from` on whose offset is `position` or more, or `to`.
  private static long firstAt(long position, Integers offsets, long from, long to) {
    long low = from;
    long high = to;
    while (low < high) {
      long middle = low + high >>> 1;
      if (offsets.get(middle) < position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private void copyBytes(MemorySegment data, long start, int length) {
    int needed = TEXT_START + length + Kernels.PADDING_BYTE_SIZE;
    if (bytes.length < needed) {
      bytes = new byte[needed];
    }
    MemorySegment.copy(data, LittleEndian.INT8, start, bytes, TEXT_START, length);
  }

  private void copyShorts(MemorySegment data, long start, int length) {
    if (shorts.length < length) {
      shorts = new short[length];
    }
    MemorySegment.copy(data, LittleEndian.INT16, start << 1, shorts, 0, length);
  }

  private void copyInts(MemorySegment data, long start, int length, int to) {
    if (ints.length < to + length) {
      ints = new int[to + length];
    }
    MemorySegment.copy(data, LittleEndian.INT32, start << 2, ints, to, length);
  }

  private void copyLongs(MemorySegment data, long start, int length, int to) {
    if (longs.length < to + length) {
      longs = new long[to + length];
    }
    MemorySegment.copy(data, LittleEndian.INT64, start << 3, longs, to, length);
  }
}
