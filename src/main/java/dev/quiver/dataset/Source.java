package dev.quiver.dataset;

import org.jspecify.annotations.Nullable;

/// Where the data of a version came from.
///
/// @param version that was made of the file
/// @param linkedAs the key of the blob that is a hard link to the file; null when it was copied
public record Source(SourceFile file, long version, @Nullable String linkedAs) {

  Source in(long newVersion) {
    return new Source(file, newVersion, linkedAs);
  }
}
