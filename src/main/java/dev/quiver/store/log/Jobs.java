package dev.quiver.store.log;

import dev.quiver.arrow.parallel.Admission;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.MemoryExhaustion;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.FailureLog;
import dev.quiver.store.log.JobStore.Stored;
import dev.quiver.store.version.Ulid;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/// The jobs of a store, and those among them that this service runs.
///
/// Each change of a job is a conditional write, so that any service that shares the store may read
/// and cancel it. The service that runs a job writes heartbeats. A job without them is lost. Shared
/// by threads.
public final class Jobs implements AutoCloseable {

  private static final Logger LOG = System.getLogger(Jobs.class.getName());

  private static final Duration END_PATIENCE = Duration.ofSeconds(10);
  private static final int PAGE_SIZE = 1_000;

  private final JobStore store;
  private final JobOptions options;
  private final InstantSource clock;
  private final Admission places;

  /// The turns in which jobs run.
  private final Admission turns;

  /// A thread for each job, also for one that waits for its turn.
  private final ExecutorService threads;

  private final ScheduledExecutorService heart;

  /// The jobs that this service runs, or whose ends it has not written yet.
  private final Set<RunningJob> own = ConcurrentHashMap.newKeySet();

  /// The numbers of jobs of this service that ended in each state.
  private final AtomicLongArray endCounts = new AtomicLongArray(JobState.values().length);

  private volatile boolean closed;

  public Jobs(BlobStore store, JobOptions options) {
    this(store, options, InstantSource.system());
    long interval = options.heartbeatInterval().toMillis();
    heart.scheduleWithFixedDelay(this::beat, interval, interval, TimeUnit.MILLISECONDS);
  }

