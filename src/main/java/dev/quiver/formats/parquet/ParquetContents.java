package dev.quiver.formats.parquet;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.parquet.column.CancellationCheck;
import dev.quiver.formats.parquet.column.LeafReader;
import dev.quiver.formats.parquet.file.ColumnChunk;
import dev.quiver.formats.parquet.file.ColumnTree;
import dev.quiver.formats.parquet.file.FileMetadata;
import dev.quiver.formats.parquet.file.Node;
import dev.quiver.formats.parquet.file.ParquetFooter;
import dev.quiver.formats.parquet.file.ParquetLeaf;
import dev.quiver.formats.parquet.file.RowGroup;
import dev.quiver.formats.parquet.page.HeapBudget;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// A Parquet file whose footer has been read. Shared by threads.
///
/// INT96 timestamps become nanoseconds, or microseconds in a column with a value beyond the range
/// of nanoseconds. Such columns are read twice.
public final class ParquetContents {

  private final Path path;
  private final FileMetadata metadata;
  private final Limit heap;
  private final CancellationCheck cancellationCheck;
  private final BitSet coarse;
  private final ColumnTree tree;
  private final Schema schema;

  /// @param coarse the indices of the leaves whose INT96 timestamps become microseconds
  private ParquetContents(
      Path path,
      FileMetadata metadata,
      Limit heap,
      CancellationCheck cancellationCheck,
      BitSet coarse) {
    this.path = path;
    this.metadata = metadata;
    this.heap = heap;
    this.cancellationCheck = cancellationCheck;
    this.coarse = coarse;
    this.tree = new ColumnTree(metadata.schema(), coarse::get);
    this.schema = Schema.of(tree.columns().stream().map(Node::field).toArray(Field[]::new));
  }

  /// Reads the footer, and all INT96 columns.
  ///
  /// @param footer bytes of the footer in the file
  /// @param heap bytes of the heap that the content of the footer, and pages and dictionaries take
  ///   at a time
  /// @param rowBytes receives the bytes of INT96 columns, before they are read
  /// @param scratchFolder the folder of temporary files, used when native memory is exhausted
  /// @param cancellationCheck called before each piece of a column and each page, here and by
  ///   [ParquetReader], from any thread, and from several at once. To end the reading, it throws an
  ///   exception, which the caller of this method or of [ParquetReader#next] gets unchanged.
  /// @throws ForeignDataException if the file is damaged or not supported
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if it exceeds a limit
  public static ParquetContents open(
      Path path,
      Limit footer,
      Limit heap,
      LongConsumer rowBytes,
      Path scratchFolder,
      Runnable cancellationCheck)
      throws IOException {
    CancellationCheck check = new CancellationCheck(cancellationCheck);
    try (FileChannel file = FileChannel.open(path)) {
      FileMetadata metadata = ParquetFooter.read(file, footer, heap);
      ParquetContents contents = new ParquetContents(path, metadata, heap, check, new BitSet());
      contents.requireColumns(file.size());
      contents.requireRowCount();
      BitSet coarse = CoarseTimestamps.find(contents, file, rowBytes, scratchFolder);
      return coarse.isEmpty() ? contents : new ParquetContents(path, metadata, heap, check, coarse);
    }
  }

  private void requireColumns(long fileByteSize) {
    long left = fileByteSize;
    for (RowGroup group : metadata.rowGroups()) {
      if (group.columns().size() != tree.leaves().size()) {
        throw ForeignDataException.of(
            "Expected a Parquet file with %,d columns in each row group but found %,d"
                .formatted(tree.leaves().size(), group.columns().size()));
      }
      for (ColumnChunk chunk : group.columns()) {
        // Chunks that share bytes would take any time to read.
        left = chunk.byteSize() > left ? -1 : left - chunk.byteSize();
        if (left < 0) {
          throw ForeignDataException.of(
              "Expected a Parquet file with column chunks of its size but found larger ones");
        }
      }
    }
  }

  private void requireRowCount() {
    long left = metadata.rowCount();
    for (RowGroup group : metadata.rowGroups()) {
      if (left < group.rowCount()) {
        left = -1;
        break;
      }
      left -= group.rowCount();
    }
    if (left != 0) {
      throw ForeignDataException.of(
          "Expected a Parquet file with %,d rows but found %s in its row groups"
              .formatted(metadata.rowCount(), left < 0 ? "more" : "fewer"));
    }
  }

  /// Returns the schema of the batches. Names are as in the file; they may repeat or be empty.
  public Schema schema() {
    return schema;
  }

  /// Returns the paths of the leaves whose INT96 timestamps become microseconds, such as
  /// `stops.list.element.time`. Long paths are truncated.
  ///
  /// @param count the maximum number of paths
  public List<String> coarseTimestamps(int count) {
    return coarse.stream()
        .limit(count)
        .mapToObj(i -> tree.leaves().get(i).path().toString())
        .toList();
  }

  public long rowCount() {
    return metadata.rowCount();
  }

  /// Returns a value of the file's key-value metadata, or null if absent.
  ///
  /// @param key such as `ARROW:schema`
  public @Nullable String value(String key) {
    Map<String, String> values = metadata.keyValues();
    return values.get(key);
  }

  List<Node> columns() {
    return tree.columns();
  }

  List<ParquetLeaf> leaves() {
    return tree.leaves();
  }

  List<RowGroup> rowGroups() {
    return metadata.rowGroups();
  }

  CancellationCheck cancellationCheck() {
    return cancellationCheck;
  }

  /// Returns the source of all columns, with a budget of its own.
  LeafReader.Source source(FileChannel file, int readByteSize) {
    HeapBudget budget = new HeapBudget(heap);
    budget.take(metadata.heapByteSize());
    return new LeafReader.Source(file, rowGroups(), readByteSize, budget, cancellationCheck);
  }

  /// Begins to read all rows.
  ///
  /// @param scratchFolder the folder of temporary files, used when native memory is exhausted
  public ParquetReader read(CpuPool pool, Path scratchFolder) throws IOException {
    FileChannel file = FileChannel.open(path);
    try {
      return new ParquetReader(this, file, pool, scratchFolder);
    } catch (RuntimeException | Error e) {
      try (file) {
        throw e;
      }
    }
  }
}
