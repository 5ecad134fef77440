package dev.quiver.sql.execution;

import dev.quiver.sql.worker.Failure;
import dev.quiver.sql.worker.Payload;
import dev.quiver.sql.worker.RowsRead;
import dev.quiver.sql.worker.WorkerFrame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Moves the result of a statement from the worker of a lease to a buffer, so that the worker is
/// free as soon as it has sent everything. Runs in a thread of its own.
final class ResultPump implements Runnable {

  private final WorkerLease lease;
  private final Run run;
  private final ResultBuffer result;
  private final LongConsumer rowsRead;

  /// Why the buffer takes no more bytes.
  private @Nullable RuntimeException rejection;

  /// @param lease has sent the statement, and is released at the end of its result
  /// @param rowsRead accepts the rows that were read of the versions, now and then
  ResultPump(WorkerLease lease, Run run, ResultBuffer result, LongConsumer rowsRead) {
    this.lease = lease;
    this.run = run;
    this.result = result;
    this.rowsRead = rowsRead;
  }

  @Override
  public void run() {
    RuntimeException failure = null;
    try {
      move();
    } catch (IOException e) {
      RuntimeException lost = lease.lost(e);
      // A statement whose result was rejected may not end in time, so that its worker is killed.
      failure = rejection == null ? lost : rejection;
    } catch (RuntimeException e) {
      failure = e;
    } catch (Error e) {
      failure = new IllegalStateException(e);
    } finally {
      lease.release();
      result.end(failure);
    }
  }

  /// Moves the result until the worker has sent all of it.
  private void move() throws IOException {
    boolean sentAgain = false;
    while (true) {
      WorkerFrame frame = lease.read();
      switch (frame.type()) {
        case DATA -> deliver(frame);
        case PROGRESS -> rowsRead.accept(RowsRead.read(Payload.of(frame)).count());
        case DONE -> {
          lease.answered();
          if (rejection != null) {
            throw rejection;
          }
          return;
        }
        case FAILED -> {
          // A file of a cache may move while the worker looks for it.
          if (rejection == null && !sentAgain && WorkerLease.isGone(frame)) {
            sentAgain = true;
            lease.runAgain(run);
          } else {
            lease.answered();
            throw rejection == null
                ? lease.failure(run, Failure.read(Payload.of(frame)))
                : rejection;
          }
        }
        default -> throw WorkerLease.unexpected(frame);
      }
    }
  }

  /// Adds bytes to the buffer, unless it has failed to take others.
  private void deliver(WorkerFrame frame) {
    if (rejection != null) {
      return;
    }
    try {
      if (!result.write(frame.payload())) {
        lease.cancel();
      }
    } catch (IOException e) {
      rejection = new UncheckedIOException(e);
      lease.cancel();
    } catch (RuntimeException e) {
      rejection = e;
      lease.cancel();
    }
  }
}
