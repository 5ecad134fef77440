package dev.quiver.sql.execution;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.sql.worker.DamagedRange;
import dev.quiver.sql.worker.Failure;
import dev.quiver.sql.worker.FailureKind;
import dev.quiver.sql.worker.FrameChannel;
import dev.quiver.sql.worker.FrameType;
import dev.quiver.sql.worker.Payload;
import dev.quiver.sql.worker.RunRequest;
import dev.quiver.sql.worker.SheetRequest;
import dev.quiver.sql.worker.WorkerFrame;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.Steps;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// The use of a worker by one statement: to parse it, or to run it until the last byte of its
/// result.
///
/// A thread of its own moves the result from the worker to a [ResultBuffer]. The worker is free as
/// soon as it has sent everything, however slowly the client reads.
public final class WorkerLease implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(WorkerLease.class.getName());

  /// Ignores the rows that a statement of the service reads.
  private static final LongConsumer NOT_COUNTED = _ -> {};

  private final Workers workers;
  private final Principal principal;
  private final WorkerProcess worker;
  private final StatementTime.Running time;
  private final boolean isSecond;
  private final Deadline deadline;
  private final long begun = System.nanoTime();
  private @Nullable Thread pump;

  /// The receiver of the last streamed result.
  private @Nullable FrameReceiver receiver;

  private final AtomicBoolean released = new AtomicBoolean();
  private volatile boolean cancelled;

  /// Whether the worker can run another statement: false while a response is still to come, which
  /// the next statement would take for its own.
  private boolean healthy = true;

  /// Waits for a worker for a new statement, which is to be parsed, and starts its time.
  ///
  /// @param principal the origin of the statement
  /// @param limit the milliseconds that such a statement may take
  /// @throws OverloadedException if too many statements wait, or wait for too long
  /// @throws CancelledException if the statement is no longer wanted
  public static WorkerLease of(Workers workers, Principal principal, Limit limit)
      throws IOException {
    WorkerProcess worker = workers.acquire(principal);
    return new WorkerLease(
        workers, principal, worker, StatementTime.of(limit), /* isSecond= */ false);
  }

  /// Waits for a worker for a statement that was parsed, and goes on with its time.
  ///
  /// @param principal the origin of the statement
  /// @throws CancelledException if the statement is no longer wanted
  public static WorkerLease again(Workers workers, Principal principal, StatementTime time)
      throws IOException {
    WorkerProcess worker = workers.acquireAgain(principal);
    return new WorkerLease(workers, principal, worker, time, /* isSecond= */ false);
  }

  private WorkerLease(
      Workers workers,
      Principal principal,
      WorkerProcess worker,
      StatementTime time,
      boolean isSecond) {
    this.workers = workers;
    this.principal = principal;
    this.worker = worker;
    this.time = time.begin();
    this.isSecond = isSecond;
    this.deadline = new Deadline(worker, time.left());
  }

  /// A part of a statement in the worker of a lease, to which nothing is added by a second time.
  @FunctionalInterface
  public interface Step<T extends @Nullable Object> {

    /// @param lease closed by this, or later by the caller
    T run(WorkerLease lease) throws IOException;
  }

  /// Runs a step in this lease, and if its worker ends by itself, once more in a fresh one, in the
  /// time that is left.
  ///
  /// @throws SqlException.WorkerLost if that ends, too
  public <T extends @Nullable Object> T attempt(Step<T> step) throws IOException {
    try {
      return step.run(this);
    } catch (SqlException.WorkerLost e) {
      close();
      StatementTime rest = time.rest();
      WorkerProcess fresh = workers.acquireFresh(principal);
      return step.run(new WorkerLease(workers, principal, fresh, rest, /* isSecond= */ true));
    }
  }

  public String engineVersion() {
    return worker.status().engineVersion();
  }

  /// Returns the syntax tree of a statement as JSON.
  public String parse(String sql) throws IOException {
    try {
      healthy = false;
      worker.channel().write(FrameType.PARSE, sql);
      WorkerFrame frame = worker.channel().read();
      healthy = true;
      return switch (frame.type()) {
        case TREE -> frame.text();
        case FAILED -> throw failure(Failure.read(Payload.of(frame)), sql, 0);
        default -> throw unexpected(frame);
      };
    } catch (IOException e) {
      throw lost(e);
    }
  }

  /// Prepares a statement without running it.
  ///
  /// @param request the statement and the places of its stored files
  public void bind(Run run, RunRequest request) throws IOException {
    try {
      FrameChannel channel = worker.channel();
      healthy = false;
      channel.write(FrameType.BIND, request);
      WorkerFrame frame = channel.read();
      if (isGone(frame)) {
        channel.write(FrameType.BIND, run.again());
        frame = channel.read();
      }
      healthy = true;
      switch (frame.type()) {
        case DONE -> {}
        case FAILED -> throw failure(run, Failure.read(Payload.of(frame)));
        default -> throw unexpected(frame);
      }
    } catch (IOException e) {
      throw lost(e);
    }
  }

  /// Starts to run a statement.
  ///
  /// @param request the statement and the places of its stored files
  /// @param rowsRead accepts the rows that were read of the versions, by the thread of the result
  public void run(Run run, RunRequest request, ResultBuffer result, LongConsumer rowsRead) {
    send(FrameType.RUN, request);
    pump =
        Thread.ofPlatform()
            .name("sql-result")
            .daemon()
            .start(Steps.carried(new ResultPump(this, run, result, rowsRead)));
  }

  /// Reads a sheet of a workbook in the folder of this lease. The caller reads its text as it
  /// comes: the worker waits for the caller.
  ///
  /// @param failures returns the exception for a message about the file
  /// @throws dev.quiver.arrow.memory.TooLargeInputException while it is read, if the parts of the
  ///   workbook inflate to more than the request allows
  public ByteSource sheet(SheetRequest request, Function<String, RuntimeException> failures) {
    return stream(
        FrameType.SHEET,
        request,
        /* again= */ null,
        NOT_COUNTED,
        failure ->
            switch (failure.kind()) {
              case OTHER -> failures.apply(failure.message());
              case TOO_LARGE ->
                  request
                      .inflated()
                      .exceeded("inflated bytes in a workbook", InputLocation.UNKNOWN);
              default -> failure(failure, "", 0);
            });
  }

  /// Runs a statement over stored versions, whose result the caller reads as it comes.
  ///
  /// @param request the statement and the places of its stored files
  /// @param rowsRead accepts the rows that were read of the versions, now and then, by the reading
  ///   thread
  public ByteSource stream(Run run, RunRequest request, LongConsumer rowsRead) {
    return stream(FrameType.RUN, request, run, rowsRead, failure -> failure(run, failure));
  }

  /// Runs a statement of the service, which no failure quotes.
  ///
  /// @param source of the request, which is sent again if a stored file has moved
  public ByteSource stream(RequestSource source) throws IOException {
    return stream(
        FrameType.RUN, source.request(), source, NOT_COUNTED, failure -> failure(failure, "", 0));
  }

  /// Runs a statement of the service to its end, without its result.
  ///
  /// @param source of the request, which is sent again if a stored file has moved
  public void execute(RequestSource source) throws IOException {
    ByteSource result = stream(source);
    MemorySegment end = MemorySegment.ofArray(new byte[Long.BYTES]);
    while (result.read(end) >= 0) {
      // Discarded.
    }
  }

  /// @param again the source of the request if a stored file has moved, or null if none can
  private ByteSource stream(
      FrameType type,
      Payload request,
      @Nullable RequestSource again,
      LongConsumer rowsRead,
      Function<Failure, RuntimeException> failures) {
    send(type, request);
    return new StreamedResult(this, again, rowsRead, failures);
  }

  /// Sends a request. A statement gets the threads that it may have beside the ones that run now.
  private void send(FrameType type, Payload request) {
    healthy = false;
    try {
      worker
          .channel()
          .write(
              type,
              request instanceof RunRequest statement
                  ? statement.withThreadCount(workers.threadShare())
                  : request);
    } catch (IOException e) {
      throw lost(e);
    }
  }

  /// Starts to receive the response to the last request.
  FrameReceiver receive() {
    FrameReceiver started = new FrameReceiver(worker.channel());
    receiver = started;
    return started;
  }

  /// Waits for the next frame of the response.
  WorkerFrame read() throws IOException {
    return worker.channel().read();
  }

  /// Sends a statement whose stored files have moved again.
  void runAgain(RequestSource moved) {
    send(FrameType.RUN, moved.again());
  }

  /// Records that the whole response has arrived.
  void answered() {
    healthy = true;
  }

  /// Returns the folder whose files the statements of this lease reach.
  public Path filesFolder() {
    return worker.filesFolder();
  }

  static boolean isGone(WorkerFrame frame) throws IOException {
    return frame.type() == FrameType.FAILED
        && Failure.read(Payload.of(frame)).kind() == FailureKind.GONE;
  }

  /// Ends the statement, whose result nothing waits for.
  void cancel() {
    cancelled = true;
    deadline.expire();
  }

  /// Gives the worker back, once.
  void release() {
    if (!released.getAndSet(true)) {
      deadline.close();
      if (deadline.isKilled()) {
        workers.countKilled();
      }
      Steps.record(
          "worker", System.nanoTime() - begun, Map.of("healthy", Boolean.toString(healthy)));
      workers.release(worker, healthy && !deadline.isKilled());
    }
  }

  /// Gives the worker back. If its statement runs, that ends soon and gives it back.
  @Override
  public void close() {
    if (pump == null) {
      release();
      if (receiver != null) {
        receiver.close();
      }
    } else {
      cancel();
    }
  }

  RuntimeException failure(Run run, Failure failure) {
    return failure.kind() == FailureKind.DAMAGED
        ? run.damage(DamagedRange.parse(failure.message()))
        : failure(failure, run.sql(), utf8ByteSize(run.prefix()));
  }

  /// @param prefixByteSize the bytes before the statement that the client did not write
  private RuntimeException failure(Failure failure, String sql, int prefixByteSize) {
    return switch (failure.kind()) {
      case MEMORY -> {
        // Pieces of its memory may stay behind, too many for the next statement.
        healthy = false;
        yield memory();
      }
      case INTERRUPTED -> cancelled ? new CancelledException() : time.time().exceeded();
      case FATAL -> {
        // The engine of the worker runs no further statement. The same one would fail again.
        healthy = false;
        yield StatementFailure.of(failure, sql, prefixByteSize);
      }
      default -> StatementFailure.of(failure, sql, prefixByteSize);
    };
  }

  /// Returns the failure of a statement whose worker has ended: that of its time, its memory, its
  /// client or the service, if one of these is the reason.
  RuntimeException lost(IOException e) {
    healthy = false;
    if (cancelled) {
      return new CancelledException();
    }
    if (deadline.hasPassed()) {
      return time.time().exceeded();
    }
    if (workers.isClosed()) {
      return Workers.ending();
    }
    String exit = worker.exit();
    String log = worker.log();
    if (WorkerProcess.hasExhaustedMemory(log)) {
      return memory();
    }
    LOG.log(
        System.Logger.Level.WARNING, "A worker ended before its statement: {0}, {1}", exit, log);
    return new SqlException.WorkerLost(
        "Expected a result but found that the process of the statement had ended"
            + (isSecond ? ", and so had that of a second attempt" : ""));
  }

  private SqlException memory() {
    return new SqlException.TooLarge(
        "Expected a statement that needs at most %d bytes of memory but found one that needs more"
            .formatted(workers.options().memory().maximum()),
        workers.options().memory(),
        /* hint= */ null);
  }

  static IOException unexpected(WorkerFrame frame) {
    return new IOException("Expected a frame of a worker but found " + frame.type());
  }

  private static int utf8ByteSize(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
