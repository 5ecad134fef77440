package dev.quiver.store.blob.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A check that a file system has hard links. They are the only way to name a file atomically
/// unless the name is taken, even on network file systems.
final class HardLinks {

  private HardLinks() {}

  static void require(Path folder) throws IOException {
    Path file = Files.createTempFile(folder, "probe-", ".tmp");
    Path link = folder.resolve(file.getFileName() + ".link");
    try {
      Files.createLink(link, file);
    } catch (IOException | UnsupportedOperationException e) {
      throw new IOException(
          "Expected a file system with hard links but found none at " + folder, e);
    } finally {
      Files.deleteIfExists(link);
      Files.deleteIfExists(file);
    }
  }
}
