package dev.quiver.storage.filesystem;

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
import java.util.UUID;

/// A file in `tmp`, locked as long as it is open: one that nobody has locked was left by a crash.
///
/// Where the file system has no locks, age decides.
record TemporaryFile(Path path, FileChannel channel) {

  /// What the names of these files end in. Files of others in the folder have none.
  private static final String SUFFIX = ".upload.tmp";

  /// How old a file is before it is removed although nothing is known of its lock: no upload takes
  /// so long.
  private static final Duration LEFTOVER_AGE = Duration.ofHours(24);

  static TemporaryFile create(Path folder) throws IOException {
    while (true) {
      Path path = folder.resolve(UUID.randomUUID() + SUFFIX);
      FileChannel channel =
          FileChannel.open(
              path,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      // A process that starts may have found the file before it was locked.
      if (lock(channel) != State.LOCKED_BY_ANOTHER && Files.exists(path)) {
        return new TemporaryFile(path, channel);
      }
      channel.close();
    }
  }

  /// Removes what crashes left in a folder.
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
      // Removed under the lock, so that a writer that gets it next sees the file gone.
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        State state = lock(channel);
        if (state == State.LOCKED || state == State.NO_LOCKS && old) {
          Files.deleteIfExists(file);
        }
      }
    } catch (NoSuchFileException e) {
      // Its upload ended, or another process removed it first.
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
