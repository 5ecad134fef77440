package dev.quiver.store.blob.folder;

import dev.quiver.store.blob.StorageFullException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A translation of file system failures to failures of a store.
final class FolderFailures {

  /// The free space below which a file system counts as full, regardless of the message's language.
  private static final long LITTLE_SPACE_BYTES = 64 << 10;

  private FolderFailures() {}

  /// Returns `failure`, or a [StorageFullException] if the file system of `path` is full.
  static IOException translated(IOException failure, Path path) {
    IOException recognized = StorageFullException.recognized(failure);
    return !(recognized instanceof StorageFullException) && hasLittleSpace(path)
        ? new StorageFullException(failure)
        : recognized;
  }

  /// Returns whether the file system of `path` counts as full.
  static boolean hasLittleSpace(Path path) {
    try {
      return Files.getFileStore(path).getUsableSpace() < LITTLE_SPACE_BYTES;
    } catch (IOException e) {
      return false;
    }
  }
}
