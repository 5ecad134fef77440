package dev.quiver.store.log;

import dev.quiver.arrow.parallel.Admission;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.MemoryExhaustion;
import dev.quiver.store.blob.FailureLog;
import dev.quiver.store.blob.Steps;
import dev.quiver.store.log.JobStore.Stored;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A job of this service, from when it is queued to its end. Its thread runs it, and another one
/// writes its heartbeats.
final class RunningJob implements Runnable, JobMonitor {

  private static final Logger LOG = System.getLogger(RunningJob.class.getName());

  private final JobStore store;
  private final InstantSource clock;
  private final String id;
  private final String owner;
  private final JobWork work;
  private final Admission turns;
  private final Consumer<RunningJob> onEnd;

  /// The work with the trace of the request that submitted it, and on the account of its claimant.
  private final Runnable carried;

  /// Whether the work does not wait for its turn any more: it has begun, or never will.
  private final AtomicBoolean begun = new AtomicBoolean();

  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicBoolean left = new AtomicBoolean();

  /// The state that this service wrote last. Guarded by `this`.
  private Stored written;

  /// Guarded by `this`.
  private boolean ended;

  /// The end that is still to be written, or null. Guarded by `this`.
  private @Nullable End pending;

  /// The end: the job's own, or otherwise the cancellation by a client.
  private volatile JobState endState = JobState.CANCELLED;

  private volatile boolean workClosed;

  /// Whether the service ends before the job does.
  private volatile boolean abandoned;

  private volatile boolean wanted = true;
  private volatile Supplier<JobProgress> measure = () -> JobProgress.UNKNOWN;

  /// @param written the state in which the job waits for its turn
  /// @param turns those in which jobs run, one of which the job waits for
  /// @param onEnd called once the work is closed and its end is written, or another one was
  RunningJob(
      JobStore store,
      InstantSource clock,
      Stored written,
      JobWork work,
      Admission turns,
      Consumer<RunningJob> onEnd) {
    this.store = store;
    this.clock = clock;
    this.written = written;
    this.id = written.job().id();
    this.owner = written.job().owner();
    this.work = work;
    this.turns = turns;
    this.onEnd = onEnd;
    // The client that has started the job may leave.
    this.carried = Cancellation.NEVER.call(() -> Steps.carried(this::takeTurn));
  }

  /// Returns whether a state is one of this attempt.
  boolean isOf(Job other) {
    return id.equals(other.id()) && owner.equals(other.owner());
  }

  /// Returns whether this is an attempt at the job with an id.
  boolean is(String other) {
    return id.equals(other);
  }

  /// Returns how the job ended.
  JobState endState() {
    return endState;
  }

  /// Returns whether the work is still wanted.
  boolean isWanted() {
    return wanted;
  }

  @Override
  public void measureBy(Supplier<JobProgress> measurement) {
    measure = measurement;
  }

  @Override
  public void run() {
    carried.run();
  }

  private void takeTurn() {
    try (Permit _ = Cancellation.when(() -> !wanted).call(turns::enterPatiently)) {
      if (!begun.getAndSet(true)) {
        work();
      }
    } catch (CancelledException | InterruptedIOException e) {
      withdraw();
    }
  }

  /// Frees what the job holds if it still waits for its turn, which it no longer wants. Has no
  /// effect once it has begun.
  void withdraw() {
    if (begun.getAndSet(true)) {
      return;
    }
    if (abandoned) {
      endLost();
    }
    close();
  }

  /// Returns whether the job waits for its turn.
  boolean isWaiting() {
    return !begun.get();
  }

  private void work() {
    try {
      begin();
      JobResult result = Cancellation.when(() -> !wanted).call(() -> work.run(this));
      JobProgress last = measure.get();
      JobProgress whole = new JobProgress(1.0, last.rowsRead(), last.rowsTotal());
      Instant now = clock.instant();
      end(job -> job.done(result, whole, now));
    } catch (Throwable e) {
      MemoryExhaustion.endProcessIfCauseOf(e);
      if (wanted) {
        Map<String, Object> problem = work.problem(e);
        JobProgress last = measure.get();
        Instant now = clock.instant();
        end(job -> job.failed(problem, last, now));
      } else if (abandoned) {
        endLost();
      }
    } finally {
      close();
    }
  }

