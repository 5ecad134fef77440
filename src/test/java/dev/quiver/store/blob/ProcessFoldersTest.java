package dev.quiver.store.blob;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The folders of processes.
class ProcessFoldersTest {

  @TempDir private Path parent;

  private Path make(String name) throws IOException {
    Path folder = Files.createDirectory(parent.resolve(name));
    Files.writeString(folder.resolve("worker.log"), "a line\n");
    return folder;
  }

  /// A process that has a folder, and ends when its input does.
  static final class Owner {
    public static void main(String[] arguments) throws IOException {
      System.out.println(ProcessFolders.createIn(Path.of(arguments[0])));
      System.in.read();
    }
  }

  @Test
  void foldersOfProcessesThatEndedAreRemoved() throws Exception {
    Path own = ProcessFolders.createIn(parent);
    Path other = make("quiver-worker-other");
    Process owner =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                System.getProperty("java.class.path"),
                Owner.class.getName(),
                parent.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Path foreign;
    try (BufferedReader output = owner.inputReader()) {
      foreign = Path.of(output.readLine());
      Files.writeString(foreign.resolve("file"), "1");
      ProcessFolders.removeLeftovers(parent);
      assertThat(foreign).exists();
    } finally {
      owner.destroyForcibly().waitFor();
    }
    ProcessFolders.removeLeftovers(parent);
    assertThat(foreign).doesNotExist();
    assertThat(own).exists();
    assertThat(other).exists();
    try (Stream<Path> left = Files.list(parent)) {
      assertThat(left).filteredOn(path -> path.toString().contains("lock")).hasSize(1);
    }
  }

  /// Other users may have put anything into a temporary folder.
  @Test
  void filesThatOnlyLookLikeLocksAreLeft() throws IOException {
    Path living = make("quiver-worker-p1x00000000-1");
    List<Path> others = new ArrayList<>();
    for (String owner : List.of("", "*", "[", "p1x0000000?", "p1x00000000/..")) {
      Path file = parent.resolve(".quiver-lock-" + owner.replace("/", "-"));
      others.add(Files.createFile(file));
    }
    others.add(Files.createDirectory(parent.resolve(".quiver-lock-p1x00000000")));
    ProcessFolders.removeLeftovers(parent);
    assertThat(living).exists();
    assertThat(others).allSatisfy(file -> assertThat(file).exists());
  }
}
