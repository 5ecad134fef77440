package dev.quiver.dataset.catalog;

import dev.quiver.dataset.version.BlobExtent;
import dev.quiver.dataset.version.ImportSource;
import dev.quiver.dataset.version.StoredFile;
import dev.quiver.dataset.version.VersionKind;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a commit is to make the newest version.
///
/// @param tail what the file has after the extents
/// @param source what was imported; null for other writes, which leave it as it was
public record NextVersion(
    VersionKind kind,
    StoredFile file,
    List<BlobExtent> extents,
    MemorySegment tail,
    @Nullable ImportSource source) {

  public static final NextVersion DELETE =
      new NextVersion(VersionKind.DELETE, StoredFile.NONE, List.of(), MemorySegment.NULL);

  public NextVersion {
    extents = List.copyOf(extents);
  }

  public NextVersion(
      VersionKind kind, StoredFile file, List<BlobExtent> extents, MemorySegment tail) {
    this(kind, file, extents, tail, null);
  }

  public NextVersion from(ImportSource imported) {
    return new NextVersion(kind, file, extents, tail, imported);
  }
}
