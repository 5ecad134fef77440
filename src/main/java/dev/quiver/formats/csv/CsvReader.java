package dev.quiver.formats.csv;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.parallel.TaskQueue;
import dev.quiver.arrow.transform.Cast;
import dev.quiver.arrow.transform.Casts;
import dev.quiver.arrow.transform.InvalidCastException;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.Advice;
import dev.quiver.formats.FileBatchReader;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.SkippedRows;
import dev.quiver.formats.TextTypes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The rows of a CSV file, read once, as record batches. Used by one thread.
///
/// It finds the records of a few blocks ahead, whose values the cores of a pool read meanwhile.
public final class CsvReader implements FileBatchReader {

  /// The blocks that are read at a time. Beyond these, the search for their records decides.
  private static final int BLOCK_COUNT_MAXIMUM = 5;

  private static final long BATCH_BYTE_SIZE_MAXIMUM = 16 << 20;

  private final CsvFile file;
  private final List<CsvColumn> columns;
  private final List<Cast> casts;
  private final int rowCountMaximum;
  private final CsvSkips skips = new CsvSkips();
  private SkippedRows skipped = SkippedRows.NONE;
  private List<Advice> leftOut = List.of();
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

  /// The rows that are still to be read.
  private long rest;

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

  /// @param casts of the arrays of the columns to the file's schema
  /// @param rows the number of rows at which the reader ends
  CsvReader(
      CsvFile file,
      List<CsvColumn> columns,
      List<Cast> casts,
      CpuPool pool,
      Path scratchFolder,
      long rows)
      throws IOException {
    this.rest = rows;
    this.file = file;
    this.columns = columns;
    this.casts = casts;
    this.rowCountMaximum = rowCountMaximum(file.schema());
    this.tasks = pool.queue();
    this.scanner = file.rows(skips);
    for (int i = 0; i <= Math.min(pool.count(), BLOCK_COUNT_MAXIMUM - 1); i++) {
      slots.add(new Slot(columns.size(), scratchFolder));
    }
    free.addAll(slots);
  }

  /// Returns the rows that fit into a batch by the width and the runs of their values, whatever
  /// their text is.
  private static int rowCountMaximum(Schema schema) {
    long byteWidth = 1;
    for (Field field : schema.fields()) {
      byteWidth += field.type() instanceof ArrowType.FixedSizeBinary(int width) ? width : 0;
    }
    long rowCount = Math.max(1, BATCH_BYTE_SIZE_MAXIMUM / byteWidth);
    return (int) Math.min(TextTypes.rowCountMaximum(schema), rowCount);
  }

  @Override
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
      // The file may be gone once the rows are read.
      skipped = file.skipped(skips);
      leftOut = file.leftOut(skipped.count(), skips.hasComments());
      return null;
    }
    current = slot;
    RecordBatch batch = Objects.requireNonNull(slot.rows).await();
    if (file.skipsRows()) {
      rest -= batch.length();
      ended |= rest <= 0;
    }
    return batch;
  }

  /// Begins to read as many blocks as are free.
  private void begin() throws IOException {
    while (!ended && !free.isEmpty()) {
      Slot slot = free.element();
      try {
        int most = (int) Math.min(rowCountMaximum, file.skipsRows() ? rowCountMaximum : rest);
        ended = most == 0 || !scanner.fill(slot.block, most, file.skipsEmpty());
      } catch (ForeignDataException e) {
        failure = e;
        ended = true;
      }
      if (!ended) {
        free.remove();
        rest -= file.skipsRows() ? 0 : slot.block.rowCount;
        slot.memory.reset();
        slot.rows = tasks.submit(() -> read(slot.block, slot.memory));
        waiting.add(slot);
      }
    }
  }

  private RecordBatch read(CsvBlock block, ScratchMemory memory) throws IOException {
    if (file.skipsRows()) {
      skipInvalid(block, memory);
    }
    int invalid = block.firstInvalid();
    int rowCount = invalid;
    int failed = -1;
    List<ArrayData> arrays = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      try {
        arrays.add(cast(casts.get(i), columns.get(i).read(block, rowCount, memory), memory));
      } catch (CsvColumn.InvalidFieldException e) {
        // The first row with such a field is reported.
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
    return new RecordBatch(file.schema(), rowCount, arrays);
  }

  /// Leaves out the rows of a block that have an invalid value, or one that the dataset's column
  /// does not hold.
  private void skipInvalid(CsvBlock block, ScratchMemory memory) throws IOException {
    BitSet all = new BitSet();
    for (int i = 0; i < columns.size(); i++) {
      BitSet invalid = new BitSet();
      var _ = columns.get(i).read(block, block.rowCount, invalid, memory);
      addSkips(block, i, invalid, all);
    }
    block.remove(all, block.rowCount);
    memory.reset();
    if (!file.makesValidBatches()) {
      skipRejected(block, memory);
    }
  }

  /// Leaves out the rows of a block whose values are valid, and do not cast to the dataset's types.
  private void skipRejected(CsvBlock block, ScratchMemory memory) throws IOException {
    // Text that is not of the encoding is another error.
    int rowCount = block.firstInvalid();
    BitSet all = new BitSet();
    for (int i = 0; i < columns.size(); i++) {
      ArrayData array = columns.get(i).read(block, rowCount, memory);
      BitSet invalid = Casts.allInvalid(casts.get(i), array, memory);
      if (!file.schema().fields().get(i).nullable() && array.nullCount() > 0) {
        Array slots = Array.of(array);
        for (int row = 0; row < rowCount; row++) {
          invalid.set(row, invalid.get(row) || slots.isNull(row));
        }
      }
      addSkips(block, i, invalid, all);
      memory.reset();
    }
    block.remove(all, block.rowCount);
  }

  /// Adds rows that are left out because of a column to those because of columns before it.
  private void addSkips(CsvBlock block, int column, BitSet invalid, BitSet all) {
    for (int row = invalid.nextSetBit(0); row >= 0; row = invalid.nextSetBit(row + 1)) {
      if (!all.get(row)) {
        skips.add(block.byteOffset(row), CsvSkips.VALUE, file.invalidSentence(block, row, column));
      }
    }
    all.or(invalid);
  }

  /// Returns the rows that were left out, once all others were read.
  public SkippedRows skipped() {
    return skipped;
  }

  /// Returns warnings about what options of the last upload have left out, once the rows were read.
  public List<Advice> leftOut() {
    return leftOut;
  }

  private static ArrayData cast(Cast cast, ArrayData array, ScratchMemory memory) {
    try {
      return cast.apply(array, memory);
    } catch (InvalidCastException e) {
      throw new CsvColumn.InvalidFieldException((int) Casts.firstInvalid(cast, array, memory));
    }
  }

  @Override
  public void close() throws IOException {
    try (scanner) {
      tasks.close();
    } finally {
      close(slots.iterator());
    }
  }

  /// Closes the memory of each slot, even if closing another one fails.
  private static void close(Iterator<Slot> rest) throws IOException {
    if (rest.hasNext()) {
      try (ScratchMemory _ = rest.next().memory) {
        close(rest);
      }
    }
  }
}
