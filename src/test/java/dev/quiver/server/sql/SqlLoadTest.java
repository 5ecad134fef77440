package dev.quiver.server.sql;

import static dev.quiver.Eventually.eventually;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.quiver.Trials;
import dev.quiver.server.RawHttp;
import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import dev.quiver.sql.execution.WorkerPools;
import dev.quiver.store.blob.Spool;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.json.JsonMapper;

/// Many statements, heavy ones and slow clients. The client suite runs the whole list of heavy
/// ones.
@TestPropertySource(
    properties = {
      "quiver.sql.workers=3",
      "quiver.sql.queue-wait=60s",
      "quiver.sql.timeout=60s",
      "quiver.sql.threads=1",
      "quiver.sql.memory=128MB",
      "quiver.spool.path=" + SqlLoadTest.SPOOL,
    })
@Tag("random")
class SqlLoadTest extends RunningService {

  /// The memory limit of a worker: that of the engine, and that of the JVM around it.
  private static final long WORKER_BYTE_SIZE = (128L + 512) << 20;

  /// Statements whose end leaves nothing behind: 10,000 with `-Dtrials.percent=2000`.
  private static final int STATEMENTS = Trials.of(500);

  static final String SPOOL = "target/spool-load";

  @Autowired private WorkerPools pools;
  @Autowired private Spool spool;

  @BeforeEach
  void upload() throws Exception {
    put("/datasets/numbers", Streams.numbers(0, 1000));
  }

  private HttpResponse<byte[]> run(String sql) throws Exception {
    return post("/sql.csv", sql.getBytes(StandardCharsets.UTF_8));
  }

  /// Runs a statement that would not end by itself soon.
  private int runBriefly(String sql) throws Exception {
    byte[] body = JsonMapper.shared().writeValueAsBytes(Map.of("sql", sql, "timeout", "1s"));
    return post("/sql.csv", body, "Content-Type", "application/json").statusCode();
  }

  /// Returns the workers of this service alone: others in the same process have other folders.
  private static List<ProcessHandle> workers() {
    String library = Path.of(SPOOL, "engine").toAbsolutePath().toString();
    return ProcessHandle.current()
        .children()
        .filter(child -> commandLine(child).contains(library))
        .toList();
  }

