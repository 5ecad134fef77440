package dev.quiver.store.version;

import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;

/// A file that becomes a dataset, with its attributes when they were read. Two equal source files
/// are assumed to have the same bytes.
///
/// @param path the path relative to the imported folder, with `/` between its segments
/// @param modifiedAt the modification time, in the full precision of the file system
public record SourceFile(String path, long byteSize, Instant modifiedAt) {

  public static SourceFile of(String path, BasicFileAttributes attributes) {
    return new SourceFile(path, attributes.size(), attributes.lastModifiedTime().toInstant());
  }
}
