package dev.quiver.dataset;

import dev.quiver.Quiver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The service in a process of its own, on any port, which is killed when this is closed.
final class ServiceProcess implements AutoCloseable {

  private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");

  private final ChildProcess process;
  private final String port;
  private final Thread log;

  /// Returns when the service is there.
  ///
  /// @param launcher as that of a [ChildProcess]
  ServiceProcess(List<String> launcher, Path store) throws IOException {
    process =
        new ChildProcess(
            launcher,
            Quiver.class,
            "--server.port=0",
            "--quiver.sample=false",
            "--quiver.storage.path=" + store);
    port = awaitPort();
    log = Thread.ofPlatform().daemon().start(this::skipLog);
  }

  String origin() {
    return "http://localhost:" + port;
  }

  void kill() {
    process.kill();
  }

  int awaitEnd() throws InterruptedException {
    log.join();
    return process.awaitEnd();
  }

  @Override
  public void close() throws InterruptedException {
    process.close();
  }

  private String awaitPort() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line = process.line(); line != null; line = process.line()) {
      Matcher matcher = STARTED.matcher(line);
      if (matcher.find()) {
        return matcher.group(1);
      }
      lines.add(line);
    }
    throw new AssertionError("Expected a service but found " + lines);
  }

  /// So that the service does not wait for it to be read.
  private void skipLog() {
    try {
      while (process.line() != null) {
        // The next one.
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