  private void endLost() {
    JobProgress last = measure.get();
    Instant now = clock.instant();
    end(job -> job.ended(JobState.LOST, last, now));
  }

  @Override
  public void requireWanted() {
    if (!wanted) {
      throw new JobEndedException();
    }
  }

  private synchronized void begin() throws IOException {
    requireWanted();
    write(JobState.RUNNING, /* committing= */ false);
    requireWanted();
  }

  @Override
  public synchronized void beginCommit() throws IOException {
    requireWanted();
    write(JobState.RUNNING, /* committing= */ true);
    requireWanted();
  }

  /// Writes a heartbeat with the progress, and learns of an end that another service wrote. After
  /// the end, writes that if it could not be written yet.
  synchronized void beat() {
    if (ended) {
      if (pending != null) {
        writeEnd(/* again= */ true);
        leave();
      }
      return;
    }
    if (!wanted) {
      return;
    }
    try {
      write(written.job().state(), written.job().committing());
    } catch (IOException e) {
      // Until the job is lost, the next one may succeed.
      LOG.log(Level.WARNING, "A heartbeat of a job was not written: {0}", e.getMessage());
    }
  }

  /// Writes that the job is alive, unless it has ended meanwhile.
  private void write(JobState state, boolean committing) throws IOException {
    while (true) {
      Job next = written.job().alive(state, committing, measure.get(), clock.instant());
      Stored put = store.put(next, written.revision());
      if (put != null) {
        written = put;
        return;
      }
      Stored latest = store.find(id);
      if (latest == null || !isOwn(latest) || latest.job().state().isEnd()) {
        wanted = false;
        return;
      }
      written = latest;
    }
  }

  private boolean isOwn(Stored latest) {
    return latest.job().owner().equals(written.job().owner());
  }

  /// The state at the end, after the latest one.
  @FunctionalInterface
  private interface End {

    Job of(Job latest);
  }

  private synchronized void end(End end) {
    if (ended) {
      return;
    }
    ended = true;
    endState = end.of(written.job()).state();
    pending = end;
    writeEnd(/* again= */ false);
  }

  /// Writes the pending end after the latest state. If that fails, the next heartbeat tries again.
  private void writeEnd(boolean again) {
    try {
      if (again) {
        readLatest();
      }
      while (pending != null && store.put(pending.of(written.job()), written.revision()) == null) {
        readLatest();
      }
      pending = null;
    } catch (IOException | RuntimeException e) {
      FailureLog.log(LOG, Level.WARNING, "The end of a job is not written yet", e);
    }
  }

  /// Reads what was written last, and settles for it if it is an end.
  private void readLatest() throws IOException {
    Stored latest = store.find(id);
    if (latest == null || !isOwn(latest) || isFinal(latest.job())) {
      pending = null;
    } else {
      written = latest;
    }
  }

  /// Returns whether the pending end must not replace a state. A job that was lost while it was
  /// being committed may be done all the same.
  private boolean isFinal(Job latest) {
    boolean corrects =
        latest.state() == JobState.LOST
            && latest.committing()
            && pending != null
            && pending.of(latest).state() == JobState.DONE;
    return latest.state().isEnd() && !corrects;
  }

  /// Leaves the service once nothing is left to do.
  private synchronized void leave() {
    if (workClosed && pending == null && !left.getAndSet(true)) {
      onEnd.accept(this);
    }
  }

  /// Cancels the work.
  void cancel() {
    wanted = false;
  }

  /// Ends the job with its service.
  void abandon() {
    abandoned = true;
    wanted = false;
  }

  /// Frees what the work holds, even while its end is still to be written. Has no effect after the
  /// first call.
  void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    try (work) {
      if (endState == JobState.CANCELLED || endState == JobState.LOST) {
        work.stopped();
      }
    } catch (RuntimeException e) {
      FailureLog.log(LOG, Level.WARNING, "What a job held was not freed", e);
    } finally {
      workClosed = true;
      leave();
    }
  }
}
