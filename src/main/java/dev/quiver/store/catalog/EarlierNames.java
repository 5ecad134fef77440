package dev.quiver.store.catalog;

import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The names of stored datasets that end in a suffix that is reserved now. They were stored before
/// it was, and no other dataset can get such a name.
///
/// A path that is such a name means that dataset until it is deleted. Requests look names up here
/// and not in the store.
public final class EarlierNames {

  private static final int PAGE_SIZE = 1000;

  /// Returns the datasets of keys of manifests, or of folders, without deleted or expired ones.
  interface Summaries {

    List<VersionSummary> of(List<String> keys) throws IOException;
  }

  private final BlobStore store;
  private final Summaries summaries;
  private final KnownNames known;
  private final int maximum;
  private final Set<String> names = ConcurrentHashMap.newKeySet();

  /// @param known gets all names that are seen
  /// @param maximum the number of names to keep
  EarlierNames(BlobStore store, Summaries summaries, KnownNames known, int maximum) {
    this.store = store;
    this.summaries = summaries;
    this.known = known;
    this.maximum = maximum;
  }

  /// Looks for such names among those of all datasets.
  ///
  /// @return the names in order, at most as many as are kept
  public List<String> find() throws IOException {
    DatasetNames stored = new DatasetNames(store, DatasetFilter.ALL, null);
    while (stored.hasNext() && names.size() < maximum) {
      List<String> page = stored.next(PAGE_SIZE);
      known.addAll(page);
      add(page.stream().filter(EarlierNames::isReserved).toList());
    }
    return names.stream().map(DatasetName::new).sorted().map(DatasetName::value).toList();
  }

  private static boolean isReserved(String key) {
    String name = StoreKeys.name(key);
    return DatasetName.hasReservedSuffix(name) && DatasetName.mayStartWith(name);
  }

  private void add(List<String> keys) throws IOException {
    List<String> added = keys.stream().map(StoreKeys::name).limit(maximum - names.size()).toList();
    // A dataset that is deleted from now on is removed from the names.
    names.addAll(added);
    Set<String> missing = new HashSet<>(added);
    summaries.of(keys).forEach(summary -> missing.remove(summary.name().value()));
    names.removeAll(missing);
  }

  /// Returns all names found so far. Later ones and deletions show in it.
  public Set<String> all() {
    return Collections.unmodifiableSet(names);
  }

  /// Records that a dataset does not exist.
  void remove(DatasetName name) {
    names.remove(name.value());
  }
}
