package dev.quiver.sql.execution;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
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
import org.jspecify.annotations.Nullable;

/// The folders of workers, which only their user can enter. They are temporary folders: the path of
/// a socket has at most about a hundred bytes. If the path of the system's temporary folder is too
/// long, they are in another one.
final class WorkerFolders {

  private static final System.Logger LOG = System.getLogger(WorkerFolders.class.getName());

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

  private static final int LOG_BYTE_SIZE = 2_000;

  /// The maximum length of the path of a socket: Linux has 107 bytes for it, and macOS 103.
  private static final int SOCKET_PATH_BYTE_SIZE = 103;

  /// The folder that every Unix has, and the shortest that every user can write to.
  private static final Path SHORT_PARENT = Path.of("/tmp");

  private WorkerFolders() {}

  /// Creates a folder.
  ///
  /// @throws IOException if it has no folder
  static Path create() throws IOException {
    return create(temporaryFolder(), SHORT_PARENT);
  }

  /// @param parent where the folder is unless the path of its socket is too long
  /// @param shortParent where it is then
  static Path create(Path parent, Path shortParent) throws IOException {
    Path folder = createIn(parent);
    if (fitsSocket(folder)) {
      return folder;
    }
    Files.delete(folder);
    try {
      Path other = createIn(shortParent);
      if (fitsSocket(other)) {
        return other;
      }
      Files.delete(other);
    } catch (IOException e) {
      throw tooLong(parent, e);
    }
    throw tooLong(parent, null);
  }

  /// Creates a folder that others cannot enter. Its name has the id of this process, which holds a
  /// lock in the same parent as long as it runs.
  static Path createIn(Path parent) throws IOException {
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

  private static boolean fitsSocket(Path folder) {
    return socket(folder).toString().getBytes(StandardCharsets.UTF_8).length
        <= SOCKET_PATH_BYTE_SIZE;
  }

  private static IOException tooLong(Path parent, @Nullable IOException cause) {
    return new IOException(
        "Expected a java.io.tmpdir in which the path of a socket has at most %d bytes but found %s"
            .formatted(SOCKET_PATH_BYTE_SIZE, parent),
        cause);
  }

  private static Path temporaryFolder() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /// Returns the socket to which a worker connects.
  static Path socket(Path folder) {
    return folder.resolve("s");
  }

  static Path logFile(Path folder) {
    return folder.resolve("worker.log");
  }

  /// Returns the end of a worker's log, which names a crash.
  static String log(Path folder) {
    try (SeekableByteChannel log = Files.newByteChannel(logFile(folder))) {
      log.position(Math.max(0, log.size() - LOG_BYTE_SIZE));
      ByteBuffer end = ByteBuffer.allocate(LOG_BYTE_SIZE);
      while (end.hasRemaining() && log.read(end) >= 0) {
        // Reads on.
      }
      return new String(end.array(), 0, end.position(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /// Removes the folders of processes that no longer run.
  static void removeLeftovers() throws IOException {
    removeLeftovers(temporaryFolder());
    if (Files.isReadable(SHORT_PARENT)) {
      removeLeftovers(SHORT_PARENT);
    }
  }

  static void removeLeftovers(Path parent) throws IOException {
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
        folders.forEach(WorkerFolders::delete);
      }
      Files.deleteIfExists(lock);
    } catch (IOException | OverlappingFileLockException e) {
      LOG.log(
          System.Logger.Level.DEBUG,
          "Folders were not removed: {0}",
          String.valueOf(e.getMessage()));
    }
  }

  /// Deletes everything in a folder.
  static void empty(Path folder) throws IOException {
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
      for (Path path : paths) {
        Files.delete(path);
      }
    }
  }

  /// Deletes a folder and everything in it.
  static void delete(Path folder) {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException | UncheckedIOException e) {
      LOG.log(System.Logger.Level.WARNING, "A worker's folder was not removed: " + e.getMessage());
    }
  }
}
