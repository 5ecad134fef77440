package dev.quiver.job;

import dev.quiver.job.JobStore.Stored;
import dev.quiver.memory.MemoryExhaustion;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A job of this service, from when it is queued to its end. Its thread runs it, and another one
/// writes its heartbeats.
final class RunningJob implements Runnable, JobMonitor {

  private static final Logger LOG = System.getLogger(RunningJob.class.getName());

  /// The number of times that the end of a job is written before it is left to be lost.
  private static final int END_ATTEMPTS = 5;

  private static final long PAUSE_MILLISECONDS = 200;

  private final JobStore store;
  private final InstantSource clock;
  private final JobWork work;
  private final Consumer<RunningJob> onEnd;
  private final AtomicBoolean closed = new AtomicBoolean();

  /// The state that this service wrote last. Guarded by `this`.
  private Stored written;

  /// Guarded by `this`.
  private boolean ended;

  /// Whether the service ends before the job does.
  private volatile boolean abandoned;

  private volatile boolean wanted = true;
  private volatile Supplier<JobProgress> measure = () -> JobProgress.UNKNOWN;

  /// @param written the state in which the job waits for its turn
  /// @param onEnd called once the work is closed
  RunningJob(
      JobStore store,
      InstantSource clock,
      Stored written,
      JobWork work,
      Consumer<RunningJob> onEnd) {
    this.store = store;
    this.clock = clock;
    this.written = written;
    this.work = work;
    this.onEnd = onEnd;
  }

  @Override
  public boolean isWanted() {
    return wanted;
  }

  @Override
  public void measureBy(Supplier<JobProgress> measurement) {
    measure = measurement;
  }

  @Override
  public void run() {
    try {
      begin();
      JobResult result = work.run(this);
      JobProgress last = measure.get();
      end(job ->
          job.done(
              result, new JobProgress(1.0, last.rowsRead(), last.rowsTotal()), clock.instant()));
    } catch (Throwable e) {
      MemoryExhaustion.endProcessIfCauseOf(e);
      if (wanted) {
        Map<String, Object> problem = work.problem(e);
        end(job -> job.failed(problem, measure.get(), clock.instant()));
      } else if (abandoned) {
        endLost();
      }
    } finally {
      close();
    }
  }

  private void endLost() {
    end(job -> job.ended(JobState.LOST, measure.get(), clock.instant()));
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

  /// Writes a heartbeat with the progress, and learns of a cancellation by another service.
  synchronized void beat() {
    if (!wanted || ended) {
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
      Stored latest = store.find(next.id());
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
    for (int attempt = 1; attempt <= END_ATTEMPTS; attempt++) {
      try {
        if (tryEnd(end)) {
          return;
        }
      } catch (IOException e) {
        LOG.log(Level.WARNING, "The end of a job was not written", e);
        pause();
      }
    }
  }

  /// @return whether the end is written, or another one was before
  private boolean tryEnd(End end) throws IOException {
    Job next = end.of(written.job());
    if (store.put(next, written.revision()) != null) {
      return true;
    }
    Stored latest = store.find(next.id());
    if (latest == null || !isOwn(latest)) {
      return true;
    }
    // A job that seemed lost may be done all the same.
    boolean corrects = next.state() == JobState.DONE && latest.job().state() == JobState.LOST;
    if (latest.job().state().isEnd() && !corrects) {
      return true;
    }
    written = latest;
    return false;
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Tells the work that it is not wanted anymore.
  void cancel() {
    wanted = false;
  }

  /// Ends the job with its service.
  void abandon() {
    abandoned = true;
    wanted = false;
  }

  /// Writes that a job is lost, of which no thread does.
  void closeAbandoned() {
    endLost();
    close();
  }

  /// Frees what the work holds. Has no effect after the first call.
  void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    try {
      work.close();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "What a job held was not freed", e);
    } finally {
      onEnd.accept(this);
    }
  }
}
