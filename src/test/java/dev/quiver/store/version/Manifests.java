package dev.quiver.store.version;

import dev.quiver.formats.FileParameters;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Manifests made for tests.
public final class Manifests {

  private Manifests() {}

  public static MemorySegment write(
      VersionSummary summary, List<BlobExtent> extents, MemorySegment tail) {
    return write(summary, null, List.of(), extents, tail);
  }

  static MemorySegment write(
      VersionSummary summary,
      @Nullable String parentCommitId,
      List<RememberedKeys.Key> keys,
      List<BlobExtent> extents,
      MemorySegment tail) {
    return ManifestFormat.write(of(summary, parentCommitId, keys, extents), tail);
  }

  public static Manifest of(
      VersionSummary summary,
      @Nullable String parentCommitId,
      List<RememberedKeys.Key> keys,
      List<BlobExtent> extents) {
    return new Manifest(
        summary,
        parentCommitId,
        /* lastReplacement= */ 0,
        new RememberedKeys(List.of(), keys),
        extents,
        FileChecksums.UNKNOWN,
        /* digest= */ null,
        /* lineage= */ null,
        /* conversions= */ List.of(),
        FileParameters.NONE,
        BlobWriters.NONE,
        List.of(),
        0,
        0,
        /* tailChecksum= */ null);
  }
}
