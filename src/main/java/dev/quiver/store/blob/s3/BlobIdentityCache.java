package dev.quiver.store.blob.s3;

import dev.quiver.arrow.parallel.LruCache;
import org.jspecify.annotations.Nullable;

/// The identities of blobs that this process has read, written or listed.
final class BlobIdentityCache {

  private static final int BLOBS_MAXIMUM = 100_000;

  private final LruCache<String, BlobIdentity> identities = new LruCache<>(BLOBS_MAXIMUM);

  /// @return the identity, or null if unknown
  @Nullable BlobIdentity get(String key) {
    return identities.get(key);
  }

  void put(String key, BlobIdentity identity) {
    identities.put(key, identity);
  }

  void forget(String key) {
    identities.remove(key);
  }

  /// Forgets the identity of a key if the key now has another blob.
  ///
  /// @param entityTag the current tag of the key, which some stores list without quotes
  void compare(String key, String entityTag) {
    BlobIdentity known = get(key);
    if (known != null && !unquoted(known.entityTag()).equals(unquoted(entityTag))) {
      forget(key);
    }
  }

  private static String unquoted(String entityTag) {
    return entityTag.replace("\"", "");
  }
}
