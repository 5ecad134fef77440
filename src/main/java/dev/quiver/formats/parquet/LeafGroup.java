package dev.quiver.formats.parquet;

import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.parallel.TaskQueue;
import dev.quiver.formats.parquet.column.Piece;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Leaf columns that one task decodes, one after the other.
///
/// Columns and their pieces ahead belong to the task while it is pending, and otherwise to the
/// thread that uses the reader.
final class LeafGroup {

  private final List<LeafCursor> cursors;
  private final PieceSize size;
  private final ArrayBudget budget;
  private final Path scratchFolder;

  /// The pages and dictionaries that are off the heap.
  private final ScratchMemory parking;

  private final List<PieceMemory> memories = new ArrayList<>();
  private final Deque<PieceMemory> free = new ArrayDeque<>();
  private TaskQueue.@Nullable Result<PieceMemory> pending;

  /// @param budget of the pieces
  LeafGroup(List<LeafCursor> cursors, PieceSize size, ArrayBudget budget, Path scratchFolder) {
    this.cursors = List.copyOf(cursors);
    this.budget = budget;
    this.size = size;
    this.scratchFolder = scratchFolder;
    this.parking = ScratchMemory.shared(scratchFolder);
  }

  /// Begins to decode the missing pieces ahead, unless a task is doing so.
  void begin(TaskQueue tasks) {
    if (pending == null && cursors.stream().anyMatch(LeafCursor::wantsPiece)) {
      PieceMemory memory = memory();
      pending = tasks.submit(() -> decode(memory));
    }
  }

  private PieceMemory memory() {
    PieceMemory idle = free.poll();
    if (idle != null) {
      idle.memory().reset();
      return idle;
    }
    PieceMemory memory =
        new PieceMemory(new BoundedMemory(ScratchMemory.shared(scratchFolder), budget));
    memories.add(memory);
    return memory;
  }

  private PieceMemory decode(PieceMemory memory) throws IOException {
    for (LeafCursor cursor : cursors) {
      if (cursor.wantsPiece()) {
        int rowMaximum = size.rowMaximum(cursor.decodedRowCount());
        Piece piece = cursor.reader().next(rowMaximum, size.byteMaximum(), memory.memory());
        cursor.add(piece, memory);
        if (cursor.reader().park(parking)) {
          size.requireParking();
        }
        if (piece != null && piece.isFull()) {
          size.limitTo(piece.rowCount());
        }
      }
    }
    return memory;
  }

  /// Waits until each column has rows or is at its end, then begins to decode the pieces after
  /// them.
  void await(TaskQueue tasks) throws IOException {
    if (cursors.stream().anyMatch(LeafCursor::isEmpty)) {
      begin(tasks);
      if (pending != null) {
        PieceMemory memory = pending.await();
        pending = null;
        if (memory.isEmpty()) {
          free.add(memory);
        }
      }
      for (LeafCursor cursor : cursors) {
        if (cursor.isEmpty()) {
          cursor.advance();
        }
      }
      begin(tasks);
    }
  }

  /// Releases the pieces whose rows have all been taken.
  void release() {
    for (LeafCursor cursor : cursors) {
      PieceMemory memory = cursor.release();
      if (memory != null) {
        free.add(memory);
      }
    }
  }

  /// Returns all memory. No task of the group may run when the caller closes it.
  List<Closeable> memories() {
    Stream<Closeable> pieces = memories.stream().map(PieceMemory::memory);
    return Stream.concat(Stream.of(parking::close), pieces).toList();
  }
}
