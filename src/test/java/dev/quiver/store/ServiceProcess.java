package dev.quiver.store;

import dev.quiver.Quiver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The service in a process of its own, on any free port. Closing kills it.
final class ServiceProcess implements AutoCloseable {

  private static final Pattern STARTED = Pattern.compile("serves https?://localhost:(\\d+)");

  private final ChildProcess process;
  private final String port;
  private final Thread log;
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  /// Starts the service and waits until it accepts connections.
  ///
  /// @param launcher the launcher of the [ChildProcess]
  /// @param arguments further arguments of the service
  ServiceProcess(List<String> launcher, Path store, String... arguments) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of("--server.port=0", "--quiver.sample=false", "--quiver.storage.path=" + store));
    all.addAll(List.of(arguments));
    process = new ChildProcess(launcher, Quiver.class, all.toArray(String[]::new));
    port = awaitPort();
    log = Thread.ofPlatform().daemon().start(this::readLog);
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
    List<String> before = new ArrayList<>();
    for (String line = process.readLine(); line != null; line = process.readLine()) {
      Matcher matcher = STARTED.matcher(line);
      if (matcher.find()) {
        return matcher.group(1);
      }
      before.add(line);
    }
    throw new AssertionError("Expected a service but found " + before);
  }

  /// Returns the log since the start, complete once the service has ended.
  Collection<String> log() {
    return lines;
  }

  /// Reads the log, since unread output would block the service.
  private void readLog() {
    try {
      for (String line = process.readLine(); line != null; line = process.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
