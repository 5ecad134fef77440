package dev.quiver.arrow.text;

import java.util.Arrays;
import java.util.Objects;

/// The length of a rendered text, by blocks of consecutive rows, so that a range of it is rendered
/// from the start of a block.
///
/// A block has about [#BLOCK_BYTE_SIZE], or a single longer row. The first block also has the text
/// before the rows, and the last one the text after them. Immutable, and shared by threads.
public final class TextBlocks {

  /// The approximate size of a block.
  public static final long BLOCK_BYTE_SIZE = 1 << 20;

  /// The size of an object of this class and of the two arrays, without their elements.
  private static final long EMPTY_BYTE_SIZE = 64;

  private final long[] rowEnds;
  private final long[] byteEnds;

  private TextBlocks(long[] rowEnds, long[] byteEnds) {
    this.rowEnds = rowEnds;
    this.byteEnds = byteEnds;
  }

  /// Returns the number of blocks, at least one.
  public int count() {
    return rowEnds.length;
  }

  /// Returns the size of the text.
  public long byteSize() {
    return byteEnds[byteEnds.length - 1];
  }

  /// Returns the number of rows of the text.
  public long rows() {
    return rowEnds[rowEnds.length - 1];
  }

  /// Returns the size of the text before a block.
  ///
  /// @param index the index of the block, or the number of blocks
  public long bytesBefore(int index) {
    return index == 0 ? 0 : byteEnds[index - 1];
  }

  /// Returns the number of rows before a block.
  ///
  /// @param index the index of the block, or the number of blocks
  public long rowsBefore(int index) {
    return index == 0 ? 0 : rowEnds[index - 1];
  }

  /// Returns the index of the block with a byte.
  public int blockOf(long byteOffset) {
    Objects.checkIndex(byteOffset, byteSize());
    int found = Arrays.binarySearch(byteEnds, byteOffset);
    // The end of a block is the start of the next one. Equal ends would mean empty blocks.
    return found < 0 ? -found - 1 : found + 1;
  }

  /// Returns the size of this object in memory.
  public long memoryByteSize() {
    return EMPTY_BYTE_SIZE + (long) (rowEnds.length + byteEnds.length) * Long.BYTES;
  }

  /// Collects the blocks of a text, or of part of one, in order. Used by one thread.
  public static final class Builder {

    private long[] rowEnds = new long[4];
    private long[] byteEnds = new long[4];
    private int count;

    /// Adds rows and their text: to the last block if it has room, and otherwise as a block of
    /// their own. Text without rows goes to the last block, and rows to a last block without any.
    void add(long rows, long bytes) {
      long rowEnd = rows() + rows;
      long byteEnd = byteSize() + bytes;
      if (count == 0 || !joins(rows, byteEnd)) {
        if (count == rowEnds.length) {
          rowEnds = Arrays.copyOf(rowEnds, 2 * count);
          byteEnds = Arrays.copyOf(byteEnds, 2 * count);
        }
        count++;
      }
      rowEnds[count - 1] = rowEnd;
      byteEnds[count - 1] = byteEnd;
    }

    /// Adds the blocks of the next part.
    public void addAll(TextBlocks next) {
      for (int i = 0; i < next.count(); i++) {
        add(
            next.rowsBefore(i + 1) - next.rowsBefore(i),
            next.bytesBefore(i + 1) - next.bytesBefore(i));
      }
    }

    /// Returns the number of rows so far.
    public long rows() {
      return count == 0 ? 0 : rowEnds[count - 1];
    }

    /// Returns the size of the text so far.
    public long byteSize() {
      return count == 0 ? 0 : byteEnds[count - 1];
    }

    public TextBlocks build() {
      if (count == 0) {
        add(0, 0);
      }
      return new TextBlocks(Arrays.copyOf(rowEnds, count), Arrays.copyOf(byteEnds, count));
    }

    private boolean joins(long rows, long byteEnd) {
      long rowStart = count == 1 ? 0 : rowEnds[count - 2];
      long byteStart = count == 1 ? 0 : byteEnds[count - 2];
      return rows == 0 || rowEnds[count - 1] == rowStart || byteEnd - byteStart <= BLOCK_BYTE_SIZE;
    }
  }
}
