package dev.quiver.store.read;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.parallel.TaskQueue;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The rows of a selection in slices, on which several threads work while one decodes later
/// batches.
///
/// A few batches are in memory at a time, or a single large one. The results arrive in the order of
/// the rows.
///
/// @param <R> the result of the work on a slice
public final class RowSlices<R> {

  /// The approximate size of a slice's data.
  private static final long SLICE_BYTE_SIZE = 1 << 20;

  /// The number of rows of which a slice is a multiple, so that bitmaps need not be copied. Fewer
  /// would not pay for preparing the columns.
  private static final long ROWS_MINIMUM = 64;

  private static final long ROWS_MAXIMUM = 1 << 16;

  /// The size of an encoded schema above which one thread works, since each needs memory for every
  /// column.
  private static final long WIDE_SCHEMA_BYTE_SIZE = 256 << 10;

  private final SelectedMessages messages;
  private final Path scratchFolder;
  private final Work<R> work;
  private final Results<R> results;

  /// The work on a slice. Several threads call it at a time.
  public interface Work<R> {

    /// @param from the first row in the batch
    /// @param to the row after the last one
    /// @param rowsBefore the number of selected rows before the slice
    R run(RecordBatch batch, long from, long to, long rowsBefore) throws IOException;
  }

  /// The receiver of results, in one thread.
  public interface Results<R> {

    /// @return whether more results are wanted
    boolean accept(R result) throws IOException;
  }

  RowSlices(SelectedMessages messages, Path scratchFolder, Work<R> work, Results<R> results) {
    this.messages = messages;
    this.scratchFolder = scratchFolder;
    this.work = work;
    this.results = results;
  }

  boolean run() throws IOException {
    int count = messages.batchCount();
    // Closes memory after the threads that use it.
    try (DecodedBatches batches = DecodedBatches.open(messages, scratchFolder);
        MessagesAhead<Boolean> ahead =
            new MessagesAhead<>(count, i -> messages.block(i).bodyLength(), scratchFolder);
        TaskQueue queue = pool().queue()) {
      boolean wanted = true;
      for (int i = 0; i < count && wanted; i++) {
        wanted =
            ahead.finishNext((batch, arena, memory) -> begin(batches, batch, arena, memory, queue));
      }
      return wanted;
    }
  }

  private CpuPool pool() {
    return messages.summary().file().schemaMetaDataLength() > WIDE_SCHEMA_BYTE_SIZE
        ? CpuPool.SINGLE
        : CpuPool.PROCESS;
  }

  private MessagesAhead.Begun<Boolean> begin(
      DecodedBatches batches, int index, Arena arena, ScratchMemory memory, TaskQueue queue)
      throws IOException {
    RecordBatch batch = batches.read(index, arena, memory).withBuffers(CpuPool::lent);
    long step = rowsOfSlice(batch);
    long rowsBefore = batches.rowsBefore(index);
    List<TaskQueue.Result<R>> slices = new ArrayList<>();
    for (long from = 0; from < batch.length(); from += step) {
      long first = from;
      long to = Math.min(from + step, batch.length());
      slices.add(queue.submit(() -> work.run(batch, first, to, rowsBefore + first)));
    }
    return () -> finish(slices, queue);
  }

  private boolean finish(List<TaskQueue.Result<R>> slices, TaskQueue queue) throws IOException {
    for (TaskQueue.Result<R> slice : slices) {
      if (!results.accept(slice.await())) {
        queue.close();
        return false;
      }
    }
    return true;
  }

  private static long rowsOfSlice(RecordBatch batch) {
    long byteSize = 1;
    for (ArrayData column : batch.columns()) {
      byteSize += column.byteSize();
    }
    double rows = (double) SLICE_BYTE_SIZE * batch.length() / byteSize;
    return Math.clamp((long) rows / ROWS_MINIMUM * ROWS_MINIMUM, ROWS_MINIMUM, ROWS_MAXIMUM);
  }
}
