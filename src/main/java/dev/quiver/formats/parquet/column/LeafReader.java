package dev.quiver.formats.parquet.column;

import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.parquet.file.ColumnChunk;
import dev.quiver.formats.parquet.file.ParquetErrors;
import dev.quiver.formats.parquet.file.ParquetLeaf;
import dev.quiver.formats.parquet.file.RowGroup;
import dev.quiver.formats.parquet.page.ColumnPages;
import dev.quiver.formats.parquet.page.HeapBudget;
import dev.quiver.formats.parquet.page.Page;
import java.io.IOException;
import java.lang.foreign.SegmentAllocator;
import java.nio.channels.FileChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A reader of one leaf column: all of its rows, one row group after the other, in pieces. Used by
/// one thread at a time.
public abstract class LeafReader {

  /// A file whose columns are read.
  ///
  /// @param readByteSize the bytes of a column chunk that are read from the file at a time
  /// @param budget of the heap for all columns together
  /// @param cancellationCheck called before each piece and each page
  public record Source(
      FileChannel file,
      List<RowGroup> rowGroups,
      int readByteSize,
      HeapBudget budget,
      CancellationCheck cancellationCheck) {}

  final ParquetLeaf column;
  final Workspace workspace;
  final HeapBudget budget;
  final ColumnPages pages;
  final LeafValues values;
  private final Source source;
  private int nextGroup;

  /// The rows of the row group that have not begun.
  private long groupRowsLeft;

  /// The declared slots of the column chunk whose pages have not begun, negative if there are more.
  private long chunkSlotsLeft;

  /// The slots of the page that have not been taken.
  private int pageLeft;

  private boolean inChunk;
  private boolean hasDictionary;

  LeafReader(Source source, ParquetLeaf column, Workspace workspace) {
    this.source = source;
    this.column = column;
    this.workspace = workspace;
    this.budget = source.budget();
    this.pages =
        new ColumnPages(
            source.file(),
            source.readByteSize(),
            budget,
            workspace.buffers,
            column.levels().definition(),
            column.levels().repetition());
    this.values =
        switch (column.leafType().storage()) {
          case BITS -> new BooleanValues(column, workspace);
          case FIXED_WIDTH -> new FixedWidthValues(column, budget, workspace);
          case VARIABLE_SIZE -> new BytesValues(column, budget, workspace);
        };
  }

  /// @param workspace shared by readers of which one is used at a time
  public static LeafReader of(Source source, ParquetLeaf column, Workspace workspace) {
    return column.levels().repetition() > 0
        ? new RepeatedReader(source, column, workspace)
        : new FlatReader(source, column, workspace);
  }

  /// Returns the next rows, or null at the end.
  ///
  /// @param rowMaximum the maximum number of rows, positive
  /// @param byteMaximum the bytes of variable-size values after which the piece ends, positive
  /// @param allocator of the arrays
  /// @throws ForeignDataException if the column is damaged or not supported
  /// @throws TooLargeInputException if the budget of the heap is exhausted
  public final @Nullable Piece next(int rowMaximum, long byteMaximum, SegmentAllocator allocator)
      throws IOException {
    source.cancellationCheck().run();
    try {
      pages.unpark();
      values.unpark();
      return hasRows() ? piece(rowMaximum, byteMaximum, allocator) : null;
    } catch (TooLargeInputException e) {
      throw e;
    } catch (ForeignDataException e) {
      throw e.column() == null ? inColumn(String.valueOf(e.getMessage())) : e;
    } catch (InputException
        | IndexOutOfBoundsException
        | ArithmeticException
        | NegativeArraySizeException e) {
      // Numbers of a damaged page are used as indices and sizes unchecked: arrays check them.
      ForeignDataException damaged = inColumn("Expected a Parquet file but found a damaged one");
      damaged.initCause(e);
      throw damaged;
    }
  }

  private ForeignDataException inColumn(String sentence) {
    return ForeignDataException.of(sentence, null, column.path().toString(), null);
  }

  /// Moves the page and the dictionary off the heap until the next piece, if the budget is mostly
  /// used.
  ///
  /// @return whether the budget is mostly used
  public final boolean park(SegmentAllocator parking) {
    if (budget.isTight()) {
      pages.park(parking);
      values.park(parking);
      return true;
    }
    return false;
  }

  /// Returns whether rows are left.
  boolean hasRows() throws IOException {
    return hasSlots();
  }

  /// Returns the next rows, at least one.
  abstract Piece piece(int rowMaximum, long byteMaximum, SegmentAllocator allocator)
      throws IOException;

  /// Begins the next page, unless slots of the current one are left.
  ///
  /// @return false at the end of the last row group
  final boolean hasSlots() throws IOException {
    while (pageLeft == 0) {
      source.cancellationCheck().run();
      Page page = inChunk && !isComplete() ? pages.next() : null;
      if (page != null) {
        begin(page);
      } else if (groupRowsLeft > 0) {
        throw ParquetErrors.damaged("as many rows as its row groups state");
      } else if (nextGroup < source.rowGroups().size()) {
        begin(source.rowGroups().get(nextGroup++));
      } else {
        inChunk = false;
        pages.close();
        values.beginChunk();
        return false;
      }
    }
    return true;
  }

  /// Returns whether all values that the column chunk declares have been read. Some writers leave
  /// unused bytes after the last page.
  private boolean isComplete() {
    return chunkSlotsLeft == 0 && groupRowsLeft == 0;
  }

  private void begin(Page page) {
    if (pages.isDictionary()) {
      if (hasDictionary) {
        throw ParquetErrors.damaged("one dictionary per column chunk");
      }
      hasDictionary = true;
      values.beginDictionary(page);
    } else if (page.valueCount() > 0) {
      values.beginPage(page);
      pageLeft = page.valueCount();
      chunkSlotsLeft -= pageLeft;
    }
  }

  private void begin(RowGroup group) throws IOException {
    groupRowsLeft = group.rowCount();
    ColumnChunk chunk = group.columns().get(column.index());
    if (chunk.type() != column.type()) {
      throw ParquetErrors.damaged("one type per column");
    }
    // The chunk of a row group without rows may be anywhere.
    inChunk = groupRowsLeft > 0;
    chunkSlotsLeft = chunk.valueCount();
    hasDictionary = false;
    if (inChunk) {
      pages.begin(chunk);
      values.beginChunk();
      beganChunk();
    }
  }

  /// Prepares for the first page of a chunk.
  void beganChunk() {}

  /// Returns the number of slots left in the page.
  final int pageLeft() {
    return pageLeft;
  }

  /// Takes slots of the page.
  final void takeSlots(int count) {
    pageLeft -= count;
  }

  /// Takes rows of the row group.
  final void takeRows(int count) {
    if (count > groupRowsLeft) {
      throw ParquetErrors.damaged("as many rows as its row groups state");
    }
    groupRowsLeft -= count;
  }
}
