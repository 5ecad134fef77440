package dev.quiver.query;

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

/// The folders of workers, which only their user can enter. They are temporary folders: the path of
/// a socket has at most about a hundred characters.
final class WorkerFolders {

  private static final System.Logger LOG = System.getLogger(WorkerFolders.class.getName());

  private static final String PREFIX = "quiver-worker-";
  private static final int LOG_BYTE_SIZE = 2_000;

  private WorkerFolders() {}

  /// Creates a folder whose name has the process id of this service.
  static Path create() throws IOException {
    return Files.createTempDirectory(PREFIX + ProcessHandle.current().pid() + "-");
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
    removeLeftovers(Path.of(System.getProperty("java.io.tmpdir")));
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
