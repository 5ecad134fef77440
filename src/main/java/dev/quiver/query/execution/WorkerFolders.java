package dev.quiver.query.execution;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The folders of workers, which only their user can enter. They are temporary folders: the path of
/// a socket has at most about a hundred bytes. If that of the system's temporary folder is too
/// long, they are in another one.
final class WorkerFolders {

  private static final System.Logger LOG = System.getLogger(WorkerFolders.class.getName());

  private static final String PREFIX = "quiver-worker-";
  private static final int LOG_BYTE_SIZE = 2_000;

  /// The maximum length of the path of a socket: Linux has 107 bytes for it, and macOS 103.
  private static final int SOCKET_PATH_BYTE_SIZE = 103;

  /// The folder that every Unix has, and the shortest that every user can write to.
  private static final Path SHORT_PARENT = Path.of("/tmp");

  private WorkerFolders() {}

  /// Creates a folder whose name has the process id of this service.
  ///
  /// @throws IOException if there is no folder for it
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

  /// Creates a folder that others cannot enter, whose name has the process id of this service.
  static Path createIn(Path parent) throws IOException {
    return Files.createTempDirectory(
        parent.toAbsolutePath(), PREFIX + ProcessHandle.current().pid() + "-");
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

  /// Removes the folders of services that no longer run.
  static void removeLeftovers() throws IOException {
    removeLeftovers(temporaryFolder());
    if (Files.isReadable(SHORT_PARENT)) {
      removeLeftovers(SHORT_PARENT);
    }
  }

  static void removeLeftovers(Path parent) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path folder : folders) {
        String[] parts = folder.getFileName().toString().substring(PREFIX.length()).split("-", 2);
        if (parts[0].matches("[0-9]{1,9}")
            && ProcessHandle.of(Long.parseLong(parts[0])).isEmpty()
            && Files.isWritable(folder)) {
          delete(folder);
        }
      }
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
