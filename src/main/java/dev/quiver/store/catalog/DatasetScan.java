package dev.quiver.store.catalog;

import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.ConcurrentRequests;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Looks at the latest versions of all datasets that pass a filter, and remembers them.
///
/// A remembered version is never taken for the latest without asking the store. In a remote store,
/// its listing shows it. In a local one, the version must still be the blob that was read, and have
/// no successor: two looks at files, where finding and reading a manifest takes twenty times as
/// long. Versions are deleted from the oldest on, so a successor is there as long as the version
/// is.
final class DatasetScan {

  private static final int PAGE_SIZE = 1000;

  /// The number of datasets of a local store that a thread reads before it takes the next ones.
  private static final int LOCAL_PART_SIZE = 250;

  private static final long MAXIMUM_KNOWN_BYTE_SIZE = 64 << 20;

  private final BlobStore store;
  private final InstantSource clock;
  private final ConcurrentRequests requests;
  private final Manifests manifests;
  private final long knownByteSize;
  private volatile LatestVersions known = LatestVersions.NONE;

  /// The reader of manifests.
  interface Manifests {

    /// Returns the key of the latest manifest in a folder, or null if absent.
    @Nullable String first(String folder) throws IOException;

    /// Returns the version of a manifest, or a later one if that was deleted; null if it is not to
    /// be listed.
    @Nullable VersionSummary read(String key) throws IOException;
  }

  /// @param maximumRequests the number of manifests that all scans together request at once from a
  ///   remote store
  DatasetScan(BlobStore store, InstantSource clock, int maximumRequests, Manifests manifests) {
    this.store = store;
    this.clock = clock;
    this.requests = ConcurrentRequests.evenToFiles(store, maximumRequests);
    this.manifests = manifests;
    this.knownByteSize = Math.min(MAXIMUM_KNOWN_BYTE_SIZE, Runtime.getRuntime().maxMemory() / 8);
  }

  /// The latest version of a name.
  ///
  /// @param folder the name as a segment of keys, and `/`
  /// @param index of the known version, or -1 if it was read
  /// @param summary the version that was read, or null
  private record Found(String folder, int index, @Nullable VersionSummary summary, int identity) {}

  /// Looks at all datasets that pass a filter.
  ///
  /// @param kept the number of them to return
  /// @param maximum the number of datasets at which to stop
  DatasetMatches run(DatasetFilter filter, int kept, long maximum, PageTurns turns)
      throws IOException {
    LatestVersions before = known;
    LatestVersions.Builder matches = new LatestVersions.Builder();
    LatestVersions.Builder read = new LatestVersions.Builder();
    DatasetNames names = new DatasetNames(store, filter, null);
    BitSet seen = new BitSet(before.size());
    long count = 0;
    do {
      List<Found> page;
      try (Permit _ = turns.await()) {
        page = find(names.next(PAGE_SIZE), before);
      }
      Instant now = clock.instant();
      for (Found found : page) {
        int index = found.summary == null ? found.index : before.indexOf(found.folder);
        if (index >= 0) {
          seen.set(index);
        }
        boolean isPresent = isPresent(found, before, now);
        if (isPresent && matches.size() < kept) {
          add(found, before, matches);
        }
        if (found.summary != null && read.byteSize() < knownByteSize) {
          add(found, before, read);
        }
        count += isPresent ? 1 : 0;
        if (count == maximum) {
          break;
        }
      }
    } while (count < maximum && names.hasNext());
    boolean isOfAll = filter.prefix().isEmpty() && filter.text().isEmpty() && count < maximum;
    remember(before, isOfAll ? gone(filter, before, seen) : new BitSet(), read.build());
    return new DatasetMatches(matches.build(), count);
  }

  private static boolean isPresent(Found found, LatestVersions before, Instant now) {
    VersionSummary summary = found.summary;
    return summary == null
        ? before.isPresent(found.index, now)
        : summary.kind() != VersionKind.DELETE && !summary.hasExpired(now);
  }

