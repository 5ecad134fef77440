package dev.quiver.dataset.catalog;

import dev.quiver.storage.BlobStore;
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
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Takes away what nobody needs any more: versions past their retention, and data that no version
/// names. Any number of processes may do so at once, and while others write.
///
/// What makes that right is age. Whoever commits names new blobs of at most half the grace, and
/// otherwise only what the version before names. So data that were past the grace when the
/// manifests were listed, and that none of these names, is named by none that comes later. The time
/// is looked at first, then data are listed, then manifests.
///
/// Names without data past the grace are not looked at: a version that is, has such data. For the
/// others, data and manifests are listed side by side, which takes a request for thousands of
/// names, and manifests are read unless nothing has changed since nothing could go.
public final class GarbageCollector {

  private static final Logger LOG = System.getLogger(GarbageCollector.class.getName());

  private static final int PAGE_SIZE = 10_000;
  private static final int MAXIMUM_SETTLED = 100_000;

  private final BlobStore store;
  private final Retention retention;
  private final InstantSource clock;
  private final int maximumKeys;

  /// The hashes of names of which nothing can go until something is committed. Two that are equal
  /// by chance leave something for later.
  private Set<Long> settled = Set.of();

  public GarbageCollector(BlobStore store, Retention retention, InstantSource clock) {
    this(store, retention, clock, 100_000);
  }

  /// @param maximumKeys how many keys of data are held in memory, roughly
  GarbageCollector(BlobStore store, Retention retention, InstantSource clock, int maximumKeys) {
    this.store = store;
    this.retention = retention;
    this.clock = clock;
    this.maximumKeys = maximumKeys;
  }

  /// Goes through the store once. A name of which a manifest cannot be read is logged, and left as
  /// it is.
  ///
  /// @param goesOn asked before each step; when it says no, the rest is left for another time
  /// @throws IOException when the store cannot be listed
  public synchronized GarbageStatistics run(BooleanSupplier goesOn) throws IOException {
    Pass pass = new Pass(clock.instant(), goesOn);
    String after = null;
    do {
      NavigableMap<String, Set<String>> old = new TreeMap<>();
      after = listOldData(pass.startedAt, after, old);
      pass.removeFrom(old);
    } while (after != null && goesOn.getAsBoolean());
    settled = pass.settled;
    return pass.removed;
  }

  /// Adds keys of data that are past the grace to those of their names.
  ///
  /// @return where to go on, null at the end
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

  /// What is not the key of one of our blobs is left alone.
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
    private final BooleanSupplier goesOn;
    private final Set<Long> settled = new HashSet<>();
    private GarbageStatistics removed = GarbageStatistics.NOTHING;

    Pass(Instant startedAt, BooleanSupplier goesOn) {
      this.startedAt = startedAt;
      this.goesOn = goesOn;
    }

    /// @param old keys of data, by the folders of their names
    void removeFrom(NavigableMap<String, Set<String>> old) throws IOException {
      NavigableMap<String, Set<String>> left = new TreeMap<>(old);
      List<String> manifests = new ArrayList<>();
      String after = old.isEmpty() ? null : StoreKeys.MANIFESTS + old.firstKey();
      while (after != null && goesOn.getAsBoolean()) {
        List<String> page = store.list(StoreKeys.MANIFESTS, after, PAGE_SIZE);
        for (String key : page) {
          if (!manifests.isEmpty() && !isOfOneName(key, manifests.getFirst())) {
            removeFrom(manifests, left);
            manifests = new ArrayList<>();
          }
          if (old.containsKey(StoreKeys.folder(key))) {
            manifests.add(key);
          }
        }
        after = page.size() < PAGE_SIZE ? null : next(page.getLast(), old);
      }
      if (!manifests.isEmpty()) {
        removeFrom(manifests, left);
      }
      // Nobody ever committed these, or not before a crash.
      for (Map.Entry<String, Set<String>> unnamed : left.entrySet()) {
        removeFrom(unnamed.getKey(), List.of(), unnamed.getValue());
      }
    }

    /// After which key to go on: names without old data are passed over.
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

    /// @param left what is taken from this
    private void removeFrom(List<String> manifests, NavigableMap<String, Set<String>> left) {
      String folder = StoreKeys.folder(manifests.getFirst());
      removeFrom(folder, manifests, Objects.requireNonNull(left.remove(folder)));
    }

    private void removeFrom(String folder, List<String> manifests, Set<String> data) {
      if (!goesOn.getAsBoolean()) {
        return;
      }
      long hash =
          (long) manifests.hashCode() << Integer.SIZE | Integer.toUnsignedLong(data.hashCode());
      boolean isSettled = GarbageCollector.this.settled.contains(hash);
      if (!isSettled) {
        DatasetSweep sweep = new DatasetSweep(store, retention, startedAt, goesOn, data);
        try {
          isSettled = sweep.run(manifests);
        } catch (IOException e) {
          LOG.log(Level.ERROR, "Nothing more is removed at " + StoreKeys.DATA + folder, e);
        }
        removed = removed.plus(sweep.removed());
      }
      if (isSettled && settled.size() < MAXIMUM_SETTLED) {
        settled.add(hash);
      }
    }
  }
}
