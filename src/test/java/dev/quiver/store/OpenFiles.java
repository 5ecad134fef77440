package dev.quiver.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The files that this process holds open.
public final class OpenFiles {

  private static final Path HANDLES = Path.of("/proc/self/fd");

  private OpenFiles() {}

  /// Returns the open files below a folder, deleted ones included. The list is empty on systems
  /// without `/proc`.
  public static List<String> below(Path folder) throws IOException {
    List<String> open = new ArrayList<>();
    if (!Files.isDirectory(HANDLES)) {
      return open;
    }
    String prefix = folder.toRealPath() + "/";
    try (Stream<Path> handles = Files.list(HANDLES)) {
      for (Path handle : (Iterable<Path>) handles::iterator) {
        try {
          String target = Files.readSymbolicLink(handle).toString();
          if (target.startsWith(prefix)) {
            open.add(target);
          }
        } catch (NoSuchFileException e) {
          // The handle of the listing itself.
        }
      }
    }
    return open;
  }
}
