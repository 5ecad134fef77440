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

  /// The least CPU time of this many tries counts.
  private static final int TRIES = 4;

  /// Also covers startup, which is slow on a busy machine.
  private static final long TIMEOUT_SECONDS = 300;

  private final HttpClient client = HttpClient.newHttpClient();
  private final BlockingQueue<String> meter = new LinkedBlockingQueue<>();
  private final List<String> log = new ArrayList<>();
  private final Process process;
  private final Thread listener;
  private final int port;
  private long cpuNanosPeak;
  private String slowest = "none";
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
  /// A request that takes too long is repeated: at first, classes are loaded and code is not yet
  /// compiled, and on a busy machine each instruction takes longer.
  ///
  /// @throws AssertionError if the request exceeded its limits, or the service died
  HttpResponse<byte[]> send(String method, String path, byte[] body, String... headers)
      throws IOException, InterruptedException {
    try {
      return exchange(method, path, body, headers);
    } finally {
      Cost cost = cost(method, path);
      for (int i = 1; i < TRIES && cost.cpuNanos >= CPU_NANOS_MAXIMUM; i++) {
        cost = cost.atMost(repeated(method, path, body, headers).cpuNanos);
      }
      require(method + " " + path, cost);
    }
  }

  private Cost repeated(String method, String path, byte[] body, String... headers)
      throws InterruptedException {
    try {
      exchange(method, path, body, headers);
    } catch (IOException e) {
      // A truncated response costs as much as the first one.
    }
    return cost(method, path);
  }

  /// The CPU time and the allocated heap of a request.
  private record Cost(long cpuNanos, long allocatedBytes) {

    Cost atMost(long otherCpuNanos) {
      return new Cost(Math.min(cpuNanos, otherCpuNanos), allocatedBytes);
    }
  }

  /// Reads the cost of the last request.
  private Cost cost(String method, String path) throws InterruptedException {
    // request, method, path, status, CPU time, bytes
    String[] counts = nextLine().split(" ");
    assertThat(counts[1] + " " + counts[2]).isEqualTo(method + " " + path.split("\\?")[0]);
    return new Cost(Long.parseLong(counts[4]), Long.parseLong(counts[5]));
  }

  private void require(String request, Cost cost) {
    if (cost.cpuNanos > cpuNanosPeak) {
      cpuNanosPeak = cost.cpuNanos;
      slowest = request;
    }
    allocatedBytesPeak = Math.max(allocatedBytesPeak, cost.allocatedBytes);
    assertThat(cost.cpuNanos).as("CPU time of " + request).isLessThan(CPU_NANOS_MAXIMUM);
    assertThat(cost.allocatedBytes).as("bytes for " + request).isLessThan(ALLOCATED_BYTES_MAXIMUM);
  }

  /// Returns the maximum cost of a request.
  String peaks() {
    return "%d ms (%s), %d KiB"
        .formatted(TimeUnit.NANOSECONDS.toMillis(cpuNanosPeak), slowest, allocatedBytesPeak >> 10);
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
