package dev.quiver.formats.parquet;

import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.formats.parquet.column.CancellationCheck;
import dev.quiver.formats.parquet.column.LeafReader;
import dev.quiver.formats.parquet.column.Piece;
import dev.quiver.formats.parquet.column.Workspace;
import dev.quiver.formats.parquet.file.ColumnChunk;
import dev.quiver.formats.parquet.file.LeafConversion;
import dev.quiver.formats.parquet.file.ParquetLeaf;
import dev.quiver.formats.parquet.file.PhysicalType;
import dev.quiver.formats.parquet.file.RowGroup;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.function.LongConsumer;

/// A search for the INT96 columns with timestamps beyond the range of nanoseconds. Only reading all
/// of their values finds them.
final class CoarseTimestamps {

  private static final int READ_BYTE_SIZE = 64 << 10;

  private final ParquetContents contents;
  private final FileChannel file;
  private final Path scratchFolder;

  private CoarseTimestamps(ParquetContents contents, FileChannel file, Path scratchFolder) {
    this.contents = contents;
    this.file = file;
    this.scratchFolder = scratchFolder;
  }

  /// Returns the indices of the leaves with such timestamps.
  ///
  /// @param contents whose INT96 timestamps are nanoseconds
  /// @param rowBytes receives the bytes of these leaves before they are read
  static BitSet find(
      ParquetContents contents, FileChannel file, LongConsumer rowBytes, Path scratchFolder)
      throws IOException {
    rowBytes.accept(Long.BYTES * timestampCount(contents));
    CoarseTimestamps search = new CoarseTimestamps(contents, file, scratchFolder);
    return CancellationCheck.rethrow(search::leaves);
  }

  private static long timestampCount(ParquetContents contents) {
    long count = 0;
    for (RowGroup group : contents.rowGroups()) {
      for (ColumnChunk chunk : group.columns()) {
        if (chunk.type() == PhysicalType.INT96) {
          count += Math.min(chunk.valueCount(), Integer.MAX_VALUE);
        }
      }
    }
    return count;
  }

  private BitSet leaves() throws IOException {
    BitSet found = new BitSet();
    for (ParquetLeaf column : contents.leaves()) {
      if (column.type() == PhysicalType.INT96 && exceedsNanoseconds(column)) {
        found.set(column.index());
      }
    }
    return found;
  }

  private boolean exceedsNanoseconds(ParquetLeaf column) throws IOException {
    LeafReader.Source source = contents.source(file, READ_BYTE_SIZE);
    LeafReader reader = LeafReader.of(source, column, new Workspace(source.budget()));
    try (BoundedMemory memory =
        new BoundedMemory(new ScratchMemory(scratchFolder), new ArrayBudget())) {
      Piece piece = reader.next(PieceSize.ROW_COUNT_MAXIMUM, Long.MAX_VALUE, memory);
      while (piece != null) {
        piece.levels().release();
        memory.reset();
        piece = reader.next(PieceSize.ROW_COUNT_MAXIMUM, Long.MAX_VALUE, memory);
      }
      return false;
    } catch (LeafConversion.BeyondNanosecondsException e) {
      return true;
    }
  }
}
