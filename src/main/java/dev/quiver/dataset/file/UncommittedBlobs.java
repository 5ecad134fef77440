package dev.quiver.dataset.file;

import dev.quiver.dataset.version.BlobExtent;
import dev.quiver.storage.BlobStore;
import dev.quiver.storage.BlobUpload;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The blobs that one write committed, of which a version names some in the end.
public final class UncommittedBlobs {

  private static final Logger LOG = System.getLogger(UncommittedBlobs.class.getName());

  private final BlobStore store;
  private final Set<String> keys = new HashSet<>();

  public UncommittedBlobs(BlobStore store) {
    this.store = store;
  }

  /// Commits a blob under a key that no blob has.
  public void commit(String key, BlobUpload upload) throws IOException {
    if (!upload.commit()) {
      throw new IOException("Expected no blob but found one at " + key);
    }
    keys.add(key);
  }

  /// Deletes what no version names. What cannot be deleted now, removal finds later.
  ///
  /// @param named what the version has that was committed; none when none was
  public void deleteExcept(List<BlobExtent> named) {
    named.forEach(extent -> keys.remove(extent.key()));
    for (String key : keys) {
      try {
        store.delete(key);
      } catch (IOException e) {
        LOG.log(Level.WARNING, "A blob that no version names stays for now: " + key, e);
      }
    }
    keys.clear();
  }
}
