package dev.quiver.formats.parquet.page;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.formats.parquet.file.ParquetErrors;
import java.util.Arrays;

/// A decoder of the hybrid of run-length encoding and bit-packing: levels, dictionary indices and
/// booleans.
///
/// ```text
/// Data         → (RleRun | BitPackedRun)*
/// RleRun       → Count << 1:varint Number, in whole bytes
/// BitPackedRun → GroupCount << 1 | 1:varint Group*, eight numbers each
/// ```
final class HybridDecoder {

  private static final int GROUP_SIZE = 8;

  /// The largest width of numbers of which a word holds a whole group.
  private static final int WORD_BIT_WIDTH_MAXIMUM = 8;

  /// The largest width of numbers of which a word holds half a group. The second half may begin in
  /// the middle of a byte, but only if the width is odd.
  private static final int HALF_BIT_WIDTH_MAXIMUM = 16;

  private PageBytes content = new PageBytes();
  private int position;
  private int end;
  private int bitWidth;

  /// The number of values left in the current run.
  private int runLeft;

  private boolean isBitPacked;

  /// The number that an RLE run repeats.
  private int runValue;

  /// The next bit of a bit-packed run.
  private long nextBit;

  /// Moves to the start of the data.
  ///
  /// @param content bytes with [PageBytes#ROOM] bytes after `end`
  /// @param bitWidth the width of the numbers, at most 32; numbers of width 0 need no data
  void reset(PageBytes content, int start, int end, int bitWidth) {
    this.content = content;
    this.position = start;
    this.end = end;
    this.bitWidth = bitWidth;
    this.runLeft = 0;
  }

  /// Moves to the next run unless numbers of the current one are left. A run may be empty.
  private void requireRun() {
    while (runLeft == 0) {
      long header = header();
      isBitPacked = (header & 1) != 0;
      if (isBitPacked) {
        beginBitPackedRun(header >>> 1);
      } else {
        beginRleRun(header >>> 1);
      }
    }
  }

