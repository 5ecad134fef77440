package dev.quiver.formats.parquet;

import dev.quiver.formats.parquet.file.LeafType;
import dev.quiver.formats.parquet.file.ParquetLeaf;
import dev.quiver.formats.parquet.file.RowGroup;
import java.util.List;

/// The size of pieces, and so of batches as far as the columns allow. Shared by threads.
///
/// Pieces end at multiples of a power of two, so that the pieces of all columns cover the same rows
/// again after one had to end earlier.
final class PieceSize {

  static final int ROW_COUNT_MAXIMUM = 1 << 16;

  private static final long BATCH_BYTE_SIZE = 8 << 20;

  /// The variable-size values of all columns together. It is more than a batch, since a few columns
  /// often have most of it.
  private static final long VARIABLE_BYTE_SIZE = 4 * BATCH_BYTE_SIZE;

  private static final long COLUMN_BYTE_SIZE_MAXIMUM = 4 << 20;
  private static final long COLUMN_BYTE_SIZE_MINIMUM = 16 << 10;

  /// The rows of a piece that justify moving a page to the heap and off it.
  private static final int PARKING_ROW_COUNT_MINIMUM = 1 << 12;

  /// The size of a batch that is not exceeded to have these rows.
  private static final long PARKING_BATCH_BYTE_SIZE = 128 << 20;

  private final long rowByteSize;
  private final long columnByteSize;
  private int rowMaximum;
  private int rows;
  private boolean limited;

  /// @param rowByteSize the probable size of a row
  /// @param leafCount the leaf columns
  PieceSize(long rowByteSize, int leafCount) {
    this.rowByteSize = Math.max(1, rowByteSize);
    this.rowMaximum = rowsOf(BATCH_BYTE_SIZE, ROW_COUNT_MAXIMUM);
    this.columnByteSize =
        Math.clamp(
            VARIABLE_BYTE_SIZE / Math.max(1, leafCount),
            COLUMN_BYTE_SIZE_MINIMUM,
            COLUMN_BYTE_SIZE_MAXIMUM);
    this.rows = rowMaximum;
  }

  private int rowsOf(long byteSize, int maximum) {
    return Math.clamp(Long.highestOneBit(byteSize / rowByteSize), 1, maximum);
  }

  /// Returns a size for all columns of a file.
  static PieceSize of(ParquetContents contents) {
    double rowByteSize = 0;
    for (ParquetLeaf column : contents.leaves()) {
      rowByteSize += valuesByteSize(contents, column);
    }
    return new PieceSize((long) rowByteSize, contents.leaves().size());
  }

  /// Returns the probable size of a column's values in a row.
  private static double valuesByteSize(ParquetContents contents, ParquetLeaf column) {
    LeafType type = column.leafType();
    if (type.storage() != LeafType.Storage.VARIABLE_SIZE && column.levels().repetition() == 0) {
      return Math.max(1, type.byteWidth());
    }
    double byteSize = 0;
    double valueCount = 0;
    List<RowGroup> groups = contents.rowGroups();
    for (RowGroup group : groups) {
      byteSize += group.columns().get(column.index()).uncompressedByteSize();
      valueCount += group.columns().get(column.index()).valueCount();
    }
    double arrowByteSize = valueCount * Math.max(Long.BYTES, type.byteWidth());
    return Math.max(byteSize, arrowByteSize) / Math.max(1, contents.rowCount());
  }

  /// Returns the maximum number of rows of the piece that begins with the given row of the file.
  synchronized int rowMaximum(long row) {
    return rows - (int) (row & rows - 1);
  }

  /// Returns the bytes of variable-size values after which a piece ends.
  long byteMaximum() {
    return columnByteSize;
  }

  /// Makes later pieces as small as one that ended early.
  synchronized void limitTo(int rowCount) {
    rows = Math.min(rows, Integer.highestOneBit(rowCount));
    limited = true;
  }

  /// Lets later pieces have more rows, since pages move to the heap for each of them.
  synchronized void requireParking() {
    rowMaximum = Math.max(rowMaximum, rowsOf(PARKING_BATCH_BYTE_SIZE, PARKING_ROW_COUNT_MINIMUM));
  }

  /// Lets later pieces be larger, unless one ended early since the last call.
  synchronized void grow() {
    if (!limited) {
      rows = Math.min(rowMaximum, 2 * rows);
    }
    limited = false;
  }
}
