package dev.quiver.store.catalog;

import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.ConcurrentRequests;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.blob.StoreUnavailableException;
import dev.quiver.store.catalog.DatasetMatches.Match;
import dev.quiver.store.catalog.DatasetOrder.Position;
import dev.quiver.store.version.DamagedBlobException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.Manifest;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Lists the latest versions of all datasets that are not deleted and have not expired.
///
/// A prefix of names is a prefix of keys, so the store lists only those. The manifests of names
/// that do not pass a filter are not read. A dataset with a damaged manifest is listed as
/// [damaged][VersionKind#DAMAGED], and one with a manifest that is unreadable otherwise is omitted,
/// so that the others are still listed.
public final class DatasetListing {

  private static final Logger LOG = System.getLogger(DatasetListing.class.getName());

  private static final int PAGE_SIZE = 1000;
  private static final int EARLIER_NAMES_MAXIMUM = 10_000;

  /// The number of manifests that all lists together request at once from a remote store, and that
  /// all scans do.
  private static final int MAXIMUM_REQUESTS = 32;

  private final BlobStore store;
  private final ManifestCache cache;
  private final InstantSource clock;
  private final ConcurrentRequests requests;
  private final DatasetScan scan;
  private final EarlierNames earlierNames;
  private final KnownNames knownNames = new KnownNames();
  private final AtomicLong commits = new AtomicLong();

  DatasetListing(BlobStore store, ManifestCache cache, InstantSource clock) {
    this.store = store;
    this.cache = cache;
    this.clock = clock;
    this.requests = new ConcurrentRequests(store, MAXIMUM_REQUESTS);
    this.earlierNames = new EarlierNames(store, this::summaries, knownNames, EARLIER_NAMES_MAXIMUM);
    this.scan = new DatasetScan(store, clock, MAXIMUM_REQUESTS, new ListedManifests());
  }

  /// Passes datasets on in the order of their names, page by page. Takes constant memory.
  ///
  /// @param after the place after which to start, or null to start with the first name
  /// @param limit the maximum number of datasets
  public void list(
      DatasetFilter filter,
      @Nullable Position after,
      long limit,
      PageTurns turns,
      DatasetPages pages)
      throws IOException {
    DatasetNames names = new DatasetNames(store, filter, after);
    long remaining = limit;
    do {
      List<VersionSummary> found;
      try (Permit _ = turns.await()) {
        found = summaries(names.next(batchSize(remaining)));
      }
      pages.accept(found.subList(0, (int) Math.min(remaining, found.size())));
      remaining -= found.size();
    } while (remaining > 0 && names.hasNext());
  }

  /// Returns how many manifests to read at once for a number of datasets. From a remote store,
  /// manifests of deleted datasets must not come one by one.
  private int batchSize(long datasets) {
    return (int) Math.clamp(datasets, store.isRemote() ? MAXIMUM_REQUESTS : 1, PAGE_SIZE);
  }

  /// Looks at all datasets that pass a filter.
  ///
  /// @param kept how many of them to return
  /// @param maximum the number of datasets at which to stop
  public DatasetMatches matches(DatasetFilter filter, int kept, long maximum, PageTurns turns)
      throws IOException {
    return scan.run(filter, kept, maximum, turns);
  }

  /// Passes datasets of a list on, at least one page. Datasets deleted or expired since they were
  /// looked at are left out.
  ///
  /// @param pages called in the turn for each page, so it must not wait for a client
  public void read(List<Match> matches, PageTurns turns, DatasetPages pages) throws IOException {
    int start = 0;
    do {
      List<Match> page = matches.subList(start, Math.min(start + PAGE_SIZE, matches.size()));
      List<String> keys =
          page.stream().map(match -> StoreKeys.manifest(match.name(), match.version())).toList();
      try (Permit _ = turns.await()) {
        pages.accept(summaries(keys));
      }
      start += PAGE_SIZE;
    } while (start < matches.size());
  }

  /// Records a commit of this process.
  void committed(VersionSummary newest) {
    commits.incrementAndGet();
    seen(newest.name(), newest.kind() != VersionKind.DELETE);
  }

  /// Records whether a dataset exists.
  void seen(DatasetName name, boolean exists) {
    if (exists) {
      knownNames.add(name.value());
    } else {
      earlierNames.remove(name);
      knownNames.remove(name.value());
    }
  }

