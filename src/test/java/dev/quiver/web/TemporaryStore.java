package dev.quiver.web;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.util.FileSystemUtils;

/// Gives a test's service a folder of its own, which is gone when the tests are over.
abstract class TemporaryStore {

  static final Path FOLDER = make();

  @DynamicPropertySource
  static void useFolder(DynamicPropertyRegistry registry) {
    registry.add("quiver.storage.path", FOLDER::toString);
  }

  private static Path make() {
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
