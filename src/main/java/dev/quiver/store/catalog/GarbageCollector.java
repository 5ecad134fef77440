package dev.quiver.store.catalog;

import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.FailureLog;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.StoreKeys;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Deletes versions past their retention, and data that no version names. Any number of processes
/// may collect at once, and while others write.
///
/// Age makes that safe. A commit names new blobs aged at most half the grace period, and otherwise
/// only blobs that the version before it names. Therefore, if a blob is past the grace period and
/// none of the listed manifests names it, no later manifest can name it either. The clock is read
/// first, then data is listed, then manifests.
///
/// Names without data past the grace period are skipped: a version past its retention always has
/// such data. A dataset that has expired cannot be read, and is deleted once its data is that old.
/// Data whose name has no manifest is deleted if a run before this one has found none either, and
/// if the store has any manifest: in a store that is being restored, manifests may come last. For
/// the other names, data and manifests are listed side by side, which takes one request for
/// thousands of names. Their manifests are not read if the last run could delete nothing and
/// nothing has changed since.
public final class GarbageCollector {

  private static final Logger LOG = System.getLogger(GarbageCollector.class.getName());

  private static final int PAGE_SIZE = 10_000;
  private static final int MAXIMUM_SETTLED = 100_000;

  private final BlobStore store;
  private final Retention retention;
  private final InstantSource clock;
  private final Expired expired;
  private final int maximumKeys;

  /// The folders of data that no manifest named in the last run.
  private Set<String> unnamed = Set.of();

  /// The hashes of names where nothing can be deleted until the next commit. If two hashes collide,
  /// some garbage is deleted later.
  private Set<Long> settled = Set.of();

  /// @param expired deletes a dataset whose latest version has expired
  public GarbageCollector(
      BlobStore store, Retention retention, InstantSource clock, Expired expired) {
    this(store, retention, clock, expired, 100_000);
  }

  /// @param maximumKeys the approximate maximum number of data keys in memory
  GarbageCollector(
      BlobStore store, Retention retention, InstantSource clock, Expired expired, int maximumKeys) {
    this.store = store;
    this.retention = retention;
    this.clock = clock;
    this.expired = expired;
    this.maximumKeys = maximumKeys;
  }

  /// The deletion of a dataset whose latest version has expired.
  public interface Expired {

    void delete(DatasetName name) throws IOException;
  }

  /// Collects the garbage of the whole store once. A name with an unreadable manifest is logged and
  /// skipped. If the [Cancellation] is requested, the rest is left for another run.
  ///
  /// @throws IOException if the store cannot be listed, or is lost meanwhile
  public synchronized GarbageStatistics run() throws IOException {
    Pass pass = new Pass(clock.instant());
    String after = null;
    do {
      NavigableMap<String, Set<String>> old = new TreeMap<>();
      after = listOldData(pass.startedAt, after, old);
      pass.collect(old);
    } while (after != null && !pass.cancellation.isRequested());
    settled = pass.settled;
    unnamed = pass.unnamed;
    return pass.deleted;
  }

  /// Adds keys of data past the grace period to the keys of their names.
  ///
  /// @return the key to continue after, or null at the end
  private @Nullable String listOldData(
      Instant now, @Nullable String after, NavigableMap<String, Set<String>> old)
      throws IOException {
    int limit = Math.min(PAGE_SIZE, maximumKeys);
    String last = after;
    for (int count = 0; count < maximumKeys; ) {
      List<String> page = store.list(StoreKeys.DATA, last, limit);
      for (String key : page) {
        if (pastGracePeriod(key, now)) {
          old.computeIfAbsent(StoreKeys.folder(key), _ -> new HashSet<>()).add(key);
          count++;
        }
      }
      if (page.size() < limit) {
        return null;
      }
      last = page.getLast();
    }
    return last;
  }

