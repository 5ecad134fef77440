package dev.quiver.sql.execution;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.sql.worker.Failure;
import dev.quiver.sql.worker.FailureKind;
import dev.quiver.sql.worker.Payload;
import dev.quiver.sql.worker.RowsRead;
import dev.quiver.sql.worker.WorkerFrame;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// The result of a statement as the worker of a lease sends it: the worker waits for the reader.
/// Used by one thread.
final class StreamedResult implements ByteSource {

  private final WorkerLease lease;
  private final Cancellation cancellation = Cancellation.current();
  private final LongConsumer rowsRead;
  private final Function<Failure, RuntimeException> failures;
  private FrameReceiver frames;

  /// The source of the request to send again if a stored file has moved; null once it was.
  private @Nullable RequestSource again;

  private MemorySegment rest = MemorySegment.NULL;
  private boolean ended;

  /// @param lease has sent the statement
  /// @param again the source of the request if a stored file has moved, or null if none can
  /// @param rowsRead accepts the rows that were read of the versions, now and then
  /// @param failures returns the exception for a failure of the statement
  StreamedResult(
      WorkerLease lease,
      @Nullable RequestSource again,
      LongConsumer rowsRead,
      Function<Failure, RuntimeException> failures) {
    this.lease = lease;
    this.again = again;
    this.rowsRead = rowsRead;
    this.failures = failures;
    this.frames = lease.receive();
  }

  @Override
  public long read(MemorySegment destination) {
    if (destination.byteSize() == 0) {
      return 0;
    }
    while (rest.byteSize() == 0) {
      if (ended) {
        return -1;
      }
      receive();
    }
    long count = Math.min(destination.byteSize(), rest.byteSize());
    destination.copyFrom(rest.asSlice(0, count));
    rest = rest.asSlice(count);
    return count;
  }

  private void receive() {
    try {
      WorkerFrame frame = frames.next(cancellation);
      switch (frame.type()) {
        case DATA -> rest = frame.payload();
        case PROGRESS -> rowsRead.accept(RowsRead.read(Payload.of(frame)).count());
        case DONE -> end();
        case FAILED -> {
          Failure failure = Failure.read(Payload.of(frame));
          RequestSource moved = failure.kind() == FailureKind.GONE ? again : null;
          if (moved == null) {
            end();
            throw failures.apply(failure);
          }
          // A file of a cache may move while the worker looks for it.
          again = null;
          lease.runAgain(moved);
          frames = lease.receive();
        }
        default -> throw WorkerLease.unexpected(frame);
      }
    } catch (IOException e) {
      throw lease.lost(e);
    }
  }

  private void end() {
    lease.answered();
    ended = true;
  }
}
