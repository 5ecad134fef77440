package dev.quiver.foreign.csv;

import dev.quiver.cast.BatchCast;
import dev.quiver.cast.InvalidCastException;
import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.foreign.ForeignDataException;
import dev.quiver.memory.ScratchMemory;
import dev.quiver.parallel.CpuPool;
import dev.quiver.parallel.TaskQueue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The rows of a CSV file, read once, as record batches. Used by one thread.
///
/// It finds the records of a few blocks ahead, whose values the cores of a pool read meanwhile.
public final class CsvReader implements AutoCloseable {

  /// The blocks that are read at a time. Beyond these, the search for their records decides.
  private static final int BLOCK_COUNT_MAXIMUM = 5;

  private static final long BATCH_BYTE_SIZE_MAXIMUM = 16 << 20;

  private final CsvFile file;
  private final Schema schema;
  private final List<CsvColumn> columns;
  private final @Nullable BatchCast cast;
  private final int rowCountMaximum;
  private final CsvScanner scanner;
  private final TaskQueue tasks;
  private final List<Slot> slots = new ArrayList<>();
  private final Deque<Slot> free = new ArrayDeque<>();
  private final Deque<Slot> waiting = new ArrayDeque<>();

  /// The block whose rows were returned last.
  private @Nullable Slot current;

  /// The reason why the records end, if they should not.
  private @Nullable ForeignDataException failure;

  private boolean ended;

  /// A block, and the memory of its rows.
  private static final class Slot {

    private final CsvBlock block;
    private final ScratchMemory memory;
    private TaskQueue.@Nullable Result<RecordBatch> rows;

    Slot(int columnCount, Path scratchFolder) {
      this.block = new CsvBlock(columnCount);
      this.memory = ScratchMemory.shared(scratchFolder);
    }
  }

  /// @param schema of the columns
  /// @param cast of their batches to those that are returned, or null
  CsvReader(
      CsvFile file,
      Schema schema,
      List<CsvColumn> columns,
      @Nullable BatchCast cast,
      CpuPool pool,
      Path scratchFolder)
      throws IOException {
    this.file = file;
    this.schema = schema;
    this.columns = columns;
    this.cast = cast;
    this.rowCountMaximum = rowCountMaximum(file.schema());
    this.tasks = pool.queue();
    this.scanner = file.rows();
    for (int i = 0; i <= Math.min(pool.count(), BLOCK_COUNT_MAXIMUM - 1); i++) {
      slots.add(new Slot(columns.size(), scratchFolder));
    }
    free.addAll(slots);
  }

  /// Returns the rows whose values of a stated width fit into a batch, whatever their text is.
  private static int rowCountMaximum(Schema schema) {
    long byteWidth = 1;
    for (Field field : schema.fields()) {
      byteWidth += field.type() instanceof ArrowType.FixedSizeBinary(int width) ? width : 0;
    }
    return (int) Math.max(1, BATCH_BYTE_SIZE_MAXIMUM / byteWidth);
  }

  /// Returns the next rows, or null at the end. Their memory is reused for later ones.
  ///
  /// @throws ForeignDataException if a record is not as it should be, once those before it are read
  public @Nullable RecordBatch next() throws IOException {
    if (current != null) {
      free.add(current);
      current = null;
    }
    begin();
    Slot slot = waiting.poll();
    if (slot == null) {
      if (failure != null) {
        throw failure;
      }
      return null;
    }
    current = slot;
    return Objects.requireNonNull(slot.rows).await();
  }

  /// Begins to read as many blocks as are free.
  private void begin() throws IOException {
    while (!ended && !free.isEmpty()) {
      Slot slot = free.element();
      try {
        ended = !scanner.fill(slot.block, rowCountMaximum, file.skipsEmpty());
      } catch (ForeignDataException e) {
        failure = e;
        ended = true;
      }
      if (!ended) {
        free.remove();
        slot.memory.reset();
        slot.rows = tasks.submit(() -> read(slot.block, slot.memory));
        waiting.add(slot);
      }
    }
  }

  private RecordBatch read(CsvBlock block, ScratchMemory memory) throws IOException {
    int invalid = block.firstInvalid();
    int rowCount = invalid;
    int failed = -1;
    List<ArrayData> arrays = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      try {
        arrays.add(columns.get(i).read(block, rowCount, memory));
      } catch (CsvColumn.InvalidFieldException e) {
        // The first row with such a field is told.
        rowCount = e.row();
        failed = i;
      }
    }
    if (failed >= 0) {
      throw file.invalid(block, rowCount, failed);
    }
    if (invalid < block.rowCount) {
      throw file.notEncoded(block, invalid);
    }
    RecordBatch batch = new RecordBatch(schema, rowCount, arrays);
    return cast == null ? batch : cast(cast, batch, block, memory);
  }

  private RecordBatch cast(
      BatchCast casting, RecordBatch batch, CsvBlock block, ScratchMemory memory)
      throws IOException {
    try {
      return casting.apply(batch, memory);
    } catch (InvalidCastException e) {
      int row = firstInvalid(casting, batch, memory);
      throw file.uncast(block, row, firstInvalidColumn(batch, row, memory));
    }
  }

  private int firstInvalidColumn(RecordBatch batch, int row, ScratchMemory memory) {
    int column = 0;
    while (column < columns.size() - 1 && casts(batch, row, column, memory)) {
      column++;
    }
    return column;
  }

  private boolean casts(RecordBatch batch, int row, int column, ScratchMemory memory) {
    RecordBatch rows = first(batch, row + 1);
    Schema from = schema.withFields(List.of(schema.fields().get(column)));
    Schema to = schema.withFields(List.of(file.schema().fields().get(column)));
    try {
      BatchCast.of(from, to)
          .apply(new RecordBatch(from, row + 1L, List.of(rows.columns().get(column))), memory);
      return true;
    } catch (InvalidCastException e) {
      return false;
    }
  }

  /// Returns the first row that does not cast.
  private static int firstInvalid(BatchCast cast, RecordBatch batch, ScratchMemory memory) {
    int valid = 0;
    int invalid = (int) batch.length();
    while (invalid - valid > 1) {
      int middle = valid + invalid >>> 1;
      try {
        cast.apply(first(batch, middle), memory);
        valid = middle;
      } catch (InvalidCastException e) {
        invalid = middle;
      }
    }
    return valid;
  }

  private static RecordBatch first(RecordBatch batch, int length) {
    List<ArrayData> arrays =
        batch.columns().stream()
            .map(array ->
                new ArrayData(
                    array.field(),
                    length,
                    array.countNulls(0, length),
                    array.buffers(),
                    List.of(),
                    null))
            .toList();
    return new RecordBatch(batch.schema(), length, arrays);
  }

  @Override
  public void close() throws IOException {
    try (scanner) {
      tasks.close();
    } finally {
      close(slots.iterator());
    }
  }

  /// Closes the memory of each slot, even if that of another one fails.
  private static void close(Iterator<Slot> rest) throws IOException {
    while (rest.hasNext()) {
      try (ScratchMemory _ = rest.next().memory) {
        close(rest);
      }
    }
  }
}
