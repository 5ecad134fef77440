package dev.quiver.dataset.version;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;

/// A file that becomes a dataset, as it was when it was looked at. Two that are equal are taken to
/// have the same bytes.
///
/// @param path within the folder that is imported, with `/` between its segments
/// @param modifiedAt as exactly as the file system says
public record SourceFile(String path, long byteSize, Instant modifiedAt) {

  /// Looks at `file`.
  public static SourceFile of(String path, Path file) throws IOException {
    return of(path, Files.readAttributes(file, BasicFileAttributes.class));
  }

  public static SourceFile of(String path, BasicFileAttributes attributes) {
    return new SourceFile(path, attributes.size(), attributes.lastModifiedTime().toInstant());
  }
}
