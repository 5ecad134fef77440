package dev.quiver.formats.parquet.column;

import dev.quiver.formats.parquet.file.ParquetLeaf;
import dev.quiver.formats.parquet.page.Bits;
import java.io.IOException;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;

/// A reader of a column without lists around it: a slot is a row.
final class FlatReader extends LeafReader {

  FlatReader(Source source, ParquetLeaf column, Workspace workspace) {
    super(source, column, workspace);
  }

  @Override
  Piece piece(int rowMaximum, long byteMaximum, SegmentAllocator allocator) throws IOException {
    SlotLevels levels = new SlotLevels(budget);
    values.beginArray(allocator, rowMaximum);
    int rows = 0;
    while (rows < rowMaximum && values.byteSize() < byteMaximum && hasSlots()) {
      int wanted = Math.min(rowMaximum - rows, pageLeft());
      int count = Math.min(wanted, values.countMaximum(byteMaximum - values.byteSize()));
      takeRows(count);
      takeSlots(count);
      values.append(count, readValidity(count, levels));
      rows += count;
    }
    return new Piece(rows, values.byteSize() >= byteMaximum, values.endArray(), levels);
  }

  /// Reads the validity of slots into the workspace, and their levels if the column is nested.
  ///
  /// @return the number of slots that are not null
  private int readValidity(int count, SlotLevels levels) {
    long[] valid = workspace.valid;
    Arrays.fill(valid, 0);
    int maximum = column.levels().definition();
    if (maximum == 0) {
      Bits.set(valid, 0, count);
      return count;
    }
    if (!column.isNested()) {
      pages.definitionLevels().readBits(valid, count);
      return Bits.count(valid, count);
    }
    int[] definition = workspace.definition;
    pages.definitionLevels().read(definition, count);
    levels.reserve(count);
    for (int i = 0; i < count; i++) {
      levels.append(definition[i], 0);
      valid[i >>> 6] |= (definition[i] == maximum ? 1L : 0L) << i;
    }
    return Bits.count(valid, count);
  }
}
