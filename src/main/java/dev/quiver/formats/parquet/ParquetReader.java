package dev.quiver.formats.parquet;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.parallel.TaskQueue;
import dev.quiver.formats.FileBatchReader;
import dev.quiver.formats.parquet.column.CancellationCheck;
import dev.quiver.formats.parquet.column.LeafReader;
import dev.quiver.formats.parquet.column.Workspace;
import dev.quiver.formats.parquet.file.ColumnChunk;
import dev.quiver.formats.parquet.file.Node;
import dev.quiver.formats.parquet.file.ParquetLeaf;
import dev.quiver.formats.parquet.file.RowGroup;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The rows of a Parquet file, read once, as record batches. Used by one thread.
///
/// The columns form groups of similar cost. Tasks of a pool decode each group one piece ahead. The
/// current page and the dictionary of each column take heap from a common budget; once half of it
/// is used, they move off the heap while their column is not being decoded. Pieces are always off
/// the heap.
public final class ParquetReader implements FileBatchReader {

  private static final int GROUP_COUNT_MAXIMUM = 16;
  private static final int READ_BYTE_SIZE_MAXIMUM = 256 << 10;
  private static final int READ_BYTE_SIZE_MINIMUM = 16 << 10;

  /// The bytes of the file that are read at a time, for all columns together.
  private static final int READ_BYTE_SIZE_TOTAL = 8 << 20;

  /// The cost of decoding a value, in bytes that take as long.
  private static final long VALUE_COST = 4;

  private final ParquetContents contents;

  /// The index in `cursors` for each leaf of the file.
  private final int[] positions;

  private final FileChannel file;
  private final TaskQueue tasks;
  private final PieceSize size;

  /// The parts of the current batch that are not in a piece.
  private final BoundedMemory memory;

  private final ArrayBudget budget = new ArrayBudget();

  private long rowsRead;

  private final List<LeafCursor> cursors = new ArrayList<>();
  private final List<LeafGroup> groups = new ArrayList<>();

  /// @param file closed with the reader
  ParquetReader(ParquetContents contents, FileChannel file, CpuPool pool, Path scratchFolder) {
    this.contents = contents;
    this.file = file;
    this.tasks = pool.queue();
    this.size = PieceSize.of(contents);
    this.memory = memory(scratchFolder);
    List<ParquetLeaf> leaves = contents.leaves();
    this.positions = positions(contents);
    boolean isSequential = pool.count() == 1 || contents.isLarge();
    int groupCount = isSequential ? 1 : Math.min(GROUP_COUNT_MAXIMUM, leaves.size());
    int readByteSize =
        Math.clamp(
            READ_BYTE_SIZE_TOTAL / Math.max(1, leaves.size()),
            READ_BYTE_SIZE_MINIMUM,
            READ_BYTE_SIZE_MAXIMUM);
    LeafReader.Source source = contents.source(file, readByteSize);
    int first = 0;
    for (int end : groupEnds(costs(contents), groupCount)) {
      Workspace workspace = new Workspace(source.budget());
      List<LeafCursor> members =
          leaves.subList(first, end).stream()
              .map(column -> new LeafCursor(LeafReader.of(source, column, workspace), column))
              .toList();
      cursors.addAll(members);
      groups.add(new LeafGroup(members, size, budget, scratchFolder));
      first = end;
    }
  }

  /// Returns the position for each leaf of the file that is read.
  private static int[] positions(ParquetContents contents) {
    int[] positions = new int[contents.leafCount()];
    for (int i = 0; i < contents.leaves().size(); i++) {
      positions[contents.leaves().get(i).index()] = i;
    }
    return positions;
  }

  /// Returns memory for what is made of the rows, which counts for the budget of the file. It is
  /// confined to this thread, and the caller closes it.
  public BoundedMemory memory(Path scratchFolder) {
    return new BoundedMemory(new ScratchMemory(scratchFolder), budget);
  }

  private static long[] costs(ParquetContents contents) {
    long[] costs = new long[contents.leaves().size()];
    Arrays.fill(costs, 1);
    for (RowGroup group : contents.rowGroups()) {
      for (int i = 0; i < costs.length; i++) {
        // The numbers of a damaged file must not overflow the sum.
        ColumnChunk chunk = group.columns().get(contents.leaves().get(i).index());
        costs[i] += Math.min(chunk.uncompressedByteSize(), Integer.MAX_VALUE);
        costs[i] += VALUE_COST * Math.min(chunk.valueCount(), Integer.MAX_VALUE);
      }
    }
    return costs;
  }

  /// Returns the ends of groups of consecutive columns, whose costs are about equal.
  private static List<Integer> groupEnds(long[] costs, int groupCount) {
    double total = Arrays.stream(costs).sum();
    List<Integer> ends = new ArrayList<>();
    double before = 0;
    for (int i = 0; i < costs.length; i++) {
      before += costs[i];
      if (before / total * groupCount >= ends.size() + 1 || i == costs.length - 1) {
        ends.add(i + 1);
      }
    }
    return ends;
  }

  /// Returns the next rows as the interface says. Throws what the cancellation check of
  /// [ParquetContents#open] throws.
  ///
  /// @throws dev.quiver.formats.ForeignDataException if the file is damaged or not supported; rows
  ///   before the damage may have been returned
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if pages need more heap than they may
  ///   take
  @Override
  public @Nullable RecordBatch next() throws IOException {
    return CancellationCheck.rethrow(this::read);
  }

  private @Nullable RecordBatch read() throws IOException {
    memory.reset();
    groups.forEach(LeafGroup::release);
    size.grow();
    for (LeafGroup group : groups) {
      group.begin(tasks);
    }
    for (LeafGroup group : groups) {
      group.await(tasks);
    }
    int rowCount =
        cursors.isEmpty()
            ? (int) Math.min(PieceSize.ROW_COUNT_MAXIMUM, contents.rowCount() - rowsRead)
            : cursors.stream().mapToInt(LeafCursor::rowCount).min().orElse(0);
    rowsRead += rowCount;
    return rowCount == 0 ? null : batch(rowCount);
  }

  private RecordBatch batch(int rowCount) {
    List<LeafPart> parts = cursors.stream().map(cursor -> cursor.take(rowCount, memory)).toList();
    BatchAssembler assembler =
        new BatchAssembler(parts, positions, rowCount, memory, contents.cancellationCheck());
    List<ArrayData> arrays = new ArrayList<>();
    for (Node column : contents.columns()) {
      arrays.add(assembler.array(column));
    }
    return new RecordBatch(contents.schema(), rowCount, arrays);
  }

  /// Waits for the tasks that are running, and drops the others.
  @Override
  public void close() throws IOException {
    tasks.close();
    Stream<Closeable> memories = groups.stream().flatMap(group -> group.memories().stream());
    close(Stream.concat(Stream.of(file, memory), memories).iterator());
  }

  /// Closes all resources, even if one fails.
  private static void close(Iterator<? extends Closeable> rest) throws IOException {
    if (rest.hasNext()) {
      try (Closeable _ = rest.next()) {
        close(rest);
      }
    }
  }
}
