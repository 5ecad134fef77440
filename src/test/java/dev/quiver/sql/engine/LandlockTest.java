package dev.quiver.sql.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class LandlockTest {

  @TempDir private Path folder;

  /// A restricted thread stays so, and the threads that it starts are as well. So this needs a
  /// process of its own.
  @Test
  @EnabledOnOs(OS.LINUX)
  void restrictsTheThreadAndTheEngineThatItOpens() throws Exception {
    Path secret =
        Files.writeString(Files.createDirectory(folder.resolve("a")).resolve("b"), "text");
    Path writable = Files.createDirectory(folder.resolve("writable"));
    Files.createSymbolicLink(writable.resolve("link.csv"), secret);
    List<String> lines =
        run(TestEngine.library().toString(), secret.toString(), writable.toString());
    assumeFalse(lines.contains("restricted: false"), "the kernel lacks Landlock");
    assertThat(lines)
        .containsExactly(
            "restricted: true",
            "restricted thread reads: denied",
            "restricted thread lists: denied",
            "restricted thread writes: denied",
            "restricted thread deletes: denied",
            "restricted thread connects: denied",
            "restricted thread writes to the folder: allowed",
            "restricted thread reads through a link: denied",
            "restricted thread links: denied",
            "another library: refused",
            "sum: [[1249975000]]",
            "engine's threads read: [denied]",
            "spilled: 1",
            "copied: [[1]]",
            "read: [[7]]",
            "main thread reads: allowed");
    try (Stream<Path> files = Files.list(writable)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("link.csv", "copied.parquet");
    }
  }

  private static List<String> run(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                RestrictedProcess.class.getName()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      List<String> lines = process.inputReader().readAllLines();
      assertThat(process.waitFor()).as("%s", lines).isZero();
      return lines;
    } finally {
      process.destroyForcibly();
    }
  }
}
