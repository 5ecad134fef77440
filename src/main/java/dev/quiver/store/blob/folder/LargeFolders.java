package dev.quiver.store.blob.folder;

import dev.quiver.arrow.parallel.LruCache;
import dev.quiver.store.blob.BlobKeys;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A thread-safe cache of the names in large folders, valid until the folders change, so that a
/// page of a listing does not read all names.
///
/// A folder has changed if its change time differs. Two changes within one clock tick have the same
/// time. So names are cached only if they were read well after that time was first seen, by our own
/// clock: any later change then has a different time.
final class LargeFolders {

  /// The number of names above which a folder's names are cached.
  static final int LEAST_NAMES = 1000;

  private static final int FOLDERS_MAXIMUM = 4;
  private static final int CHARACTERS_MAXIMUM = 8 << 20;

  /// File systems keep times in ticks of at most 2 s.
  static final Duration TICK = Duration.ofSeconds(3);

  private final LongSupplier nanoClock;
  private final LruCache<Path, Large> folders = new LruCache<>(FOLDERS_MAXIMUM);

  /// @param nanoClock a clock like [System#nanoTime]
  LargeFolders(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /// Registers a large folder.
  void note(Path folder) throws IOException {
    if (folders.get(folder) != null) {
      return;
    }
    Object state = state(folder);
    if (state != null) {
      folders.merge(folder, new Large(folder, state), (known, _) -> known);
    }
  }

  /// Returns the current names in a folder, or null if it must be read.
  @Nullable FolderNames names(Path folder) throws IOException {
    Large large = folders.get(folder);
    return large == null ? null : large.names();
  }

  /// Returns a value that changes with each change of a folder, except within one tick; null if the
  /// system has none. Unlike the modification time, users cannot set it.
  private static @Nullable Object state(Path folder) throws IOException {
    try {
      return folder.getFileSystem().supportedFileAttributeViews().contains("unix")
          ? Files.readAttributes(folder, "unix:ino,dev,ctime")
          : null;
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private final class Large {

    private final Path folder;
    private @Nullable Object state;
    private long seenAt = nanoClock.getAsLong();
    private @Nullable FolderNames names;
    private boolean isRead;

    Large(Path folder, Object state) {
      this.folder = folder;
      this.state = state;
    }

    /// One thread reads while others wait.
    synchronized @Nullable FolderNames names() throws IOException {
      Object now = state(folder);
      if (now == null || !now.equals(state)) {
        see(now);
      } else if (!isRead && nanoClock.getAsLong() - seenAt >= TICK.toNanos()) {
        FolderNames found = read();
        if (Objects.equals(state(folder), state)) {
          names = found;
          isRead = true;
          return found;
        }
        see(state(folder));
      }
      return names;
    }

    private void see(@Nullable Object now) {
      state = now;
      seenAt = nanoClock.getAsLong();
      names = null;
      isRead = false;
    }

    /// Returns null if the names are few, or too many to cache.
    private @Nullable FolderNames read() throws IOException {
      List<String> found = new ArrayList<>();
      long characters = 0;
      try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
        for (Path path : paths) {
          String name = path.getFileName().toString();
          if (BlobKeys.isSegment(name)) {
            found.add(name);
            characters += name.length() + Integer.BYTES;
            if (characters > CHARACTERS_MAXIMUM) {
              return null;
            }
          }
        }
      } catch (NoSuchFileException | NotDirectoryException e) {
        return null;
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
      if (found.size() <= LEAST_NAMES) {
        return null;
      }
      found.sort(null);
      return FolderNames.of(found);
    }
  }
}
