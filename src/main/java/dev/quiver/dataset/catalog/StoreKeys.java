package dev.quiver.dataset.catalog;

import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.Ulid;
import java.time.Instant;

/// Which blobs belong to a dataset.
///
/// ```
/// Manifest --> "manifests/" Segment "/" InvertedVersion
/// Data     --> "data/" Segment "/" Id ".arrow"
/// Segment  --> "_" Name "_"
/// Name     --> the name, each upper-case letter written as "!" and its lower case
/// ```
///
/// So that names which differ in case alone stay apart where a file system ignores case, and no
/// name is one that a file system reserves or ends in a dot. The inverted version is 2⁶³-1 less the
/// version, in 19 digits: the newest manifest of a name comes first.
public final class StoreKeys {

  static final String MANIFESTS = "manifests/";
  public static final String DATA = "data/";

  private static final int INVERTED_DIGITS = 19;

  private StoreKeys() {}

  /// What the keys of the manifests of a name start with.
  static String manifests(DatasetName name) {
    return MANIFESTS + segment(name) + "/";
  }

  public static String manifest(DatasetName name, long version) {
    String inverted = Long.toString(Long.MAX_VALUE - version);
    return manifests(name) + "0".repeat(INVERTED_DIGITS - inverted.length()) + inverted;
  }

  /// A key that no blob has yet.
  public static String newData(DatasetName name) {
    return newData(name, Instant.now());
  }

  /// A key that no blob has yet.
  ///
  /// @param now what [#time] says of it
  public static String newData(DatasetName name, Instant now) {
    return DATA + segment(name) + "/" + Ulid.next(now) + ".arrow";
  }

  /// When a data blob was begun, by the clock of whoever wrote it.
  ///
  /// @throws IllegalArgumentException when `data` is not the key of one
  public static Instant time(String data) {
    return Ulid.time(data.substring(data.lastIndexOf('/') + 1));
  }

  /// What a key of either kind has between its first slash and its last, that included: of one name
  /// it is the same for both, and of all names in the order of their keys.
  static String folder(String key) {
    int start = key.indexOf('/') + 1;
    return key.substring(start, Math.max(start, key.lastIndexOf('/') + 1));
  }

  /// Comes after every manifest of the name, and before those of the next in the order of the
  /// store: "0" is the character after "/".
  static String afterAllOf(DatasetName name) {
    return MANIFESTS + segment(name) + "0";
  }

  /// As [#afterAllOf(DatasetName)], for the name that the manifest of this key is of.
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
