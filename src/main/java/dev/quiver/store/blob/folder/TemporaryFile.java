package dev.quiver.store.blob.folder;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;

/// A file in `tmp`, locked while open: an unlocked one is the leftover of a crash.
///
/// Without file locks, its age decides.
record TemporaryFile(Path path, FileChannel channel) {

  /// The suffix of these files. Foreign files in the folder lack it.
  private static final String SUFFIX = ".upload.tmp";

  /// The age at which a file is removed even if its lock is unknown. No upload takes that long.
  private static final Duration LEFTOVER_AGE = Duration.ofHours(24);

  static TemporaryFile create(Path folder) throws IOException {
    while (true) {
      Path path = folder.resolve(UUID.randomUUID() + SUFFIX);
      FileChannel channel =
          FileChannel.open(
              path,
              Set.of(
                  StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
              FilePermissions.ofFile(path));
      // A starting process may have found the file before it was locked.
      if (lock(channel) != State.LOCKED_BY_ANOTHER && Files.exists(path)) {
        return new TemporaryFile(path, channel);
      }
      channel.close();
    }
  }

  /// Removes leftovers of crashes from a folder.
  static void removeLeftovers(Path folder) throws IOException {
    Instant oldest = Instant.now().minus(LEFTOVER_AGE);
    try (var files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        removeIfLeft(file, oldest);
      }
    }
  }

  private static void removeIfLeft(Path file, Instant oldest) throws IOException {
    try {
      boolean old = Files.getLastModifiedTime(file).toInstant().isBefore(oldest);
      if (!file.getFileName().toString().endsWith(SUFFIX)) {
        if (old) {
          Files.deleteIfExists(file);
        }
        return;
      }
      // Removes the file under the lock, so that the next owner of the lock sees that it is gone.
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        State state = lock(channel);
        if (state == State.LOCKED || state == State.NO_LOCKS && old) {
          Files.deleteIfExists(file);
        }
      }
    } catch (NoSuchFileException e) {
      // The upload ended, or another process removed the file first.
    }
  }

  private static State lock(FileChannel channel) {
    try {
      FileLock lock = channel.tryLock();
      return lock == null ? State.LOCKED_BY_ANOTHER : State.LOCKED;
    } catch (OverlappingFileLockException e) {
      return State.LOCKED_BY_ANOTHER;
    } catch (IOException e) {
      return State.NO_LOCKS;
    }
  }

  private enum State {
    LOCKED,
    LOCKED_BY_ANOTHER,
    NO_LOCKS
  }
}
