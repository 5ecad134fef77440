package dev.quiver.store.blob;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Temporary folders of this process, which other users cannot enter, in a folder that other
/// processes use as well.
public final class ProcessFolders {

  private static final System.Logger LOG = System.getLogger(ProcessFolders.class.getName());

  private static final String PREFIX = "quiver-worker-";
  private static final String LOCK_PREFIX = ".quiver-lock-";

  /// Identifies this process: its id, for people, and what containers with the same ids do not
  /// share.
  private static final String OWNER =
      "p"
          + ProcessHandle.current().pid()
          + "x"
          + HexFormat.of().toHexDigits(new SecureRandom().nextInt());

  private static final Pattern OWNERS = Pattern.compile("p[0-9]{1,19}x[0-9a-f]{8}");

  /// The locks of this process by the folder that they are in.
  private static final Map<Path, FileChannel> LOCKS = new HashMap<>();

  private ProcessFolders() {}

  /// Creates a folder that others cannot enter. Its name has the id of this process, which holds a
  /// lock in the same parent as long as it runs.
  public static Path createIn(Path parent) throws IOException {
    Path absolute = parent.toAbsolutePath();
    lock(absolute);
    return Files.createTempDirectory(absolute, PREFIX + OWNER + "-");
  }

  private static void lock(Path parent) throws IOException {
    synchronized (LOCKS) {
      Path file = parent.resolve(LOCK_PREFIX + OWNER);
      while (!LOCKS.containsKey(parent) || !Files.exists(file)) {
        FileChannel channel =
            FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        try {
          // Another process may hold the lock of a new file for a moment, and then delete the file.
          channel.lock();
        } catch (IOException e) {
          // Without locks, no other process takes one, and nothing is removed.
        }
        LOCKS.put(parent, channel);
      }
    }
  }

  /// Removes the folders of processes that no longer run.
  public static void removeLeftovers(Path parent) throws IOException {
    try (DirectoryStream<Path> locks = Files.newDirectoryStream(parent, LOCK_PREFIX + "*")) {
      for (Path lock : locks) {
        String owner = lock.getFileName().toString().substring(LOCK_PREFIX.length());
        // A process that opens its own lock again loses it. Any user can write to a temporary
        // folder, so a file of such a name may be anything.
        if (!owner.equals(OWNER)
            && OWNERS.matcher(owner).matches()
            && Files.isRegularFile(lock, LinkOption.NOFOLLOW_LINKS)) {
          removeLeftovers(parent, owner, lock);
        }
      }
    }
  }

  /// Removes the folders of another process unless it runs: process ids do not suffice, since
  /// containers that share a folder have the same ones.
  private static void removeLeftovers(Path parent, String owner, Path lock) {
    try (FileChannel channel =
        FileChannel.open(lock, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (channel.tryLock() == null) {
        return;
      }
      try (DirectoryStream<Path> folders =
          Files.newDirectoryStream(parent, PREFIX + owner + "-*")) {
        folders.forEach(ProcessFolders::delete);
      }
      Files.deleteIfExists(lock);
    } catch (IOException | OverlappingFileLockException e) {
      LOG.log(
          System.Logger.Level.DEBUG,
          "Folders were not removed: {0}",
          String.valueOf(e.getMessage()));
    }
  }

  /// Deletes a folder and everything in it.
  public static void delete(Path folder) {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException | UncheckedIOException e) {
      LOG.log(System.Logger.Level.WARNING, "A folder was not removed: " + e.getMessage());
    }
  }
}
