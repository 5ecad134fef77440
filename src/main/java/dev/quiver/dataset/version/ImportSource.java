package dev.quiver.dataset.version;

import org.jspecify.annotations.Nullable;

/// Where the data of a version came from.
///
/// @param version that was made of the file
/// @param linkedAs the key of the blob that is a hard link to the file; null when it was copied
public record ImportSource(SourceFile file, long version, @Nullable String linkedAs) {

  public ImportSource in(long newVersion) {
    return new ImportSource(file, newVersion, linkedAs);
  }
}
