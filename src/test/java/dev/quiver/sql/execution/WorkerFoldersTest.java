package dev.quiver.sql.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.store.blob.ProcessFolders;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
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

  private static List<Path> folders(Path parent) throws IOException {
    try (Stream<Path> paths = Files.list(parent)) {
      return paths.filter(Files::isDirectory).toList();
    }
  }

  @Test
  void longPathsGiveWayToAShortPrivateFolder() throws IOException {
    Path brief = Files.createDirectory(Path.of("/tmp/q" + ProcessHandle.current().pid()));
    try {
      Path near = Files.createDirectory(brief.resolve("n".repeat(20)));
      assertThat(WorkerFolders.create(near, brief)).hasParent(near);
      Path far = Files.createDirectory(brief.resolve("f".repeat(100)));
      Path folder = WorkerFolders.create(far, brief);
      assertThat(folder).hasParent(brief);
      assertThat(Files.getPosixFilePermissions(folder))
          .isEqualTo(PosixFilePermissions.fromString("rwx------"));
      assertThat(folders(far)).isEmpty();
      try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        server.bind(UnixDomainSocketAddress.of(WorkerFolders.socket(folder)));
      }
      assertThatThrownBy(() -> WorkerFolders.create(far, far))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(
              "Expected a java.io.tmpdir in which the path of a socket has at most")
          .hasMessageEndingWith(" but found " + far);
      assertThatThrownBy(() -> WorkerFolders.create(far, brief.resolve("missing")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("java.io.tmpdir")
          .hasCauseInstanceOf(NoSuchFileException.class);
      assertThat(folders(far)).isEmpty();
    } finally {
      ProcessFolders.delete(brief);
    }
  }

  @Test
  void workersStartWithALongTemporaryFolder() throws Exception {
    Path far = Files.createDirectory(parent.resolve("l".repeat(120)));
    List<String> command =
        List.of(
            System.getProperty("java.home") + "/bin/java",
            "-Djava.io.tmpdir=" + far,
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            LongTemporaryFolder.class.getName());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(output).endsWith("v2.0.0\n");
    assertThat(process.waitFor()).isZero();
  }

  /// A service whose temporary folder has a long path.
  static final class LongTemporaryFolder {
    public static void main(String[] arguments) throws IOException {
      try (TestWorkers workers = new TestWorkers()) {
        System.out.println(workers.engineVersion());
      }
    }
  }

  @Test
  void logIsTheEndOfTheFile() throws IOException {
    Path folder = make("quiver-worker-1-1");
    assertThat(WorkerFolders.log(folder)).isEqualTo("a line");
    Files.writeString(folder.resolve("worker.log"), "x".repeat(5000) + "end\n");
    assertThat(WorkerFolders.log(folder)).hasSize(1999).endsWith("xend");
    ProcessFolders.delete(folder);
    assertThat(folder).doesNotExist();
    assertThat(WorkerFolders.log(folder)).isEmpty();
  }
}
