package dev.quiver.dataset;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A JVM with the class path of this one, which is killed when this is closed. What it writes to
/// its standard error goes to that of this process.
final class ChildProcess implements AutoCloseable {

  private final Process process;
  private final BufferedReader lines;

  ChildProcess(Class<?> main, String... arguments) throws IOException {
    this(List.of(), main, arguments);
  }

  /// @param launcher what becomes the process whose command line is given to it
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

  void tell(String line) throws IOException {
    var writer = process.outputWriter();
    writer.write(line + "\n");
    writer.flush();
  }

  /// The next line that it says, or null when it has ended. The last line of one that was killed
  /// may be cut.
  @Nullable String line() throws IOException {
    return lines.readLine();
  }

  /// Ends it as `kill -9` does.
  void kill() {
    // Unlike the process's own method, this leaves what it said to be read.
    process.toHandle().destroyForcibly();
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
