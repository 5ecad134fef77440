package dev.quiver.store.version;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;

/// A file that becomes a dataset, with its attributes when they were read. Two equal source files
/// are assumed to have the same bytes.
///
/// @param path the path relative to the imported folder, with `/` between its segments
/// @param modifiedAt the modification time, in the full precision of the file system
public record SourceFile(String path, long byteSize, Instant modifiedAt) {

  /// Reads the attributes of `file`.
  public static SourceFile of(String path, Path file) throws IOException {
    return of(path, Files.readAttributes(file, BasicFileAttributes.class));
  }

  public static SourceFile of(String path, BasicFileAttributes attributes) {
    return new SourceFile(path, attributes.size(), attributes.lastModifiedTime().toInstant());
  }
}
