package dev.quiver.store.blob.folder;

import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.blob.StorageFullException;
import dev.quiver.store.blob.StoreUnavailableException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// A translation of file system failures to failures of a store.
final class FolderFailures {

  /// The free space below which a file system counts as full, regardless of the message's language.
  private static final long LITTLE_SPACE_BYTES = 64 << 10;

  private FolderFailures() {}

  /// Returns the failure of a store whose folder contains `path`: a [StorageFullException] if its
  /// file system is full, otherwise a [StoreUnavailableException], since the folder is gone,
  /// read-only or broken.
  static IOException translated(IOException failure, Path path) {
    if (failure instanceof NoSuchBlobException
        || failure instanceof StoreUnavailableException
        || failure instanceof FileAlreadyExistsException
        || failure instanceof ClosedChannelException) {
      return failure;
    }
    IOException recognized = full(failure, path);
    return recognized instanceof StorageFullException ? recognized : unavailable(failure, path);
  }

  /// Returns `failure`, or a [StorageFullException] if the file system of `path` is full.
  static IOException full(IOException failure, Path path) {
    IOException recognized = StorageFullException.recognized(failure);
    return !(recognized instanceof StorageFullException) && hasLittleSpace(path)
        ? new StorageFullException(failure)
        : recognized;
  }

  /// Requires that an absent file is not the trace of an absent store: an unmounted or moved folder
  /// has no folder for temporary files. Called once a file was not found, or a listing has ended.
  ///
  /// @throws StoreUnavailableException if the store itself is absent
  static void requirePresent(Path root) throws StoreUnavailableException {
    Path temporary = root.resolve(FolderBlobStore.TEMPORARY);
    if (!Files.isDirectory(temporary)) {
      throw unavailable(new NoSuchFileException(temporary.toString()), root);
    }
  }

  private static StoreUnavailableException unavailable(IOException failure, Path path) {
    return new StoreUnavailableException(
        "Expected a folder of the store that can be used but found %s at %s"
            .formatted(failure, path),
        failure);
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
