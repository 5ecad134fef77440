package dev.quiver.store;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A JVM with the class path of this one. Closing kills it. It inherits the standard error of this
/// process.
final class ChildProcess implements AutoCloseable {

  private final Process process;
  private final BufferedReader lines;

  ChildProcess(Class<?> main, String... arguments) throws IOException {
    this(List.of(), main, arguments);
  }

  /// @param launcher a command that replaces itself by the command in its arguments
  ChildProcess(List<String> launcher, Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(launcher);
    command.addAll(
        List.of(
            ProcessHandle.current().info().command().orElseThrow(),
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName()));
    command.addAll(List.of(arguments));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    lines = process.inputReader();
  }

  void send(String line) throws IOException {
    var writer = process.outputWriter();
    writer.write(line + "\n");
    writer.flush();
  }

  /// Returns the next line of the output, or null if the process has ended. The last line of a
  /// killed process may be truncated.
  @Nullable String readLine() throws IOException {
    return lines.readLine();
  }

  /// Ends the process like `kill -9`.
  void kill() {
    // Unlike Process.destroyForcibly, this leaves the output readable.
    process.toHandle().destroyForcibly();
  }

  /// Asks the process to end.
  void stop() {
    process.toHandle().destroy();
  }

  int awaitEnd() throws InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("The process did not end");
    }
    return process.exitValue();
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }
}
