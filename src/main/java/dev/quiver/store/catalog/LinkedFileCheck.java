package dev.quiver.store.catalog;

import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.version.DamagedDatasetException;
import dev.quiver.store.version.ImportSource;
import dev.quiver.store.version.Manifest;
import dev.quiver.store.version.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Detects in-place changes to imported files that the store hard-links.
public final class LinkedFileCheck {

  private LinkedFileCheck() {}

  /// Requires a linked file to be unchanged since its import. Its size must be the same. While
  /// another link to it exists, so must its modification time.
  ///
  /// @throws DamagedDatasetException if the file was changed
  public static void requireUnchanged(BlobStore store, Manifest manifest) throws IOException {
    ImportSource source = manifest.summary().source();
    Path link = source == null ? null : link(store, source, manifest);
    if (source != null && link != null && !isUnchanged(link, source.file())) {
      throw new DamagedDatasetException(manifest.summary().reference(), source);
    }
  }

  private static @Nullable Path link(BlobStore store, ImportSource source, Manifest manifest) {
    String key = source.linkedAs();
    return key != null && manifest.extents().stream().anyMatch(extent -> extent.key().equals(key))
        ? store.localPath(key)
        : null;
  }

  private static boolean isUnchanged(Path link, SourceFile file) throws IOException {
    try {
      Map<String, Object> found = Files.readAttributes(link, "unix:size,lastModifiedTime,nlink");
      // A copied store may have lost the times, and no other process writes to its files.
      boolean shared = !Integer.valueOf(1).equals(found.get("nlink"));
      return Long.valueOf(file.byteSize()).equals(found.get("size"))
          && (!shared || FileTime.from(file.modifiedAt()).equals(found.get("lastModifiedTime")));
    } catch (NoSuchFileException e) {
      // Reading the blob reports that it is missing.
      return true;
    }
  }
}
