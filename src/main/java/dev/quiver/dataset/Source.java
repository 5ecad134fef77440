package dev.quiver.dataset;

import dev.quiver.storage.BlobStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where the data of a version came from.
///
/// @param version that was made of the file
/// @param linkedAs the key of the blob that is a hard link to the file; null when it was copied
public record Source(SourceFile file, long version, @Nullable String linkedAs) {

  /// Refuses a version that has batches of a link whose bytes are others by now: another number of
  /// them, or, as long as somebody else has the file, changed since.
  ///
  /// @throws DamagedDatasetException when they are
  static void requireUndamaged(BlobStore store, Manifest manifest) throws IOException {
    Source source = manifest.summary().source();
    Path link = source == null ? null : source.link(store, manifest.extents());
    if (source != null && link != null && !source.hasBytesOf(link)) {
      throw new DamagedDatasetException(
          new DatasetReference(manifest.summary().name(), manifest.summary().version()), source);
    }
  }

  private @Nullable Path link(BlobStore store, List<Extent> extents) {
    return linkedAs != null && extents.stream().anyMatch(extent -> extent.key().equals(linkedAs))
        ? store.localPath(linkedAs)
        : null;
  }

  private boolean hasBytesOf(Path link) throws IOException {
    try {
      Map<String, Object> found = Files.readAttributes(link, "unix:size,lastModifiedTime,nlink");
      // A copy of the store may have lost the times, and nobody else writes to it.
      boolean shared = !Integer.valueOf(1).equals(found.get("nlink"));
      return Long.valueOf(file.byteSize()).equals(found.get("size"))
          && (!shared || FileTime.from(file.modifiedAt()).equals(found.get("lastModifiedTime")));
    } catch (NoSuchFileException e) {
      // Whoever reads it will say so.
      return true;
    }
  }

  Source in(long newVersion) {
    return new Source(file, newVersion, linkedAs);
  }
}
