package dev.quiver.sql.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
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

  /// A process that has a folder, and ends when its input does.
  static final class Owner {
    public static void main(String[] arguments) throws IOException {
      System.out.println(WorkerFolders.createIn(Path.of(arguments[0])));
      System.in.read();
    }
  }

  @Test
  void foldersOfProcessesThatEndedAreRemoved() throws Exception {
    Path own = WorkerFolders.createIn(parent);
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
      WorkerFolders.removeLeftovers(parent);
      assertThat(foreign).exists();
    } finally {
      owner.destroyForcibly().waitFor();
    }
    WorkerFolders.removeLeftovers(parent);
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
    WorkerFolders.removeLeftovers(parent);
    assertThat(living).exists();
    assertThat(others).allSatisfy(file -> assertThat(file).exists());
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
      WorkerFolders.delete(brief);
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
    WorkerFolders.delete(folder);
    assertThat(folder).doesNotExist();
    assertThat(WorkerFolders.log(folder)).isEmpty();
  }
}
