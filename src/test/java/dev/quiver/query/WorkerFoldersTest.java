package dev.quiver.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The folders of workers.
class WorkerFoldersTest {

  @TempDir private Path parent;

  private Path make(String name) throws IOException {
    Path folder = Files.createDirectory(parent.resolve(name));
    Files.writeString(folder.resolve("worker.log"), "a line\n");
    return folder;
  }

  @Test
  void foldersOfServicesThatEndedAreRemoved() throws Exception {
    Process ended =
        new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-version").start();
    ended.waitFor();
    Path leftover = make("quiver-worker-" + ended.pid() + "-1");
    Path own = make("quiver-worker-" + ProcessHandle.current().pid() + "-1");
    Path foreign = make("quiver-worker-x-1");
    Path other = make("other");
    WorkerFolders.removeLeftovers(parent);
    assertThat(leftover).doesNotExist();
    assertThat(own).exists();
    assertThat(foreign).exists();
    assertThat(other).exists();
  }

  @Test
  void logIsTheEndOfTheFile() throws IOException {
    Path folder = make("quiver-worker-1-1");
    assertThat(WorkerFolders.log(folder)).isEqualTo("a line");
    Files.writeString(folder.resolve("worker.log"), "x".repeat(5000) + "end\n");
    assertThat(WorkerFolders.log(folder)).hasSize(1999).endsWith("xend");
    WorkerFolders.delete(folder);
    assertThat(folder).doesNotExist();
    assertThat(WorkerFolders.log(folder)).isEmpty();
  }
}
