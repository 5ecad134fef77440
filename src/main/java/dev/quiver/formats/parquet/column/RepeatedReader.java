package dev.quiver.formats.parquet.column;

import dev.quiver.formats.parquet.file.ParquetErrors;
import dev.quiver.formats.parquet.file.ParquetLeaf;
import dev.quiver.formats.parquet.page.PageBlock;
import java.io.IOException;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;

/// A reader of a column within lists: a row begins at each slot with repetition level 0. Rows may
/// continue on the next page.
final class RepeatedReader extends LeafReader {

  /// The number of slots after which a piece ends with its row.
  private static final int SLOTS_MAXIMUM = 1 << 18;

  /// The bytes of values that are appended at a time, even if the piece ends with its row.
  private static final long PART_BYTE_SIZE_MINIMUM = 64 << 10;

  /// The levels of the workspace that have not been used, from `position` to `end`.
  private int position;

  private int end;

  /// The unused levels between two pieces, while other columns use the workspace.
  private final SlotLevels unused;

  private boolean atChunkStart;

  RepeatedReader(Source source, ParquetLeaf column, Workspace workspace) {
    super(source, column, workspace);
    this.unused = new SlotLevels(budget);
  }

  @Override
  void beganChunk() {
    atChunkStart = true;
  }

  @Override
  boolean hasRows() throws IOException {
    restoreLevels();
    return hasLevels();
  }

  @Override
  Piece piece(int rowMaximum, long byteMaximum, SegmentAllocator allocator) throws IOException {
    SlotLevels levels = new SlotLevels(budget);
    values.beginArray(allocator, rowMaximum);
    int rows = 0;
    boolean isFull = false;
    while (hasLevels()) {
      isFull = values.byteSize() >= byteMaximum || levels.count() >= SLOTS_MAXIMUM;
      int rowsLeft = rows > 0 && isFull ? 0 : rowMaximum - rows;
      int countMaximum =
          values.countMaximum(Math.max(PART_BYTE_SIZE_MINIMUM, byteMaximum - values.byteSize()));
      int partEnd = partEnd(rowsLeft, Math.min(end, position + countMaximum));
      if (partEnd == position) {
        break;
      }
      rows += append(partEnd, levels);
    }
    saveLevels();
    return new Piece(rows, isFull && rows < rowMaximum, values.endArray(), levels);
  }

  /// Decodes the next levels, unless some are left.
  ///
  /// @return false at the end of the last row group
  private boolean hasLevels() throws IOException {
    if (position < end) {
      return true;
    }
    if (!hasSlots()) {
      return false;
    }
    int count = Math.min(PageBlock.SLOTS_MAXIMUM, pageLeft());
    takeSlots(count);
    pages.repetitionLevels().read(workspace.repetition, count);
    pages.definitionLevels().read(workspace.definition, count);
    position = 0;
    end = count;
    if (atChunkStart && workspace.repetition[0] != 0) {
      throw ParquetErrors.damaged("row groups that begin with a row");
    }
    atChunkStart = false;
    return true;
  }

  private void saveLevels() {
    unused.clear();
    unused.reserve(end - position);
    for (int i = position; i < end; i++) {
      unused.append(workspace.definition[i], workspace.repetition[i]);
    }
  }

  private void restoreLevels() {
    position = 0;
    end = unused.count();
    for (int i = 0; i < end; i++) {
      workspace.definition[i] = unused.definition(i);
      workspace.repetition[i] = unused.repetition(i);
    }
  }

  /// Returns the end of the slots that belong to the current row and the next ones.
  ///
  /// @param rowMaximum the number of rows that may begin
  /// @param partMaximum the end of the slots to consider
  private int partEnd(int rowMaximum, int partMaximum) {
    int[] repetition = workspace.repetition;
    int rows = 0;
    for (int i = position; i < partMaximum; i++) {
      if (repetition[i] == 0 && rows++ == rowMaximum) {
        return i;
      }
    }
    return partMaximum;
  }

  /// Appends slots with their values.
  ///
  /// @return the number of rows that begin
  private int append(int partEnd, SlotLevels levels) {
    int[] definition = workspace.definition;
    int[] repetition = workspace.repetition;
    long[] valid = workspace.valid;
    Arrays.fill(valid, 0);
    int element = column.levels().elementDefinition();
    int maximum = column.levels().definition();
    int rows = 0;
    int elementCount = 0;
    int validCount = 0;
    levels.reserve(partEnd - position);
    for (int i = position; i < partEnd; i++) {
      int level = definition[i];
      levels.append(level, repetition[i]);
      rows += repetition[i] == 0 ? 1 : 0;
      if (level >= element) {
        long bit = level == maximum ? 1 : 0;
        valid[elementCount >>> 6] |= bit << elementCount;
        validCount += (int) bit;
        elementCount++;
      }
    }
    takeRows(rows);
    position = partEnd;
    values.append(elementCount, validCount);
    return rows;
  }
}
