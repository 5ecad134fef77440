package dev.quiver.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;
import org.springframework.util.FileSystemUtils;

/// A temporary folder for the services of tests, deleted at exit. Tests that need a store of their
/// own set `quiver.storage.path` to another folder below `test.folder`. The spool is shared, since
/// it holds the unpacked library.
@TestPropertySource(
    properties = {"quiver.storage.path=${test.folder}/shared", "quiver.spool.path=target/spool"})
abstract class TemporaryStore {

  protected static final Path FOLDER = make();

  @DynamicPropertySource
  static void useFolder(DynamicPropertyRegistry registry) {
    registry.add("test.folder", FOLDER::toString);
  }

  static Path make() {
    try {
      Path folder = Files.createTempDirectory("quiver-web");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
      return folder;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    try {
      FileSystemUtils.deleteRecursively(folder);
    } catch (IOException leftBehind) {
      System.err.println("Left behind: " + folder);
    }
  }
}
