package dev.quiver.storage.s3;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What is known of blobs that this process has met.
final class MetBlobs {

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
