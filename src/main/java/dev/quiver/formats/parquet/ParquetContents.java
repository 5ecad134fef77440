package dev.quiver.formats.parquet;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.parquet.column.CancellationCheck;
import dev.quiver.formats.parquet.column.LeafReader;
import dev.quiver.formats.parquet.file.ColumnChunk;
import dev.quiver.formats.parquet.file.ColumnTree;
import dev.quiver.formats.parquet.file.ColumnTree.LostType;
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
import java.util.function.LongConsumer;

/// A Parquet file whose footer has been read. Shared by threads.
///
/// INT96 timestamps become nanoseconds, or microseconds in a column with a value beyond the range
/// of nanoseconds. Such columns are read twice.
public final class ParquetContents {

  private static final long EMPTY_ROW_COUNT_MAXIMUM = Integer.MAX_VALUE;

  private final Path path;
  private final FileMetadata metadata;
  private final Limit heap;
  private final boolean isLarge;
  private final CancellationCheck cancellationCheck;
  private final BitSet coarse;
  private final ColumnTree tree;

  /// The columns that are read, and their leaves.
  private final List<Node> columns;

  private final List<ParquetLeaf> leaves;
  private final Schema schema;
  private final long rowCount;

  /// @param isLarge whether a page may take most of the heap
  /// @param coarse the indices of the leaves whose INT96 timestamps become microseconds
  private ParquetContents(
      Path path,
      FileMetadata metadata,
      Limit heap,
      boolean isLarge,
      CancellationCheck cancellationCheck,
      ColumnTree tree,
      BitSet coarse) {
    this(path, metadata, heap, isLarge, cancellationCheck, tree, coarse, tree.columns());
  }

  /// @param columns some of the tree's
  private ParquetContents(
      Path path,
      FileMetadata metadata,
      Limit heap,
      boolean isLarge,
      CancellationCheck cancellationCheck,
      ColumnTree tree,
      BitSet coarse,
      List<Node> columns) {
    this.path = path;
    this.metadata = metadata;
    this.heap = heap;
    this.isLarge = isLarge;
    this.cancellationCheck = cancellationCheck;
    this.tree = tree;
    this.coarse = coarse;
    this.columns = columns;
    this.rowCount = rowCount(metadata);
    BitSet below = new BitSet();
    columns.forEach(column -> column.addLeaves(below));
    this.leaves = below.stream().mapToObj(tree.leaves()::get).toList();
    this.schema = Schema.of(columns.stream().map(Node::field).toArray(Field[]::new));
  }

  /// Reads the footer, and all INT96 columns.
  ///
  /// @param limits of the footer, the fields and their levels
  /// @param rowBytes receives the bytes of INT96 columns, before they are read
  /// @param scratchFolder the folder of temporary files, used when native memory is exhausted
  /// @param cancellationCheck called before each piece of a column and each page, here and by
  ///   [ParquetReader], from any thread, and from several at once. To end the reading, it throws an
  ///   exception, which the caller of this method or of [ParquetReader#next] gets unchanged.
  /// @throws ForeignDataException if the file is damaged or not supported
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if it exceeds a limit
  public static ParquetContents open(
      Path path,
      Limits limits,
      PageMemory memory,
      LongConsumer rowBytes,
      Path scratchFolder,
      Runnable cancellationCheck)
      throws IOException {
    CancellationCheck check = new CancellationCheck(cancellationCheck);
    try (FileChannel file = FileChannel.open(path)) {
      FileMetadata metadata = ParquetFooter.read(file, limits.metadataBytes(), memory.share());
      ColumnTree tree = new ColumnTree(metadata.schema(), limits, _ -> false);
      requireColumns(metadata, tree, file.size());
      requireRowCount(metadata);
      requireFewRows(metadata, tree);
      boolean isLarge = LargePages.exist(file, metadata.rowGroups(), memory.share(), check);
      Limit heap = isLarge ? memory.whole() : memory.share();
      ParquetContents contents =
          new ParquetContents(path, metadata, heap, isLarge, check, tree, new BitSet());
      BitSet coarse = CoarseTimestamps.find(contents, file, rowBytes, scratchFolder);
      return coarse.isEmpty()
          ? contents
          : new ParquetContents(
              path,
              metadata,
              heap,
              isLarge,
              check,
              new ColumnTree(metadata.schema(), limits, coarse::get),
              coarse);
    }
  }

  private static void requireColumns(FileMetadata metadata, ColumnTree tree, long fileByteSize) {
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

  /// Some writers leave the number of rows of the file at 0.
  private static void requireRowCount(FileMetadata metadata) {
    boolean isDeclared = metadata.rowCount() != 0;
    long left = isDeclared ? metadata.rowCount() : Long.MAX_VALUE;
    for (RowGroup group : metadata.rowGroups()) {
      if (left < group.rowCount()) {
        left = -1;
        break;
      }
      left -= group.rowCount();
    }
    if (isDeclared ? left != 0 : left < 0) {
      throw ForeignDataException.of(
          "Expected a Parquet file with %,d rows but found %s in its row groups"
              .formatted(metadata.rowCount(), left < 0 ? "more" : "fewer"));
    }
  }

  /// A file without columns takes no bytes for its rows, so nothing else bounds them.
  private static void requireFewRows(FileMetadata metadata, ColumnTree tree) {
    long rowCount = rowCount(metadata);
    if (tree.leaves().isEmpty() && rowCount > EMPTY_ROW_COUNT_MAXIMUM) {
      throw ForeignDataException.of(
          "Expected at most %,d rows in a Parquet file without columns but found %,d"
              .formatted(EMPTY_ROW_COUNT_MAXIMUM, rowCount));
    }
  }

  private static long rowCount(FileMetadata metadata) {
    return metadata.rowGroups().stream().mapToLong(RowGroup::rowCount).sum();
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

  /// Returns the groups without fields, and the elements with a logical type that Arrow lacks.
  public List<LostType> lostTypes() {
    return tree.lostTypes();
  }

  public long rowCount() {
    return rowCount;
  }

  /// Returns the key-value metadata of the file, with keys such as `ARROW:schema`.
  public Metadata keyValues() {
    return metadata.keyValues();
  }

  /// Returns the same file with some of its columns.
  ///
  /// @param indices the columns
  ParquetContents select(BitSet indices) {
    return new ParquetContents(
        path,
        metadata,
        heap,
        isLarge,
        cancellationCheck,
        tree,
        coarse,
        indices.stream().mapToObj(columns::get).toList());
  }

  List<Node> columns() {
    return columns;
  }

  List<ParquetLeaf> leaves() {
    return leaves;
  }

  /// Returns the number of leaves of the file, whether they are read or not.
  int leafCount() {
    return tree.leaves().size();
  }

  /// Returns whether a page may take most of the heap, so that other columns wait for it.
  boolean isLarge() {
    return isLarge;
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
