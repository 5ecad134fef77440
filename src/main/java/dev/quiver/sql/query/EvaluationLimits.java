package dev.quiver.sql.query;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.SqlOptions;
import dev.quiver.sql.execution.StatementTime;
import dev.quiver.store.read.RowMatches;
import dev.quiver.store.read.Snapshot;
import java.io.IOException;

/// The time and the memory that the evaluation of a condition may take, and whether any client
/// still wants its result.
final class EvaluationLimits {

  private final SqlOptions options;
  private final Cancellation cancellation = Cancellation.current();

  /// The rows of a batch, whose numbers within it are ints.
  private final Limit batchRowCount;

  private final InputLocation parameter;

  private final StatementTime.Running time;

  /// Starts the time.
  ///
  /// @param parameter the query parameter with the condition
  EvaluationLimits(SqlOptions options, String parameter) {
    this.options = options;
    this.batchRowCount = new Limit("parameter " + parameter, Integer.MAX_VALUE);
    this.parameter = InputLocation.detail("parameter " + parameter);
    this.time = StatementTime.of(options.conditionTimeout()).begin();
  }

  /// Returns the rest of the time.
  StatementTime rest() {
    return time.rest();
  }

  /// Checks whether an evaluation in this process may go on.
  ///
  /// @throws SqlException.Timeout if its time is over
  /// @throws CancelledException if no client wants its result
  void check() {
    time.check();
    cancellation.throwIfRequested();
  }

  /// Checks whether an evaluation in this process may go on, as [#check()] does.
  ///
  /// @throws TooLargeInputException if it takes too much memory
  void check(long heapByteSize) {
    check();
    checkMemory(heapByteSize);
  }

  /// Checks the memory for a bit for each row of a batch, before any is read.
  void checkRows(Snapshot snapshot, RowMatches batches) throws IOException {
    for (int i = 0; i < batches.batchCount(); i++) {
      long rowCount = rows(snapshot, batches.batch(i));
      batchRowCount.check(rowCount, "rows in a record batch", InputLocation.UNKNOWN);
      checkMemory(Math.ceilDiv(rowCount, (long) Byte.SIZE));
    }
  }

  /// Checks the bytes of heap.
  void checkMemory(long heapByteSize) {
    options.conditionMemory().check(heapByteSize, "bytes of matches", parameter);
  }

  /// Returns the number of rows of a batch.
  static long rows(Snapshot snapshot, int batch) throws IOException {
    return snapshot.rowsBefore(batch + 1) - snapshot.rowsBefore(batch);
  }
}
