package dev.quiver.store.version;

import dev.quiver.store.blob.BlobStore;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The keys of a dataset's blobs.
///
/// ```
/// Manifest --> "manifests/" Segment "/" InvertedVersion
/// Data     --> "data/" Segment "/" Id ".arrow"
/// Sidecar  --> "data/" Segment "/" Id ".sidecar", of the data with the same Id
/// Keys     --> "data/" Segment "/" Id ".keys", of remembered writes
/// Statistics --> "data/" Segment "/" CommitId "." Columns ".statistics", of columns of a version
/// Segment  --> "_" Name "_"
/// Name     --> the name, each upper-case letter written as "!" and its lower case
/// ```
///
/// This keeps names apart that differ only in case, on file systems that ignore case. It also
/// avoids names that a file system reserves, and names that end in a dot. The inverted version is
/// 2⁶³-1 minus the version, in 19 digits, so that the latest manifest of a name comes first.
public final class StoreKeys {

  public static final String MANIFESTS = "manifests/";
  public static final String DATA = "data/";

  private static final String SIDECAR = ".sidecar";
  private static final String KEYS = ".keys";
  private static final String STATISTICS = ".statistics";
  private static final int INVERTED_DIGITS = 19;

  private StoreKeys() {}

  /// Returns the prefix of the manifest keys of a name.
  public static String manifests(DatasetName name) {
    return MANIFESTS + name.segment() + "/";
  }

  /// Returns the prefix of the manifest keys of all names with a prefix.
  public static String manifestsOfNames(String prefix) {
    return MANIFESTS + "_" + DatasetName.inLowerCase(prefix);
  }

  /// Returns the text in the key of a manifest or of data where the name is, or in the key of their
  /// folder.
  public static String name(String key) {
    String segment = key.substring(key.indexOf('/') + 1, key.lastIndexOf('/'));
    return segment.length() < 2
        ? ""
        : DatasetName.inOriginalCase(segment.substring(1, segment.length() - 1));
  }

  public static String manifest(DatasetName name, long version) {
    return manifest(manifests(name), version);
  }

  /// Returns the key of a manifest.
  ///
  /// @param manifests the prefix of the manifest keys of its name
  public static String manifest(String manifests, long version) {
    String inverted = Long.toString(Long.MAX_VALUE - version);
    return manifests + "0".repeat(INVERTED_DIGITS - inverted.length()) + inverted;
  }

  /// Returns the version of a manifest's key.
  public static long version(String manifest) {
    return Long.MAX_VALUE - Long.parseLong(manifest.substring(manifest.lastIndexOf('/') + 1));
  }

  /// Returns what a blob belongs to, as far as its key shows: a version such as `cities@3` if it is
  /// a manifest, and otherwise a dataset.
  public static String reference(String key) {
    if (key.indexOf('/') == key.lastIndexOf('/')) {
      return key;
    }
    return isManifest(key) ? name(key) + "@" + version(key) : name(key);
  }

  /// Lists the keys of manifests in order, and skips all others. A store may list an upload in
  /// progress under a name of its own, and tools may leave files of theirs in a folder.
  ///
  /// @param after the key to continue after, or null to start
  /// @return at most `limit` keys; fewer only at the end
  public static List<String> listManifests(
      BlobStore store, String prefix, @Nullable String after, int limit) throws IOException {
    List<String> manifests = new ArrayList<>();
    String last = after;
    while (manifests.size() < limit) {
      int wanted = limit - manifests.size();
      List<String> keys = store.list(prefix, last, wanted);
      keys.stream().filter(StoreKeys::isManifest).forEach(manifests::add);
      if (keys.size() < wanted) {
        break;
      }
      last = keys.getLast();
    }
    return manifests;
  }

  private static boolean isManifest(String key) {
    String inverted = key.substring(key.lastIndexOf('/') + 1);
    return inverted.length() == INVERTED_DIGITS
        && inverted.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /// Returns a key that no blob has yet.
  public static String newData(DatasetName name) {
    return newData(name, Instant.now());
  }

  /// Returns a key that no blob has yet.
  ///
  /// @param now the time that [#time] returns for the key
  public static String newData(DatasetName name, Instant now) {
    return DATA + name.segment() + "/" + Ulid.next(now) + ".arrow";
  }

  /// Returns the key of the checksums of a data blob.
  public static String sidecar(String data) {
    int dot = data.lastIndexOf('.');
    return (dot < 0 ? data : data.substring(0, dot)) + SIDECAR;
  }

  /// Returns whether a key of data belongs to the bytes of a file, or to their sidecar.
  public static boolean isOfFile(String data) {
    return !data.endsWith(STATISTICS) && !data.endsWith(KEYS);
  }

  public static boolean isSidecar(String key) {
    return key.endsWith(SIDECAR);
  }

  /// Returns a key that no blob has yet, for remembered idempotency keys.
  public static String newKeys(DatasetName name, Instant now) {
    return DATA + name.segment() + "/" + Ulid.next(now) + KEYS;
  }

  /// Returns the key of statistics of columns, which a version and its compactions share.
  ///
  /// @param columns identifies the columns, in characters that keys may have
  public static String statistics(DatasetName name, String commitId, String columns) {
    return DATA + name.segment() + "/" + commitId + "." + columns + STATISTICS;
  }

  /// Returns the commit id in the key of statistics, or null if it is the key of something else.
  public static @Nullable String commitIdOfStatistics(String data) {
    int start = data.lastIndexOf('/') + 1;
    return data.endsWith(STATISTICS) ? data.substring(start, data.indexOf('.', start)) : null;
  }

  /// Returns when a data blob was begun, by its writer's clock; of statistics, when their version
  /// was.
  ///
  /// @throws IllegalArgumentException if `data` is not the key of a data blob
  public static Instant time(String data) {
    return Ulid.time(data.substring(data.lastIndexOf('/') + 1));
  }

  /// Returns the part of a key between its first slash and its last, the last one included. It is
  /// the same for manifests and data of one name, and sorts names in the order of their keys.
  public static String folder(String key) {
    int start = key.indexOf('/') + 1;
    return key.substring(start, Math.max(start, key.lastIndexOf('/') + 1));
  }

  /// Returns a key after every manifest of the name, and before the next name's manifests. In the
  /// order of the store, "0" is the character after "/".
  public static String afterAllOf(DatasetName name) {
    return MANIFESTS + name.segment() + "0";
  }

  /// Returns [#afterAllOf(DatasetName)] for the name of this manifest's key.
  public static String afterAllOf(String manifest) {
    return manifest.substring(0, manifest.lastIndexOf('/')) + "0";
  }
}
