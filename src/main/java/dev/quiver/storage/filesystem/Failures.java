package dev.quiver.storage.filesystem;

import dev.quiver.storage.StorageFullException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Failures of the file system as those of a store.
final class Failures {

  /// Less than this is full, in whatever language the system says it.
  private static final long LITTLE_SPACE_BYTES = 64 << 10;

  private Failures() {}

  /// `failure`, as a [StorageFullException] when the file system of `path` is full.
  static IOException translated(IOException failure, Path path) {
    IOException recognised = StorageFullException.recognised(failure);
    return !(recognised instanceof StorageFullException) && hasLittleSpace(path)
        ? new StorageFullException(failure)
        : recognised;
  }

  private static boolean hasLittleSpace(Path path) {
    try {
      return Files.getFileStore(path).getUsableSpace() < LITTLE_SPACE_BYTES;
    } catch (IOException e) {
      return false;
    }
  }
}