  /// Returns whether a data blob is past the grace period. Keys of unknown form never are.
  private boolean pastGracePeriod(String key, Instant now) {
    int end = key.indexOf('/', StoreKeys.DATA.length());
    try {
      return end == key.lastIndexOf('/') && retention.pastGracePeriod(StoreKeys.time(key), now);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /// One run.
  private final class Pass {

    private final Instant startedAt;
    private final Cancellation cancellation = Cancellation.current();
    private final Set<Long> settled = new HashSet<>();
    private final Set<String> unnamed = new HashSet<>();
    private GarbageStatistics deleted = GarbageStatistics.NOTHING;

    Pass(Instant startedAt) {
      this.startedAt = startedAt;
    }

    /// @param old keys of data, by the folders of their names
    /// @throws IOException if the store fails as a whole
    void collect(NavigableMap<String, Set<String>> old) throws IOException {
      NavigableMap<String, Set<String>> remaining = new TreeMap<>(old);
      List<String> manifests = new ArrayList<>();
      String after = old.isEmpty() ? null : StoreKeys.MANIFESTS + old.firstKey();
      while (after != null && !cancellation.isRequested()) {
        List<String> page = StoreKeys.listManifests(store, StoreKeys.MANIFESTS, after, PAGE_SIZE);
        for (String key : page) {
          if (!manifests.isEmpty() && !isOfOneName(key, manifests.getFirst())) {
            collect(manifests, remaining);
            manifests = new ArrayList<>();
          }
          if (old.containsKey(StoreKeys.folder(key))) {
            manifests.add(key);
          }
        }
        after = page.size() < PAGE_SIZE ? null : next(page.getLast(), old);
      }
      if (after != null) {
        // The names that were not listed may have manifests.
        return;
      }
      if (!manifests.isEmpty()) {
        collect(manifests, remaining);
      }
      collectUnnamed(remaining);
    }

    /// Deletes data that was never committed, or whose writer crashed before the commit.
    private void collectUnnamed(Map<String, Set<String>> data) throws IOException {
      if (data.isEmpty()) {
        return;
      }
      if (StoreKeys.listManifests(store, StoreKeys.MANIFESTS, null, 1).isEmpty()) {
        LOG.log(
            Level.ERROR,
            "Expected manifests but found none beside data of {0} datasets; no data is deleted",
            data.size());
        return;
      }
      for (Map.Entry<String, Set<String>> folder : data.entrySet()) {
        if (GarbageCollector.this.unnamed.contains(folder.getKey())) {
          collect(folder.getKey(), List.of(), folder.getValue());
        } else if (unnamed.size() < MAXIMUM_SETTLED) {
          unnamed.add(folder.getKey());
        }
      }
    }

    /// Returns the key to continue after, skipping names without old data.
    private static @Nullable String next(String last, NavigableMap<String, Set<String>> old) {
      String folder = StoreKeys.folder(last);
      if (old.containsKey(folder)) {
        return last;
      }
      String next = old.higherKey(folder);
      return next == null ? null : StoreKeys.MANIFESTS + next;
    }

    private static boolean isOfOneName(String key, String other) {
      return StoreKeys.folder(key).equals(StoreKeys.folder(other));
    }

    /// @param remaining the data of the names not yet collected, from which this name's data is
    ///   removed
    private void collect(List<String> manifests, NavigableMap<String, Set<String>> remaining)
        throws IOException {
      String folder = StoreKeys.folder(manifests.getFirst());
      collect(folder, manifests, Objects.requireNonNull(remaining.remove(folder)));
    }

    private void collect(String folder, List<String> manifests, Set<String> data)
        throws IOException {
      if (cancellation.isRequested()) {
        return;
      }
      long hash =
          (long) manifests.hashCode() << Integer.SIZE | Integer.toUnsignedLong(data.hashCode());
      boolean isSettled = GarbageCollector.this.settled.contains(hash);
      if (!isSettled) {
        DatasetSweep sweep = new DatasetSweep(store, retention, startedAt, data);
        try {
          isSettled = sweep.run(manifests);
          DatasetName ended = sweep.expired();
          if (ended != null) {
            expired.delete(ended);
          }
        } catch (IOException e) {
          if (!store.isReachable()) {
            throw e;
          }
          FailureLog.log(
              LOG, Level.ERROR, "Garbage collection failed at " + StoreKeys.DATA + folder, e);
        }
        deleted = deleted.plus(sweep.deleted());
      }
      if (isSettled && settled.size() < MAXIMUM_SETTLED) {
        settled.add(hash);
      }
    }
  }
}