  private long header() {
    long header = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      if (position >= end) {
        throw ParquetErrors.damaged("as many levels and indices as values");
      }
      byte next = content.array[position++];
      header |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return header;
      }
    }
    throw ParquetErrors.damaged("runs of less than 2^31 values");
  }

  /// Begins a bit-packed run. Some writers truncate the last group.
  private void beginBitPackedRun(long groupCount) {
    long byteSize = Math.min(groupCount * bitWidth, end - position);
    nextBit = (long) position << 3;
    runLeft = (int) Math.min(groupCount * GROUP_SIZE, (byteSize << 3) / bitWidth);
    position += (int) byteSize;
  }

  private void beginRleRun(long count) {
    int byteSize = bitWidth + 7 >>> 3;
    if (byteSize > end - position || count > Integer.MAX_VALUE) {
      throw ParquetErrors.damaged("whole runs");
    }
    long value = LittleEndian.getInt32(content.array, position) & (1L << (byteSize << 3)) - 1;
    if (bitWidth < Integer.SIZE && value >>> bitWidth != 0) {
      throw ParquetErrors.damaged("runs of numbers with %d bits".formatted(bitWidth));
    }
    runValue = (int) value;
    runLeft = (int) count;
    position += byteSize;
  }

  /// Reads numbers into the start of an array.
  void read(int[] target, int count) {
    if (bitWidth == 0) {
      Arrays.fill(target, 0, count, 0);
      return;
    }
    int at = 0;
    while (at < count) {
      requireRun();
      int part = Math.min(count - at, runLeft);
      if (isBitPacked) {
        unpack(target, at, part);
      } else {
        Arrays.fill(target, at, at + part, runValue);
      }
      runLeft -= part;
      at += part;
    }
  }

  private void unpack(int[] target, int at, int count) {
    byte[] bytes = content.array;
    int done = 0;
    if ((nextBit & 7) == 0) {
      int start = (int) (nextBit >>> 3);
      int groups = count / GROUP_SIZE;
      if (bitWidth <= WORD_BIT_WIDTH_MAXIMUM) {
        unpackWords(bytes, start, bitWidth, target, at, groups);
        done = groups * GROUP_SIZE;
      } else if (bitWidth <= HALF_BIT_WIDTH_MAXIMUM) {
        unpackHalves(bytes, start, bitWidth, target, at, groups);
        done = groups * GROUP_SIZE;
      }
    }
    long bit = nextBit + (long) done * bitWidth;
    unpackSingle(bytes, bit, bitWidth, target, at + done, at + count);
    nextBit += (long) count * bitWidth;
  }

  private static void unpackWords(
      byte[] bytes, int start, int bitWidth, int[] target, int at, int groups) {
    int mask = (1 << bitWidth) - 1;
    int from = start;
    int to = at;
    for (int i = 0; i < groups; i++) {
      long word = LittleEndian.getInt64(bytes, from);
      target[to] = (int) word & mask;
      target[to + 1] = (int) (word >>> bitWidth) & mask;
      target[to + 2] = (int) (word >>> 2 * bitWidth) & mask;
      target[to + 3] = (int) (word >>> 3 * bitWidth) & mask;
      target[to + 4] = (int) (word >>> 4 * bitWidth) & mask;
      target[to + 5] = (int) (word >>> 5 * bitWidth) & mask;
      target[to + 6] = (int) (word >>> 6 * bitWidth) & mask;
      target[to + 7] = (int) (word >>> 7 * bitWidth) & mask;
      from += bitWidth;
      to += GROUP_SIZE;
    }
  }

  private static void unpackHalves(
      byte[] bytes, int start, int bitWidth, int[] target, int at, int groups) {
    int mask = (1 << bitWidth) - 1;
    int halfByteOffset = bitWidth >>> 1;
    int halfShift = 4 * bitWidth & 7;
    int from = start;
    int to = at;
    for (int i = 0; i < groups; i++) {
      long first = LittleEndian.getInt64(bytes, from);
      long second = LittleEndian.getInt64(bytes, from + halfByteOffset) >>> halfShift;
      target[to] = (int) first & mask;
      target[to + 1] = (int) (first >>> bitWidth) & mask;
      target[to + 2] = (int) (first >>> 2 * bitWidth) & mask;
      target[to + 3] = (int) (first >>> 3 * bitWidth) & mask;
      target[to + 4] = (int) second & mask;
      target[to + 5] = (int) (second >>> bitWidth) & mask;
      target[to + 6] = (int) (second >>> 2 * bitWidth) & mask;
      target[to + 7] = (int) (second >>> 3 * bitWidth) & mask;
      from += bitWidth;
      to += GROUP_SIZE;
    }
  }

  private static void unpackSingle(
      byte[] bytes, long firstBit, int bitWidth, int[] target, int at, int end) {
    int mask = bitWidth == Integer.SIZE ? -1 : (1 << bitWidth) - 1;
    long bit = firstBit;
    for (int i = at; i < end; i++) {
      target[i] = (int) (LittleEndian.getInt64(bytes, (int) (bit >>> 3)) >>> (bit & 7)) & mask;
      bit += bitWidth;
    }
  }

  /// Reads numbers of width 1 as bits.
  ///
  /// @param words zero at those bits
  void readBits(long[] words, int count) {
    int at = 0;
    while (at < count) {
      requireRun();
      int part = Math.min(count - at, runLeft);
      if (isBitPacked) {
        copyBits(content.array, nextBit, words, at, part);
        nextBit += part;
      } else if (runValue != 0) {
        Bits.set(words, at, part);
      }
      runLeft -= part;
      at += part;
    }
  }

  private static void copyBits(byte[] bytes, long firstBit, long[] words, int at, int count) {
    for (int done = 0; done < count; ) {
      int part = Math.min(Bits.UNALIGNED_MAXIMUM, count - done);
      Bits.put(words, at + done, Bits.get(bytes, firstBit + done, part), part);
      done += part;
    }
  }
}
