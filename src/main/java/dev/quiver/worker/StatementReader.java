package dev.quiver.worker;

import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.engine.Parameters;
import dev.quiver.engine.Session;
import dev.quiver.engine.Statement;
import java.lang.foreign.Arena;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// A statement whose rows are read by a thread of its own, a batch ahead of the thread that takes
/// them.
final class StatementReader implements AutoCloseable {

  /// The batches that wait to be taken.
  private static final int WAITING_MAXIMUM = 1;

  /// The time after which a thread that still runs is interrupted again, since it may wait twice.
  private static final long INTERRUPT_MILLIS = 10;

  /// The rows of a statement, or their end.
  ///
  /// @param rows null at the end
  /// @param failure the reason for the end, or null
  record Read(@Nullable RecordBatch rows, BatchMemory memory, @Nullable Throwable failure)
      implements AutoCloseable {

    /// Frees the rows.
    @Override
    public void close() {
      memory.close();
    }
  }

  private final Session session;
  private final String sql;
  private final Arena arena = Arena.ofShared();
  private final BatchMemory.Pool memory = new BatchMemory.Pool(arena);
  private final CompletableFuture<Schema> schema = new CompletableFuture<>();
  private final BlockingQueue<Read> waiting = new ArrayBlockingQueue<>(WAITING_MAXIMUM);
  private final Thread thread;
  private volatile boolean closed;

  /// Starts to read.
  ///
  /// @param session closed with this
  /// @param stackByteSize the stack of the thread
  StatementReader(Session session, String sql, long stackByteSize) {
    this.session = session;
    this.sql = sql;
    this.thread =
        Thread.ofPlatform()
            .name("statement")
            .daemon()
            .stackSize(stackByteSize)
            .start(this::readAll);
  }

  /// Waits for the schema of the rows.
  ///
  /// @throws dev.quiver.engine.SqlException if the statement cannot be prepared
  Schema schema() {
    try {
      return schema.join();
    } catch (CompletionException e) {
      throw unchecked(Objects.requireNonNull(e.getCause()));
    }
  }

  /// Waits for the next rows, which the caller closes.
  ///
  /// @return the rows, or an end without rows
  /// @throws dev.quiver.engine.SqlException if the statement fails
  Read next() throws InterruptedException {
    Read read = waiting.take();
    if (read.failure() != null) {
      throw unchecked(read.failure());
    }
    return read;
  }

  private void readAll() {
    Throwable failure = null;
    try (Statement statement = session.prepare(sql, Map.of(), Parameters.NONE)) {
      schema.complete(statement.schema());
      boolean complete = false;
      while (!complete && !closed) {
        complete = !read(statement);
      }
    } catch (InterruptedException e) {
      // Nothing waits for more.
    } catch (Throwable e) {
      failure = e;
      schema.completeExceptionally(e);
    }
    try {
      waiting.put(new Read(null, memory.take(), failure));
    } catch (InterruptedException e) {
      // Nothing waits for the end.
    }
  }

  /// Reads the next rows. Returns whether there are any.
  private boolean read(Statement statement) throws InterruptedException {
    BatchMemory taken = memory.take();
    RecordBatch rows = statement.next(taken);
    if (rows == null) {
      return false;
    }
    waiting.put(new Read(rows, taken, null));
    return true;
  }

  private static RuntimeException unchecked(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return failure instanceof RuntimeException exception
        ? exception
        : new IllegalStateException(failure);
  }

  /// Ends the statement, and frees all rows. Waits until the thread has ended, even if this one is
  /// interrupted: the engine would write to memory that is freed.
  @Override
  public void close() {
    closed = true;
    session.interrupt();
    boolean interrupted = false;
    while (thread.isAlive()) {
      thread.interrupt();
      try {
        thread.join(INTERRUPT_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    session.close();
    arena.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
