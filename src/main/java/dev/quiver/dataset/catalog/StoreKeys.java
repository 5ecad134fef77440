package dev.quiver.dataset.catalog;

import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.Ulid;
import dev.quiver.storage.BlobStore;
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
/// Segment  --> "_" Name "_"
/// Name     --> the name, each upper-case letter written as "!" and its lower case
/// ```
///
/// This keeps names apart that differ only in case, on file systems that ignore case. It also
/// avoids names that a file system reserves, and names that end in a dot. The inverted version is
/// 2⁶³-1 minus the version, in 19 digits, so that the latest manifest of a name comes first.
public final class StoreKeys {

  static final String MANIFESTS = "manifests/";
  public static final String DATA = "data/";

  private static final int INVERTED_DIGITS = 19;

  private StoreKeys() {}

  /// Returns the prefix of the manifest keys of a name.
  static String manifests(DatasetName name) {
    return MANIFESTS + segment(name) + "/";
  }

  public static String manifest(DatasetName name, long version) {
    String inverted = Long.toString(Long.MAX_VALUE - version);
    return manifests(name) + "0".repeat(INVERTED_DIGITS - inverted.length()) + inverted;
  }

  /// Lists the keys of manifests in order, and skips all others. A store may list an upload in
  /// progress under a name of its own, and tools may leave files of theirs in a folder.
  ///
  /// @param after the key to continue after, or null to start
  /// @return at most `limit` keys; fewer only at the end
  static List<String> listManifests(
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
    return DATA + segment(name) + "/" + Ulid.next(now) + ".arrow";
  }

  /// Returns when a data blob was begun, by its writer's clock.
  ///
  /// @throws IllegalArgumentException if `data` is not the key of a data blob
  public static Instant time(String data) {
    return Ulid.time(data.substring(data.lastIndexOf('/') + 1));
  }

  /// Returns the part of a key between its first slash and its last, the last one included. It is
  /// the same for manifests and data of one name, and sorts names in the order of their keys.
  static String folder(String key) {
    int start = key.indexOf('/') + 1;
    return key.substring(start, Math.max(start, key.lastIndexOf('/') + 1));
  }

  /// Returns a key after every manifest of the name, and before those of the next name. In the
  /// order of the store, "0" is the character after "/".
  static String afterAllOf(DatasetName name) {
    return MANIFESTS + segment(name) + "0";
  }

  /// Returns [#afterAllOf(DatasetName)] for the name of this manifest's key.
  static String afterAllOf(String manifest) {
    return manifest.substring(0, manifest.lastIndexOf('/')) + "0";
  }

  private static String segment(DatasetName name) {
    StringBuilder segment = new StringBuilder("_");
    for (char c : name.value().toCharArray()) {
      if (c >= 'A' && c <= 'Z') {
        segment.append('!').append((char) (c + ('a' - 'A')));
      } else {
        segment.append(c);
      }
    }
    return segment.append('_').toString();
  }
}
