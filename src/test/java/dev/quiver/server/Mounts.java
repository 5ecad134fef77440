package dev.quiver.server;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;

/// File systems that tests mount, where the system lets them.
final class Mounts {

  private Mounts() {}

  /// Mounts a file system, or skips the test.
  ///
  /// @param arguments those of `mount`
  static void require(String... arguments) throws IOException, InterruptedException {
    String[] command = new String[1 + arguments.length];
    command[0] = "mount";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    assumeTrue(run(command) == 0, "mounts require permission");
  }

  /// Runs a command without its output, and returns its exit code.
  static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
