package dev.quiver.store;

import dev.quiver.Quiver;
import dev.quiver.store.blob.S3ProxyServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.SpringApplication;

/// A service on a bucket, in a process of its own. Closing kills it.
public final class ReplicaProcess implements AutoCloseable {

  private static final Pattern STARTED = Pattern.compile("serves https?://localhost:(\\d+)");

  private final ChildProcess process;
  private final int port;

  private ReplicaProcess(ChildProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  /// Starts a service and waits until it accepts connections.
  ///
  /// @param port its port, or 0 for any
  /// @param cache the folder of its cache
  public static ReplicaProcess start(int port, String bucket, Path cache) throws IOException {
    ChildProcess process =
        new ChildProcess(
            Main.class,
            "--server.port=" + port,
            "--quiver.sample=false",
            "--quiver.storage.s3.bucket=" + bucket,
            "--quiver.storage.s3.endpoint=" + S3ProxyServer.endpoint(),
            "--quiver.storage.s3.region=us-east-1",
            "--quiver.storage.s3.path-style=true",
            "--quiver.storage.cache-path=" + cache);
    List<String> log = new ArrayList<>();
    for (String line = process.readLine(); line != null; line = process.readLine()) {
      Matcher matcher = STARTED.matcher(line);
      if (matcher.find()) {
        // A virtual thread would block the only carrier of a machine with one processor.
        Thread.ofPlatform().daemon().start(() -> discardOutput(process));
        return new ReplicaProcess(process, Integer.parseInt(matcher.group(1)));
      }
      log.add(line);
    }
    throw new AssertionError("Expected a service but found " + log);
  }

  public int port() {
    return port;
  }

  public String origin() {
    return "http://localhost:" + port;
  }

  /// Asks the process to end, as an orchestrator does.
  public void stop() throws InterruptedException {
    process.stop();
    process.awaitEnd();
  }

  /// Ends the process like `kill -9`.
  public void kill() throws InterruptedException {
    process.kill();
    process.awaitEnd();
  }

  @Override
  public void close() throws InterruptedException {
    process.close();
  }

  private static void discardOutput(ChildProcess service) {
    try {
      while (service.readLine() != null) {
        // Unread output would block the service.
      }
    } catch (IOException e) {
      // The service was killed.
    }
  }

  /// The service, with arbitrary credentials.
  static final class Main {

    private Main() {}

    public static void main(String[] arguments) {
      System.setProperty("aws.accessKeyId", "test");
      System.setProperty("aws.secretAccessKey", "test");
      SpringApplication.run(Quiver.class, arguments);
    }
  }
}
