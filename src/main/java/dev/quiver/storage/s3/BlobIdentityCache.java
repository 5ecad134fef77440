package dev.quiver.storage.s3;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What is known of blobs that this process has met.
final class BlobIdentityCache {

  private static final int REMEMBERED_BLOBS = 100_000;

  private final Map<String, Identity> identities = Collections.synchronizedMap(new Recent());

  @Nullable Identity get(String key) {
    return identities.get(key);
  }

  void put(String key, Identity identity) {
    identities.put(key, identity);
  }

  void forget(String key) {
    identities.remove(key);
  }

  /// Forgets what was under a key that was used again since.
  ///
  /// @param entityTag what the store says of the key now; in listings of some without quotes
  void compare(String key, String entityTag) {
    identities.computeIfPresent(
        key,
        (same, known) -> unquoted(known.entityTag()).equals(unquoted(entityTag)) ? known : null);
  }

  private static String unquoted(String entityTag) {
    return entityTag.replace("\"", "");
  }

  private static final class Recent extends LinkedHashMap<String, Identity> {

    private static final long serialVersionUID = 1;

    Recent() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Identity> eldest) {
      return size() > REMEMBERED_BLOBS;
    }
  }
}
