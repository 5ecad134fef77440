package dev.quiver.store.catalog;

import dev.quiver.arrow.parallel.LruCache;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Reports changes of a dataset's data, regardless of which process makes them.
///
/// A commit of this process is reported immediately. For other processes, the store is polled once
/// a second for each dataset, however many wait for it.
public final class VersionWatch implements AutoCloseable {

  /// The time between two questions about a dataset.
  public static final Duration INTERVAL = Duration.ofSeconds(1);

  private static final Logger LOG = System.getLogger(VersionWatch.class.getName());

  /// Enough for hundreds of datasets in a remote store.
  private static final int THREADS = 4;

  private static final int KNOWN_NAMES_MAXIMUM = 1000;

  private final Catalog catalog;
  private final ScheduledThreadPoolExecutor executor;
  private final Map<DatasetName, Watched> watched = new ConcurrentHashMap<>();

  /// The versions that listeners were notified of, or would have been. A listener that comes back
  /// from one of them learns of the next without a question to the store.
  private final LruCache<DatasetName, VersionSummary> known = new LruCache<>(KNOWN_NAMES_MAXIMUM);

  VersionWatch(Catalog catalog) {
    this.catalog = catalog;
    AtomicInteger number = new AtomicInteger();
    this.executor =
        new ScheduledThreadPoolExecutor(
            THREADS,
            work ->
                Thread.ofPlatform()
                    .name("version-watch-" + number.incrementAndGet())
                    .daemon()
                    .unstarted(work));
    executor.setRemoveOnCancelPolicy(true);
  }

  /// A caller that waits for a change.
  public interface Listener {

    /// Is notified, once, that the data has changed since. It must return quickly.
    ///
    /// @param latest the version that was then the latest; it may be a delete
    void changed(VersionSummary latest);
  }

  /// A listener that waits until it is notified or this is closed.
  public interface Registration extends AutoCloseable {

    @Override
    void close();
  }

  /// Waits for a version with other data than `seen`.
  public Registration await(VersionSummary seen, Listener listener) {
    Waiting waiting = new Waiting(seen, listener);
    Watched dataset =
        watched.compute(
            seen.name(),
            (name, present) -> {
              Watched chosen = present == null ? new Watched(name) : present;
              chosen.waiting.add(waiting);
              return chosen;
            });
    VersionSummary latest = known.get(seen.name());
    if (latest != null && waiting.isNews(latest)) {
      executor.execute(() -> tell(latest));
    } else if (catalog.lastSeenVersion(seen.name()) > later(seen, latest)) {
      // Another request has seen it since the caller looked.
      dataset.askSoon();
    }
    return () -> forget(waiting);
  }

  private static long later(VersionSummary seen, @Nullable VersionSummary latest) {
    return latest == null ? seen.version() : Math.max(seen.version(), latest.version());
  }

  /// Notifies the listeners of a dataset of a committed version.
  void committed(VersionSummary latest) {
    known.merge(
        latest.name(), latest, (before, now) -> before.version() > now.version() ? before : now);
    tell(latest);
  }

  private void forget(Waiting waiting) {
    watched.computeIfPresent(
        waiting.seen.name(),
        (_, dataset) -> {
          dataset.waiting.remove(waiting);
          return dataset.keptOrEnded();
        });
  }

  private void tell(VersionSummary latest) {
    Set<Waiting> told = new HashSet<>();
    watched.computeIfPresent(
        latest.name(),
        (_, dataset) -> {
          dataset.waiting.stream().filter(waiting -> waiting.isNews(latest)).forEach(told::add);
          dataset.waiting.removeAll(told);
          return dataset.keptOrEnded();
        });
    told.forEach(waiting -> waiting.listener.changed(latest));
  }

  /// Returns the number of datasets that the store is asked for.
  int datasets() {
    return watched.size();
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }

  private record Waiting(VersionSummary seen, Listener listener) {

    /// A compaction keeps the commit id, since it changes no data.
    boolean isNews(VersionSummary latest) {
      return latest.version() > seen.version() && !latest.commitId().equals(seen.commitId());
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  /// A dataset with listeners. Its entry in the map guards them.
  private final class Watched {

    private final DatasetName name;
    private final Set<Waiting> waiting = new HashSet<>();
    private final Future<?> questions;
    private final AtomicBoolean isQuestionDue = new AtomicBoolean();

    Watched(DatasetName name) {
      this.name = name;
      this.questions =
          executor.scheduleWithFixedDelay(
              this::ask, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// Ends the questions once no listener is left.
    @Nullable Watched keptOrEnded() {
      if (waiting.isEmpty()) {
        questions.cancel(/* mayInterruptIfRunning= */ false);
        return null;
      }
      return this;
    }

    /// Asks before the next second. One question is enough for all listeners that want it until it
    /// is asked.
    void askSoon() {
      if (isQuestionDue.compareAndSet(false, true)) {
        executor.execute(this::ask);
      }
    }

    private void ask() {
      isQuestionDue.set(false);
      try {
        VersionSummary latest = catalog.newest(name);
        if (latest != null) {
          committed(latest);
        }
      } catch (IOException | RuntimeException e) {
        // The next question may succeed. Listeners wait no longer than they want to.
        LOG.log(Level.DEBUG, "The latest version of " + name + " is unknown", e);
      }
    }
  }
}