  private static void add(Found found, LatestVersions before, LatestVersions.Builder versions) {
    if (found.summary == null) {
      versions.add(before, found.index);
    } else {
      versions.add(found.folder, found.summary, found.identity);
    }
  }

  /// Returns the indexes of names that a scan of all would have seen.
  private static BitSet gone(DatasetFilter filter, LatestVersions before, BitSet seen) {
    BitSet gone = new BitSet(before.size());
    for (int i = seen.nextClearBit(0); i < before.size(); i = seen.nextClearBit(i + 1)) {
      if (filter.matches(before.name(i).value())) {
        gone.set(i);
      }
    }
    return gone;
  }

  private synchronized void remember(LatestVersions before, BitSet gone, LatestVersions read) {
    // Another scan may have remembered others meanwhile.
    LatestVersions left = known == before ? before.without(gone) : known;
    known = read.size() > 0 ? left.with(read, knownByteSize) : left;
  }

  /// Returns the latest versions that are to be listed, in the order of their names.
  ///
  /// @param places for each name, the key of the latest manifest, or the folder of all manifests
  private List<Found> find(List<String> places, LatestVersions before) throws IOException {
    int partSize = store.isRemote() ? 1 : LOCAL_PART_SIZE;
    List<List<String>> parts = new ArrayList<>();
    for (int start = 0; start < places.size(); start += partSize) {
      parts.add(places.subList(start, Math.min(start + partSize, places.size())));
    }
    List<Found> all = new ArrayList<>(places.size());
    requests.forEach(parts, part -> findPart(part, before)).forEach(all::addAll);
    return all;
  }

  private List<Found> findPart(List<String> places, LatestVersions before) throws IOException {
    List<Found> all = new ArrayList<>(places.size());
    for (String place : places) {
      String folder = StoreKeys.folder(place);
      int index = before.indexOf(folder);
      boolean isKnown = index >= 0 && isLatest(place, before, index);
      Found found = isKnown ? new Found(folder, index, null, 0) : read(place);
      if (found != null) {
        all.add(found);
      }
    }
    return all;
  }

  /// @return the latest version, or null if it is not to be listed
  private @Nullable Found read(String place) throws IOException {
    String folder = StoreKeys.folder(place);
    String key = place.endsWith("/") ? manifests.first(place) : place;
    if (key == null || !isFolder(folder)) {
      return null;
    }
    // The identity is read first: if another blob is read, it does not match the key's.
    int identity = identity(key);
    VersionSummary summary = manifests.read(key);
    if (summary == null) {
      return null;
    }
    boolean isOfKey =
        summary.version() == StoreKeys.version(key) && summary.kind() != VersionKind.DAMAGED;
    return new Found(folder, -1, summary, isOfKey ? identity : 0);
  }

  /// Returns whether the folder belongs to a name, and not to another program.
  private static boolean isFolder(String folder) {
    String name = StoreKeys.name("/" + folder);
    return !name.isEmpty()
        && DatasetName.mayStartWith(name)
        && folder.equals("_" + DatasetName.inLowerCase(name) + "_/");
  }

  private boolean isLatest(String place, LatestVersions before, int index) throws IOException {
    int identity = before.identity(index);
    long version = before.version(index);
    if (identity == 0) {
      return false;
    }
    if (!place.endsWith("/")) {
      return StoreKeys.version(place) == version && identity(place) == identity;
    }
    return !store.exists(StoreKeys.manifest(place, version + 1))
        && identity(StoreKeys.manifest(place, version)) == identity;
  }

  /// Returns a hash that distinguishes a blob from all others of its key, or 0 if unknown.
  private int identity(String key) throws IOException {
    Object identity = store.identity(key);
    if (identity == null) {
      return 0;
    }
    int hash = identity.hashCode();
    return hash == 0 ? 1 : hash;
  }
}