  /// Runs a request for each of several datasets, of a remote store as many at once as lists do.
  ///
  /// @return the results in the order of the keys
  /// @throws IOException the first failure in that order, after all requests
  public <K, T extends @Nullable Object> List<T> forEach(
      Collection<K> keys, ConcurrentRequests.Request<K, T> request) throws IOException {
    return requests.forEach(keys, request);
  }

  /// Returns names that suggestions come from.
  public KnownNames knownNames() {
    return knownNames;
  }

  /// Returns the names that were stored before they were reserved.
  public EarlierNames earlierNames() {
    return earlierNames;
  }

  /// Returns a number that grows with each commit of this process.
  public long commits() {
    return commits.get();
  }

  /// Returns whether more than `maximum` datasets pass a filter. Manifests are read only if that
  /// many names exist, including deleted datasets.
  public boolean isLongerThan(long maximum, DatasetFilter filter, PageTurns turns)
      throws IOException {
    DatasetNames names = new DatasetNames(store, filter, null);
    long count = 0;
    do {
      try (Permit _ = turns.await()) {
        count += names.next(PAGE_SIZE).size();
      }
    } while (names.hasNext() && count <= maximum);
    return count > maximum && matches(filter, /* kept= */ 0, maximum + 1, turns).count() > maximum;
  }

  /// Returns the datasets of manifests, without deleted or expired ones.
  ///
  /// @param places the keys of manifests, or folders, of which the latest manifest is read
  private List<VersionSummary> summaries(List<String> places) throws IOException {
    Instant now = clock.instant();
    List<VersionSummary> present =
        requests.forEach(places, this::readable).stream()
            .filter(summary -> summary != null && isPresent(summary, now))
            .map(Objects::requireNonNull)
            .toList();
    present.forEach(summary -> knownNames.add(summary.name().value()));
    return present;
  }

  private static boolean isPresent(VersionSummary summary, Instant now) {
    return summary.kind() != VersionKind.DELETE && !summary.hasExpired(now);
  }

  /// Returns the version of a manifest, or null if it is unreadable and not damaged.
  ///
  /// @param key of a manifest, or of a folder, for its latest manifest
  /// @throws StoreUnavailableException if no manifest can be read now
  private @Nullable VersionSummary readable(String key) throws IOException {
    if (key.endsWith("/")) {
      return readableFirst(key);
    }
    try {
      return summaryOrDamage(key);
    } catch (NoSuchBlobException e) {
      return readableFirst(key.substring(0, key.lastIndexOf('/') + 1));
    } catch (StoreUnavailableException e) {
      throw e;
    } catch (IOException e) {
      LOG.log(Level.ERROR, "A dataset is not listed, since its manifest cannot be read: " + key, e);
      return null;
    }
  }

  /// Returns the latest version of a name, or null if absent, or unreadable and not damaged.
  private @Nullable VersionSummary readableFirst(String manifests) throws IOException {
    while (true) {
      List<String> keys = StoreKeys.listManifests(store, manifests, null, 1);
      if (keys.isEmpty()) {
        return null;
      }
      try {
        return summaryOrDamage(keys.getFirst());
      } catch (NoSuchBlobException e) {
        // It was deleted after another version was committed.
      } catch (StoreUnavailableException e) {
        throw e;
      } catch (IOException e) {
        LOG.log(Level.ERROR, "A dataset is not listed, since it cannot be read: " + manifests, e);
        return null;
      }
    }
  }

  private VersionSummary summaryOrDamage(String key) throws IOException {
    try {
      return summary(key);
    } catch (DamagedBlobException e) {
      return VersionSummary.damaged(new DatasetName(StoreKeys.name(key)), StoreKeys.version(key));
    }
  }

  /// A manifest that is read here is not cached, so that a long list evicts none.
  private VersionSummary summary(String key) throws IOException {
    Manifest cached = cache.get(key);
    if (cached != null) {
      return cached.summary();
    }
    try (Catalog.OpenManifest open = Catalog.OpenManifest.open(store, key)) {
      return open.summary();
    }
  }

  /// The manifests of a scan, read as for a list.
  private final class ListedManifests implements DatasetScan.Manifests {

    @Override
    public @Nullable String first(String folder) throws IOException {
      List<String> keys = StoreKeys.listManifests(store, folder, null, 1);
      return keys.isEmpty() ? null : keys.getFirst();
    }

    @Override
    public @Nullable VersionSummary read(String key) throws IOException {
      return readable(key);
    }
  }
}
