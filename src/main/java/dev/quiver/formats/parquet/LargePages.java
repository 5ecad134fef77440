package dev.quiver.formats.parquet;

import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.parquet.column.CancellationCheck;
import dev.quiver.formats.parquet.file.ColumnChunk;
import dev.quiver.formats.parquet.file.RowGroup;
import dev.quiver.formats.parquet.page.ColumnPages;
import dev.quiver.formats.parquet.page.HeapBudget;
import dev.quiver.formats.parquet.page.PageBuffers;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.List;

/// A search for pages that would take most of the heap of a file. Only the headers of the pages of
/// large column chunks are read, up to the first such page.
final class LargePages {

  /// The bytes of the file that are read for a header.
  private static final int READ_BYTE_SIZE = 1 << 10;

  private final FileChannel file;
  private final Limit heap;
  private final CancellationCheck cancellationCheck;

  private LargePages(FileChannel file, Limit heap, CancellationCheck cancellationCheck) {
    this.file = file;
    this.heap = heap;
    this.cancellationCheck = cancellationCheck;
  }

  /// Returns whether a page takes more than half of the heap, after which the pages of other
  /// columns must leave it.
  static boolean exist(
      FileChannel file, List<RowGroup> groups, Limit heap, CancellationCheck cancellationCheck)
      throws IOException {
    LargePages search = new LargePages(file, heap, cancellationCheck);
    return CancellationCheck.rethrow(() -> search.isInAny(groups));
  }

  private boolean isInAny(List<RowGroup> groups) throws IOException {
    long half = heap.maximum() / 2;
    for (RowGroup group : groups) {
      for (ColumnChunk chunk : group.columns()) {
        if (mostByteSize(chunk) > half && isIn(chunk, half)) {
          return true;
        }
      }
    }
    return false;
  }

  /// Returns the most bytes that a page of a chunk takes.
  private static long mostByteSize(ColumnChunk chunk) {
    // The numbers of a damaged file must not overflow the sum.
    return Math.min(chunk.byteSize(), Integer.MAX_VALUE)
        + 2 * Math.min(chunk.uncompressedByteSize(), Integer.MAX_VALUE);
  }

  private boolean isIn(ColumnChunk chunk, long byteSize) throws IOException {
    HeapBudget budget = new HeapBudget(heap);
    ColumnPages pages =
        new ColumnPages(file, READ_BYTE_SIZE, budget, new PageBuffers(budget), 0, 0);
    try {
      pages.begin(chunk);
      while (pages.skip()) {
        cancellationCheck.run();
        if (pages.heapByteSize() > byteSize) {
          return true;
        }
      }
      return false;
    } catch (ForeignDataException | InputException e) {
      // The reader of the rows says what is wrong, if it is.
      return false;
    }
  }
}
