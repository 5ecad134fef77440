package dev.quiver.formats.parquet.column;

import dev.quiver.formats.parquet.page.GrowingBytes;
import dev.quiver.formats.parquet.page.HeapBudget;
import dev.quiver.formats.parquet.page.PageBlock;
import dev.quiver.formats.parquet.page.PageBuffers;

/// Memory for the block of slots that is being decoded. The columns of a task share it, one after
/// the other.
public final class Workspace {

  /// The maximum bytes of variable-size values in a piece. A piece exceeds the size after which it
  /// ends by a row, or by the values of a block.
  private static final int PIECE_BYTE_SIZE_MAXIMUM = 256 << 20;

  /// The validity of the slots: zero bits after the last one, and room for 64 more.
  final long[] valid = new long[PageBlock.SLOTS_MAXIMUM / Long.SIZE + 1];

  /// The values of booleans that are not null.
  final long[] bits = new long[PageBlock.SLOTS_MAXIMUM / Long.SIZE + 1];

  /// The values of all booleans, null ones included.
  final long[] spread = new long[PageBlock.SLOTS_MAXIMUM / Long.SIZE + 1];

  final int[] indices = new int[PageBlock.SLOTS_MAXIMUM];
  final int[] lengths = new int[PageBlock.SLOTS_MAXIMUM];
  final int[] offsets = new int[PageBlock.SLOTS_MAXIMUM];
  final int[] definition = new int[PageBlock.SLOTS_MAXIMUM];
  final int[] repetition = new int[PageBlock.SLOTS_MAXIMUM];

  /// The variable-size values of a whole piece.
  final GrowingBytes bytes;

  final PageBuffers buffers;
  private final HeapBudget budget;
  private byte[] stored = {};
  private byte[] values = {};

  public Workspace(HeapBudget budget) {
    this.budget = budget;
    this.bytes = new GrowingBytes(PIECE_BYTE_SIZE_MAXIMUM, budget);
    this.buffers = new PageBuffers(budget);
  }

  /// Returns an array for values in the file's form, whose content lasts until the next call.
  byte[] stored(int byteSize) {
    if (stored.length < byteSize) {
      budget.take(byteSize - stored.length);
      stored = new byte[0];
      stored = new byte[byteSize];
    }
    return stored;
  }

  /// Returns an array for values in Arrow's form, whose content lasts until the next call.
  byte[] values(int byteSize) {
    if (values.length < byteSize) {
      budget.take(byteSize - values.length);
      // The former array need not live beside the new one.
      values = new byte[0];
      values = new byte[byteSize];
    }
    return values;
  }
}