  /// Returns the whole line, which [ProcessHandle.Info] has only if it is short.
  private static String commandLine(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"), ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  private static long count(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.count();
    }
  }

  private static List<Path> foldersOfWorkers() throws IOException {
    String own = "quiver-worker-p" + ProcessHandle.current().pid() + "x";
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files.filter(file -> file.getFileName().toString().startsWith(own)).toList();
    }
  }

  private static long privateByteSize(long processId) {
    try {
      return Files.readAllLines(Path.of("/proc/" + processId + "/status")).stream()
          .filter(line -> line.startsWith("RssAnon:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .sum();
    } catch (IOException e) {
      return 0;
    }
  }

  /// One of each kind: endless, stubborn, in many allocations, in a single one.
  private static final List<String> HEAVY =
      List.of(
          "SELECT count(*) FROM range(9000000000000000000)",
          "WITH RECURSIVE t(n, s) AS (SELECT 0, 'ab' UNION ALL SELECT n + 1, s || s FROM t)"
              + " SELECT max(length(s)) FROM t",
          "SELECT levenshtein(repeat('c', 300000), repeat('d', 300000))",
          "SELECT len(list_transform(range(200000000), lambda x: repeat('q', 90)))",
          "SELECT length(lpad('q', 2100000000, 'r'))",
          "SELECT length(repeat('q', 4000000000))",
          "SELECT len(flatten([range(90000000), range(90000000), range(90000000)]))",
          "SELECT count(DISTINCT md5(range::VARCHAR)) FROM range(3000000000)");

  @Tag("long")
  @Test
  void heavyStatementsLeaveMemoryToOthers() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/status")), "the system has no /proc");
    AtomicBoolean done = new AtomicBoolean();
    AtomicLong peak = new AtomicLong();
    Thread watch =
        Thread.ofPlatform()
            .start(() -> {
              while (!done.get()) {
                workers()
                    .forEach(
                        worker -> peak.accumulateAndGet(privateByteSize(worker.pid()), Math::max));
                LockSupport.parkNanos(10_000_000);
              }
            });
    try (ExecutorService clients = Executors.newFixedThreadPool(2)) {
      List<Future<Integer>> statuses = new ArrayList<>();
      for (String sql : HEAVY) {
        statuses.add(clients.submit(() -> runBriefly(sql)));
      }
      for (Future<Integer> status : statuses) {
        while (!status.isDone()) {
          assertThat(get("/datasets/numbers.csv?limit=1").statusCode()).isEqualTo(200);
          assertThat(run("SELECT count(*) FROM numbers").statusCode()).isEqualTo(200);
        }
        assertThat(status.get()).isIn(413, 504);
      }
    } finally {
      done.set(true);
      watch.join();
    }
    assertThat(peak.get()).isBetween(1L << 20, WORKER_BYTE_SIZE);
  }

  /// Runs a statement or a condition, some of which are invalid or fail in the middle.
  private void runOneOfMany(int number) throws Exception {
    int status =
        switch (number % 10) {
          case 1 -> get("/datasets/numbers.csv?where=number%3D" + number).statusCode();
          case 2 -> run("SELECT missing FROM numbers").statusCode();
          case 3 -> run("SELECT error('x') FROM numbers WHERE number = 999").statusCode();
          case 4 -> run("SELECT repeat('q', number) FROM numbers LIMIT " + number).statusCode();
          // More than waits in memory.
          case 5 -> run("SELECT repeat('q', 100000) FROM numbers LIMIT 15").statusCode();
          default -> run("SELECT count(*) FROM numbers WHERE number > " + number).statusCode();
        };
    assertThat(status).isEqualTo(number % 10 == 2 || number % 10 == 3 ? 400 : 200);
  }

  @Tag("long")
  @Test
  void manyStatementsLeaveNothingBehind() throws Exception {
    Path self = Path.of("/proc/self/fd");
    assumeTrue(Files.exists(self), "the system does not list the open files of a process");
    for (int i = 0; i < 10; i++) {
      runOneOfMany(i);
    }
    long files = count(self);
    long maps = mapsOf(ProcessHandle.current());
    int others = foldersOfWorkers().size() - workers().size();
    for (int i = 0; i < STATEMENTS; i++) {
      runOneOfMany(i);
    }
    eventually(() -> assertThat(pools.runningCount()).isZero());
    // A worker is replaced after a thousand statements.
    eventually(() -> assertThat(workers()).hasSizeBetween(1, 3));
    eventually(
        () -> assertThat(pools.startedCount() - pools.endedCount()).isEqualTo(workers().size()));
    eventually(() -> assertThat(foldersOfWorkers()).hasSize(others + workers().size()));
    eventually(() -> assertThat(spool.taken()).isZero());
    eventually(() -> {
      try (Stream<Path> kept = Files.list(Path.of(SPOOL))) {
        assertThat(kept).containsExactly(Path.of(SPOOL, "engine"));
      }
    });
    // Connections and logs come and go.
    eventually(() -> assertThat(count(self)).isLessThan(files + 20));
    eventually(() -> assertThat(mapsOf(ProcessHandle.current())).isLessThanOrEqualTo(maps));
    for (ProcessHandle worker : workers()) {
      eventually(() -> assertThat(mapsOf(worker)).isZero());
      eventually(
          () -> assertThat(openFiles(worker)).noneMatch(file -> file.contains(FOLDER.toString())));
      // The class path, the library, the log and a connection.
      assertThat(openFiles(worker).stream().filter(file -> !file.endsWith(".jar")))
          .hasSizeLessThan(30);
    }
  }

  private static List<String> openFiles(ProcessHandle worker) throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/" + worker.pid() + "/fd"))) {
      List<String> names = new ArrayList<>();
      for (Path file : files.toList()) {
        names.add(Files.readSymbolicLink(file).toString());
      }
      return names;
    }
  }

  /// Returns the number of mapped files of datasets and results, deleted or not.
  private static long mapsOf(ProcessHandle process) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + process.pid() + "/maps")).stream()
        .filter(line -> line.contains(FOLDER.toString()) || line.contains(SPOOL + "/result"))
        .count();
  }

  @Tag("long")
  @Test
  void slowReadersAndLongStatementsLeaveShortOnesAnswered() throws Exception {
    String large = "SELECT range, repeat('q', 100) AS q FROM range(200000)";
    String request =
        "GET /sql.arrows?q=%s HTTP/1.1\nHost: localhost\n\n"
            .formatted(URLEncoder.encode(large, StandardCharsets.UTF_8));
    try (RawHttp first = new RawHttp(port);
        RawHttp second = new RawHttp(port);
        ExecutorService clients = Executors.newFixedThreadPool(2)) {
      for (RawHttp reader : List.of(first, second)) {
        reader.send(request);
        assertThat(reader.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200 ");
      }
      // Their results wait on disk, and their workers are free.
      eventually(() -> assertThat(pools.runningCount()).isZero());
      assertThat(spool.taken()).isGreaterThan(10 << 20);
      List<Future<Integer>> statuses = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        statuses.add(clients.submit(() -> runBriefly(HEAVY.getFirst())));
      }
      eventually(() -> assertThat(pools.runningCount()).isEqualTo(2));
      assertThat(text(run("SELECT 1 AS n"))).isEqualToNormalizingNewlines("n\n1\n");
      for (Future<Integer> status : statuses) {
        assertThat(status.get()).isEqualTo(504);
      }
      first.reset();
      second.reset();
    }
    eventually(() -> assertThat(spool.taken()).isZero());
  }

  @Tag("long")
  @Test
  void workerThatIsKilledIsOneFailedStatement() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/status")), "the system has no /proc");
    run("SELECT 1");
    try (ExecutorService client = Executors.newSingleThreadExecutor()) {
      Future<Integer> status =
          client.submit(() ->
              run("SELECT levenshtein(repeat('c', 300000), repeat('d', 300000))").statusCode());
      eventually(() -> assertThat(pools.runningCount()).isEqualTo(1));
      // Idle workers are among these. A statement that gets one before its end is seen is lost too.
      List<ProcessHandle> killed = workers();
      killed.forEach(ProcessHandle::destroyForcibly);
      assertThat(status.get()).isIn(503, 504);
      killed.forEach(worker -> worker.onExit().join());
    }
    eventually(() -> assertThat(text(run("SELECT 1 AS n"))).isEqualToNormalizingNewlines("n\n1\n"));
    eventually(
        () -> assertThat(pools.startedCount() - pools.endedCount()).isEqualTo(workers().size()));
  }
}