  /// Heartbeats are written only by [#beat].
  ///
  /// @param clock the source of the times of heartbeats and ends
  Jobs(BlobStore store, JobOptions options, InstantSource clock) {
    this.store = new JobStore(store);
    this.options = options;
    this.clock = clock;
    int count = Math.toIntExact(options.running().maximum());
    int placeCount = Math.toIntExact(count + options.queued().maximum());
    this.places =
        new Admission(
            "Expected at most %d jobs at a time but found more (%s, %s)"
                .formatted(placeCount, options.running().name(), options.queued().name()),
            placeCount,
            /* queueMaximum= */ 0,
            Duration.ZERO);
    this.turns = Admission.ofPatient(count);
    this.threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().name("job-", 0).daemon().factory());
    this.heart =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("job-heartbeats").daemon().factory());
  }

  /// Takes a place for a job.
  ///
  /// @throws OverloadedException if none is free
  public Permit takePlace() throws IOException {
    if (closed) {
      throw new OverloadedException("Expected a place for a job but found the service ending");
    }
    return places.enter();
  }

  /// Returns an id that no job has.
  public String newId() {
    return Ulid.next(clock.instant());
  }

  /// Queues a job, unless one with its id waits, runs or is done.
  ///
  /// @param place given back at the end of the job
  /// @param dataset the name of the dataset to write, or null if it is generated
  /// @param work closed at its end, or by this method if the job is not queued
  /// @return the job with the id
  public Job submit(Permit place, String id, @Nullable String dataset, JobWork work)
      throws IOException {
    String owner = Ulid.next(clock.instant());
    boolean queued = false;
    try {
      while (true) {
        Stored present = store.find(id);
        Job seen = present == null ? null : seen(present);
        if (seen != null && !mayTryAgain(seen)) {
          return seen;
        }
        Job job =
            Job.queued(id, owner, dataset, work.principal(), work.requestId(), clock.instant());
        Stored put = store.put(job, present == null ? JobStore.NONE : present.revision());
        if (put != null) {
          queued = true;
          queue(put, work, place);
          return job;
        }
      }
    } finally {
      if (!queued) {
        try (place) {
          work.close();
        }
      }
    }
  }

  private static boolean mayTryAgain(Job seen) {
    return switch (seen.state()) {
      case QUEUED, RUNNING, DONE -> false;
      case FAILED, CANCELLED, LOST -> true;
    };
  }

  private void queue(Stored put, JobWork work, Permit place) {
    RunningJob job =
        new RunningJob(
            store,
            clock,
            put,
            work,
            turns,
            ended -> {
              own.remove(ended);
              endCounts.incrementAndGet(ended.endState().ordinal());
              place.close();
            });
    own.add(job);
    if (closed) {
      job.abandon();
    }
    try {
      threads.execute(job);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // The service ends, or the system grants no more threads.
      job.withdraw();
    }
  }

  /// Returns a job, or null if it does not exist.
  public @Nullable Job find(String id) throws IOException {
    Stored found = JobStore.isId(id) ? settled(store.find(id)) : null;
    return found == null ? null : found.job();
  }

  /// Returns a job as its last heartbeat lets it appear. A job of this service needs no heartbeat,
  /// so that a jump of the clock does not end it.
  private Job seen(Stored stored) {
    return own.stream().anyMatch(job -> job.isOf(stored.job()))
        ? stored.job()
        : stored.job().seenAt(clock.instant(), options.lostAfter());
  }

  /// Returns a job as clients may see it. One without heartbeats is lost, which is written before
  /// it is shown, so that its service cannot commit it afterwards.
  private @Nullable Stored settled(@Nullable Stored found) throws IOException {
    Stored latest = found;
    while (latest != null) {
      Job seen = seen(latest);
      if (seen.state() == latest.job().state()) {
        return latest;
      }
      Stored put = store.put(seen, latest.revision());
      if (put != null) {
        return put;
      }
      latest = store.find(seen.id());
    }
    return null;
  }

  /// Returns whether a text has the form of an id.
  public static boolean isId(String text) {
    return JobStore.isId(text);
  }

  /// Returns jobs in the order of their ids, without the members of their problems and results.
  ///
  /// @param afterId the id after which to start, or null to start with the first
  public List<Job> list(@Nullable String afterId, int limit) throws IOException {
    List<Job> jobs = new ArrayList<>();
    for (Stored found : store.list(afterId, limit)) {
      Stored settled = settled(found);
      if (settled != null) {
        jobs.add(settled.job());
      }
    }
    return jobs;
  }

  /// Cancels a job that waits or runs. Afterwards, it cannot store anything anymore.
  ///
  /// @return the job as it is now: it was not cancelled if it had ended or is being committed. Null
  ///   if it does not exist
  public @Nullable Job cancel(String id) throws IOException {
    while (JobStore.isId(id)) {
      Stored found = settled(store.find(id));
      if (found == null) {
        return null;
      }
      Job job = found.job();
      if (job.state().isEnd() || job.committing()) {
        return job;
      }
      Job cancelled = job.ended(JobState.CANCELLED, job.progress(), clock.instant());
      if (store.put(cancelled, found.revision()) != null) {
        cancelOwn(id);
        return cancelled;
      }
    }
    return null;
  }

  /// Ends a job that this service runs at once. Another service learns of it by its next heartbeat.
  private void cancelOwn(String id) {
    for (RunningJob job : own) {
      if (job.is(id)) {
        job.cancel();
        job.withdraw();
      }
    }
  }

  /// Writes a heartbeat for each job of this service, or its end if that could not be written yet.
  void beat() {
    for (RunningJob job : own) {
      try {
        job.beat();
      } catch (RuntimeException | Error e) {
        // Otherwise there would be no further heartbeat of any job.
        MemoryExhaustion.endProcessIfCauseOf(e);
        FailureLog.log(LOG, Level.WARNING, "A heartbeat of a job failed", e);
      }
      if (!job.isWanted()) {
        job.withdraw();
      }
    }
  }

  /// Settles lost jobs, and deletes those whose retention is over. If the [Cancellation] is
  /// requested, the rest is left for another time.
  ///
  /// @return the number of deleted jobs
  public int collectGarbage() throws IOException {
    Cancellation cancellation = Cancellation.current();
    int deleted = 0;
    String after = null;
    List<Stored> page;
    do {
      page = store.list(after, PAGE_SIZE);
      for (Stored stored : page) {
        if (cancellation.isRequested()) {
          return deleted;
        }
        after = stored.job().id();
        if (collect(stored)) {
          deleted++;
        }
      }
    } while (page.size() == PAGE_SIZE);
    return deleted;
  }

  /// @return whether the job was deleted
  private boolean collect(Stored stored) throws IOException {
    Stored settled = settled(stored);
    Instant endedAt = settled == null ? null : settled.job().endedAt();
    if (endedAt == null || clock.instant().isBefore(endedAt.plus(options.retention()))) {
      return false;
    }
    store.delete(stored.job().id());
    return true;
  }

  /// Returns the number of jobs of this service that run.
  public int runningCount() {
    return turns.takenCount();
  }

  /// Returns the number of jobs of this service that ended in a state.
  public long endedCount(JobState state) {
    return endCounts.get(state.ordinal());
  }

  /// Returns the number of jobs of this service that wait.
  public int queuedCount() {
    return (int) own.stream().filter(RunningJob::isWaiting).count();
  }

  /// Ends all jobs of this service, which are lost.
  @Override
  public void close() {
    closed = true;
    heart.shutdown();
    own.forEach(RunningJob::abandon);
    for (RunningJob job : List.copyOf(own)) {
      job.withdraw();
    }
    threads.shutdown();
    try {
      if (!threads.awaitTermination(END_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.log(Level.WARNING, "Jobs are still running while the service stops");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    // The last attempt to write the ends that could not be written yet.
    beat();
  }
}
