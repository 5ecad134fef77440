package dev.quiver.store.version;

import org.jspecify.annotations.Nullable;

/// The origin of a version's data.
///
/// @param version the version that was created from the file
/// @param linkedAs the key of the blob that is a hard link to the file, or null if it was copied
public record ImportSource(SourceFile file, long version, @Nullable String linkedAs) {

  public ImportSource in(long newVersion) {
    return new ImportSource(file, newVersion, linkedAs);
  }
}
