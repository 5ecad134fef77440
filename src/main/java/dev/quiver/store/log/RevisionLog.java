package dev.quiver.store.log;

import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.NoSuchBlobException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Revisions of states as blobs, which are never overwritten.
///
/// ```
/// State --> Prefix Id "." InvertedRevision
/// ```
///
/// The inverted revision is 2⁶³-1 minus the revision, in 19 digits, so that the latest state comes
/// first. A state is put after the one that its writer read: of two writers that read the same
/// state, one succeeds. The writer then deletes the state before.
final class RevisionLog {

  private static final int INVERTED_DIGITS = 19;

  /// The number of keys among which the newest one of an id is.
  private static final int NEWEST_KEYS = 10;

  private static final int ATTEMPTS = 10;

  /// The listings of a local store after which a state counts as absent. One listing may miss it: a
  /// later state was put behind the place up to which the folder was read, and the state before was
  /// deleted ahead of it.
  private static final int LOCAL_LISTINGS = 3;

  private final BlobStore store;
  private final String prefix;

  RevisionLog(BlobStore store, String prefix) {
    this.store = store;
    this.prefix = prefix;
  }

  /// Reads a state, or something about it.
  @FunctionalInterface
  interface Reader<S> {

    S read(String key) throws IOException;
  }

  /// Returns the start of the keys of an id.
  String start(String id) {
    return prefix + id + ".";
  }

  String key(String id, long revision) {
    String inverted = Long.toString(Long.MAX_VALUE - revision);
    return start(id) + "0".repeat(INVERTED_DIGITS - inverted.length()) + inverted;
  }

  static long revision(String key) {
    return Long.MAX_VALUE - Long.parseLong(key.substring(key.lastIndexOf('.') + 1));
  }

  /// Returns the text before the revision of a key, or null if it is the key of something else.
  @Nullable String id(String key) {
    int dot = key.indexOf('.');
    return dot < 0 || key.length() != dot + 1 + INVERTED_DIGITS
        ? null
        : key.substring(prefix.length(), dot);
  }

  /// Returns the key of the latest state, or null if absent.
  @Nullable String newestKey(String id) throws IOException {
    String key = listedKey(id);
    int listings = store.isRemote() ? 1 : LOCAL_LISTINGS;
    for (int i = 1; key == null && i < listings; i++) {
      key = listedKey(id);
    }
    return key;
  }

  private @Nullable String listedKey(String id) throws IOException {
    String start = start(id);
    // A store may list other names for a moment, such as of writes in progress.
    return store.list(start, null, NEWEST_KEYS).stream()
        .filter(key -> key.length() == start.length() + INVERTED_DIGITS)
        .findFirst()
        .orElse(null);
  }

  /// Reads the latest state.
  ///
  /// @return null if absent
  <S> @Nullable S newest(String id, Reader<S> reader) throws IOException {
    for (int attempt = 1; ; attempt++) {
      String key = newestKey(id);
      if (key == null) {
        return null;
      }
      try {
        return reader.read(key);
      } catch (NoSuchBlobException e) {
        // A later state has replaced it.
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /// Puts a state, even if no space is left for uploads.
  ///
  /// @param former the key of the state before, if it must still exist, or null
  /// @param isSame returns whether a blob is this state: a put may take effect although it fails
  /// @return whether it is the latest state; otherwise it is not kept
  boolean put(
      String id, long revision, byte[] json, @Nullable String former, Reader<Boolean> isSame)
      throws IOException {
    String key = key(id, revision);
    if (!store.putReserved(key, MemorySegment.ofArray(json)) && !holds(key, isSame)) {
      return false;
    }
    // The key is also unused if its state was replaced or deleted meanwhile.
    if (!key.equals(newestKey(id)) || former != null && !store.exists(former)) {
      store.delete(key);
      return false;
    }
    return true;
  }

  private static boolean holds(String key, Reader<Boolean> isSame) throws IOException {
    try {
      return isSame.read(key);
    } catch (NoSuchBlobException e) {
      return false;
    }
  }
}
