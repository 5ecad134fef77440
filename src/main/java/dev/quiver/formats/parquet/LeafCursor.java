package dev.quiver.formats.parquet;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Concatenation;
import dev.quiver.arrow.array.Slices;
import dev.quiver.formats.parquet.column.LeafReader;
import dev.quiver.formats.parquet.column.Piece;
import dev.quiver.formats.parquet.column.SlotLevels;
import dev.quiver.formats.parquet.file.ParquetLeaf;
import java.lang.foreign.SegmentAllocator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The decoded rows of a leaf column that have not been taken: the rest of the current piece, and
/// the piece ahead.
final class LeafCursor {

  private final LeafReader reader;
  private final ParquetLeaf column;

  private @Nullable Piece current;
  private @Nullable PieceMemory memory;

  /// The rows, slots and values of the current piece that have been taken.
  private int rowsTaken;

  private int slotsTaken;
  private int valuesTaken;

  private @Nullable Piece ahead;
  private @Nullable PieceMemory aheadMemory;

  /// The rows of all pieces so far.
  private long decodedRowCount;

  private boolean ended;

  LeafCursor(LeafReader reader, ParquetLeaf column) {
    this.reader = reader;
    this.column = column;
  }

  LeafReader reader() {
    return reader;
  }

  /// Returns whether the piece ahead is missing, and rows are left in the file.
  boolean wantsPiece() {
    return ahead == null && !ended;
  }

  long decodedRowCount() {
    return decodedRowCount;
  }

  /// Sets the piece ahead, or the end of the column if it is null.
  ///
  /// @param pieceMemory the memory of the piece
  void add(@Nullable Piece piece, PieceMemory pieceMemory) {
    if (piece == null) {
      ended = true;
      return;
    }
    ahead = piece;
    aheadMemory = pieceMemory;
    pieceMemory.add();
    decodedRowCount += piece.rowCount();
  }

  /// Returns whether the current piece is absent.
  boolean isEmpty() {
    return current == null;
  }

  /// Makes the piece ahead the current one, if present.
  void advance() {
    current = ahead;
    memory = aheadMemory;
    ahead = null;
    aheadMemory = null;
    rowsTaken = 0;
    slotsTaken = 0;
    valuesTaken = 0;
  }

  /// Returns the number of rows left in the current piece, or 0 at the end of the column.
  int rowCount() {
    return current == null ? 0 : current.rowCount() - rowsTaken;
  }

  /// Releases the current piece if all of its rows have been taken.
  ///
  /// @return its memory if it was the last piece there, otherwise null
  @Nullable PieceMemory release() {
    Piece piece = current;
    PieceMemory used = memory;
    if (piece == null || used == null || rowsTaken < piece.rowCount()) {
      return null;
    }
    piece.levels().release();
    current = null;
    memory = null;
    return used.remove() ? used : null;
  }

  /// Takes rows of the current piece.
  ///
  /// @param rowCount at most [#rowCount]
  /// @param allocator for copies
  LeafPart take(int rowCount, SegmentAllocator allocator) {
    Piece piece = Objects.requireNonNull(current);
    SlotLevels levels = piece.levels();
    if (rowsTaken == 0 && rowCount == piece.rowCount()) {
      rowsTaken = rowCount;
      return new LeafPart(piece.values(), levels, 0, levels.count());
    }
    int slotStart = slotsTaken;
    int valueStart = valuesTaken;
    if (column.levels().repetition() > 0) {
      skipRows(levels, rowCount);
    } else {
      slotsTaken += levels.count() > 0 ? rowCount : 0;
      valuesTaken += rowCount;
    }
    rowsTaken += rowCount;
    ArrayData values =
        Slices.slice(piece.values(), valueStart, valuesTaken - valueStart, allocator);
    return new LeafPart(Concatenation.compact(values, allocator), levels, slotStart, slotsTaken);
  }

  private void skipRows(SlotLevels levels, int rowCount) {
    int rows = 0;
    int element = column.levels().elementDefinition();
    while (slotsTaken < levels.count()) {
      if (levels.repetition(slotsTaken) == 0 && rows++ == rowCount) {
        return;
      }
      valuesTaken += levels.definition(slotsTaken) >= element ? 1 : 0;
      slotsTaken++;
    }
  }
}
