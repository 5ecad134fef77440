package dev.quiver.formats.parquet.page;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.parquet.file.ParquetErrors;

/// A decoder of integers that are stored as bit-packed deltas: DELTA_BINARY_PACKED.
///
/// ```text
/// Data  → BlockSize:varint MiniblockCount:varint ValueCount:varint First:zigzag Block*
/// Block → MinimumDelta:zigzag BitWidth:1* Miniblock*
/// ```
///
/// A block has the bit widths of all its miniblocks, but the last block has only the miniblocks
/// that contain values. Each miniblock has its full size. Sums wrap around.
final class DeltaDecoder {

  /// The number of values that other decoders read at a time. It is small, since each of the many
  /// columns that a file may have holds an array of that size.
  static final int PART_SIZE = 128;

  private static final int WORD_BIT_WIDTH_MAXIMUM = Long.SIZE - 8;

  private final PageBytes content;
  private final int end;
  private final int miniblockCount;
  private final int miniblockSize;

  /// The number of values that have not been read.
  private long left;

  private long value;
  private boolean isFirst = true;
  private long minimumDelta;
  private int position;

  /// The offset of the bit widths of the current block.
  private int bitWidths;

  /// The index of the next miniblock in the current block.
  private int miniblock;

  private int bitWidth;
  private int miniblockLeft;
  private long nextBit;

  /// @param content bytes with [PageBytes#ROOM] bytes after `end`
  DeltaDecoder(PageBytes content, int start, int end) {
    this.content = content;
    this.end = end;
    this.position = start;
    long blockSize = varint();
    long count = varint();
    this.left = varint();
    this.value = zigzag();
    if (blockSize <= 0
        || blockSize > Integer.MAX_VALUE
        || count <= 0
        || count > blockSize
        || blockSize % count != 0
        || blockSize / count % 8 != 0
        || left < 0
        || left > Integer.MAX_VALUE) {
      throw damaged();
    }
    this.miniblockCount = (int) count;
    this.miniblockSize = (int) (blockSize / count);
    this.miniblock = miniblockCount;
  }

  /// Returns the number of values that have not been read.
  long left() {
    return left;
  }

  private static ForeignDataException damaged() {
    return ParquetErrors.damaged("valid blocks of deltas");
  }

  /// Returns the offset after all values. None of them may have been read.
  int end() {
    DeltaDecoder other = new DeltaDecoder(this);
    long rest = left - 1;
    while (rest > 0) {
      other.beginMiniblock();
      rest -= miniblockSize;
    }
    return other.position;
  }

  private DeltaDecoder(DeltaDecoder other) {
    this.content = other.content;
    this.end = other.end;
    this.miniblockCount = other.miniblockCount;
    this.miniblockSize = other.miniblockSize;
    this.position = other.position;
    this.miniblock = other.miniblock;
    this.left = other.left;
  }

  /// Reads values into the start of an array.
  void read(long[] target, int count) {
    if (count > left) {
      throw ParquetErrors.damaged("as many values as it states");
    }
    left -= count;
    int at = 0;
    if (isFirst && count > 0) {
      target[at++] = value;
      isFirst = false;
    }
    while (at < count) {
      if (miniblockLeft == 0) {
        beginMiniblock();
      }
      int part = Math.min(count - at, miniblockLeft);
      unpack(target, at, at + part);
      miniblockLeft -= part;
      at += part;
    }
  }

  /// Moves to the next miniblock, which has at least one byte, its bit width.
  private void beginMiniblock() {
    if (miniblock == miniblockCount) {
      minimumDelta = zigzag();
      bitWidths = position;
      if (miniblockCount > end - position) {
        throw damaged();
      }
      position += miniblockCount;
      miniblock = 0;
    }
    bitWidth = content.array[bitWidths + miniblock++] & 0xFF;
    long byteSize = (long) miniblockSize * bitWidth >>> 3;
    if (bitWidth > Long.SIZE || byteSize > end - position) {
      throw damaged();
    }
    nextBit = (long) position << 3;
    position += (int) byteSize;
    miniblockLeft = miniblockSize;
  }

  private void unpack(long[] target, int at, int to) {
    if (bitWidth <= WORD_BIT_WIDTH_MAXIMUM) {
      unpackWords(target, at, to);
    } else {
      unpackWide(target, at, to);
    }
    nextBit += (long) (to - at) * bitWidth;
  }

  private void unpackWords(long[] target, int at, int to) {
    byte[] bytes = content.array;
    long mask = (1L << bitWidth) - 1;
    long next = nextBit;
    long sum = value;
    for (int i = at; i < to; i++) {
      long delta = LittleEndian.getInt64(bytes, (int) (next >>> 3)) >>> (next & 7) & mask;
      sum += delta + minimumDelta;
      target[i] = sum;
      next += bitWidth;
    }
    value = sum;
  }

  private void unpackWide(long[] target, int at, int to) {
    byte[] bytes = content.array;
    long mask = -1L >>> Long.SIZE - bitWidth;
    long next = nextBit;
    for (int i = at; i < to; i++) {
      int index = (int) (next >>> 3);
      int shift = (int) (next & 7);
      long delta = LittleEndian.getInt64(bytes, index) >>> shift;
      if (shift > 0) {
        delta |= (long) bytes[index + Long.BYTES] << Long.SIZE - shift;
      }
      value += (delta & mask) + minimumDelta;
      target[i] = value;
      next += bitWidth;
    }
  }

  private long zigzag() {
    long number = varint();
    return number >>> 1 ^ -(number & 1);
  }

  private long varint() {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE && position < end; shift += 7) {
      byte next = content.array[position++];
      number |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw damaged();
  }
}
