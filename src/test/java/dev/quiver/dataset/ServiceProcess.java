package dev.quiver.dataset;

import dev.quiver.Quiver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The service in a process of its own, on any free port. Closing kills it.
final class ServiceProcess implements AutoCloseable {

  private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");

  private final ChildProcess process;
  private final String port;
  private final Thread log;

  /// Starts the service and waits until it accepts connections.
  ///
  /// @param launcher the launcher of the [ChildProcess]
  ServiceProcess(List<String> launcher, Path store) throws IOException {
    process =
        new ChildProcess(
            launcher,
            Quiver.class,
            "--server.port=0",
            "--quiver.sample=false",
            "--quiver.storage.path=" + store);
    port = awaitPort();
    log = Thread.ofPlatform().daemon().start(this::discardLog);
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
    for (String line = process.readLine(); line != null; line = process.readLine()) {
      Matcher matcher = STARTED.matcher(line);
      if (matcher.find()) {
        return matcher.group(1);
      }
      lines.add(line);
    }
    throw new AssertionError("Expected a service but found " + lines);
  }

  /// Discards the log, since unread output would block the service.
  private void discardLog() {
    try {
      while (process.readLine() != null) {
        // Each line is discarded.
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
