package dev.quiver.sql.execution;

import dev.quiver.store.blob.ProcessFolders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The folders of workers, which only their user can enter. They are temporary folders: the path of
/// a socket has at most about a hundred bytes. If the path of the system's temporary folder is too
/// long, they are in another one.
final class WorkerFolders {

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
    Path folder = ProcessFolders.createIn(parent);
    if (fitsSocket(folder)) {
      return folder;
    }
    Files.delete(folder);
    try {
      Path other = ProcessFolders.createIn(shortParent);
      if (fitsSocket(other)) {
        return other;
      }
      Files.delete(other);
    } catch (IOException e) {
      throw tooLong(parent, e);
    }
    throw tooLong(parent, null);
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
    ProcessFolders.removeLeftovers(temporaryFolder());
    if (Files.isReadable(SHORT_PARENT)) {
      ProcessFolders.removeLeftovers(SHORT_PARENT);
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
}
