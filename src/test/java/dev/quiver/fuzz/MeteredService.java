package dev.quiver.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.MeteredQuiver;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// The service in a separate JVM with little memory, with a CPU and memory limit on every request.
final class MeteredService implements AutoCloseable {

  private static final long CPU_NANOS_MAXIMUM = TimeUnit.SECONDS.toNanos(1);
  private static final long ALLOCATED_BYTES_MAXIMUM = 64L << 20;

  /// Also covers startup, which is slow on a busy machine.
  private static final long TIMEOUT_SECONDS = 300;

  private final HttpClient client = HttpClient.newHttpClient();
  private final BlockingQueue<String> meter = new LinkedBlockingQueue<>();
  private final List<String> log = new ArrayList<>();
  private final Process process;
  private final Thread listener;
  private final int port;
  private long cpuNanosPeak;
  private long allocatedBytesPeak;

  /// @param options options of the service, such as `--quiver.limits.text-response-bytes=4MB`
  MeteredService(Path folder, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of(
            ProcessHandle.current().info().command().orElseThrow(),
            "-Xmx192m",
            "-XX:MaxDirectMemorySize=64m",
            "-XX:+ExitOnOutOfMemoryError",
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("scratch")),
            "-cp",
            System.getProperty("java.class.path"),
            MeteredQuiver.class.getName(),
            "--server.port=0",
            "--quiver.sample=false",
            "--quiver.storage.path=" + folder.resolve("store")));
    command.addAll(List.of(options));
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    listener = new Thread(this::listen);
    listener.start();
    port = Integer.parseInt(nextLine().substring("port ".length()));
    warmUp();
  }

  /// Sends a request and returns the response.
  ///
  /// @throws AssertionError if the request exceeded its limits, or the service died
  HttpResponse<byte[]> send(String method, String path, byte[] body, String... headers)
      throws IOException, InterruptedException {
    try {
      return exchange(method, path, body, headers);
    } finally {
      meter(method, path);
    }
  }

  private void meter(String method, String path) throws InterruptedException {
    // request, method, path, status, CPU time, bytes
    String[] counts = nextLine().split(" ");
    assertThat(counts[1] + " " + counts[2]).isEqualTo(method + " " + path.split("\\?")[0]);
    long cpuNanos = Long.parseLong(counts[4]);
    long allocatedBytes = Long.parseLong(counts[5]);
    cpuNanosPeak = Math.max(cpuNanosPeak, cpuNanos);
    allocatedBytesPeak = Math.max(allocatedBytesPeak, allocatedBytes);
    assertThat(cpuNanos).as("CPU time of " + path).isLessThan(CPU_NANOS_MAXIMUM);
    assertThat(allocatedBytes).as("bytes for " + path).isLessThan(ALLOCATED_BYTES_MAXIMUM);
  }

  /// Returns the maximum cost of a request.
  String peaks() {
    return "%d ms, %d KiB"
        .formatted(TimeUnit.NANOSECONDS.toMillis(cpuNanosPeak), allocatedBytesPeak >> 10);
  }

  /// Stops the service, and asserts that it logged no errors except rows truncated at their limit.
  @Override
  public void close() throws InterruptedException {
    boolean alive = process.isAlive();
    process.toHandle().destroy();
    if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    listener.join();
    client.close();
    assertThat(alive).as("the service: %s", log).isTrue();
    assertThat(log)
        .filteredOn(line -> !line.contains("(quiver.limits.text-response-bytes)"))
        .noneMatch(line -> line.contains(" ERROR ") || line.contains(" WARN "));
  }

  /// Sends the first requests, so that class loading is not measured.
  private void warmUp() throws Exception {
    for (String path : List.of("/", "/datasets", "/datasets/none", "/datasets/none.arrow")) {
      exchange("GET", path, new byte[0]);
      nextLine();
    }
  }

  private HttpResponse<byte[]> exchange(String method, String path, byte[] body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
            .timeout(Duration.ofSeconds(TIMEOUT_SECONDS))
            .method(method, BodyPublishers.ofByteArray(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }

  private String nextLine() throws InterruptedException {
    String line = meter.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    assertThat(line).as("a line of the service after %s", log).isNotNull();
    return line;
  }

  private void listen() {
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("request ") || line.startsWith("port ")) {
          meter.add(line);
        } else {
          log.add(line);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
