package dev.quiver.sql.execution;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.store.access.Permissions;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.Spool;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The lives of worker processes.
class WorkersTest {

  private static final Predicate<String> LEVEL =
      argument -> argument.startsWith("-XX:TieredStopAtLevel=");

  /// The folders of workers of other tests in this process.
  private List<Path> others = List.of();

  @BeforeEach
  void listOthers() throws IOException {
    others = folders();
  }

  private static List<Path> folders() throws IOException {
    String own = "quiver-worker-p" + ProcessHandle.current().pid() + "x";
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files.filter(file -> file.getFileName().toString().startsWith(own)).toList();
    }
  }

  private static boolean isAlive(long processId) {
    return ProcessHandle.of(processId).map(ProcessHandle::isAlive).orElse(false);
  }

  @Test
  void workerIsUsedAgainAndEndsWithTheService() throws IOException {
    TestWorkers test = new TestWorkers();
    WorkerProcess first = test.workers.acquire(TestWorkers.PRINCIPAL);
    assertThat(test.workers.busyCount()).isEqualTo(1);
    test.workers.release(first, true);
    assertThat(test.workers.busyCount()).isZero();
    WorkerProcess second = test.workers.acquire(TestWorkers.PRINCIPAL);
    assertThat(second).isSameAs(first);
    long processId = second.processId();
    assertThat(isAlive(processId)).isTrue();
    // It ends although it has a statement.
    test.close();
    assertThat(isAlive(processId)).isFalse();
    assertThat(others).containsAll(folders());
    test.workers.release(second, true);
    assertThatThrownBy(() -> test.workers.acquire(TestWorkers.PRINCIPAL))
        .isInstanceOf(OverloadedException.class);
    assertThat(test.workers.endedCount()).isEqualTo(1);
  }

  @Test
  void statementsThatRunAtATimeShareTheThreads() throws IOException {
    SqlOptions options =
        TestWorkers.options(Duration.ofMinutes(1), /* threads= */ 5, 64 << 10, 1 << 20);
    try (TestWorkers test = new TestWorkers(options.pool())) {
      WorkerProcess first = test.workers.acquire(TestWorkers.PRINCIPAL);
      assertThat(test.workers.threadShare()).isEqualTo(5);
      WorkerProcess second = test.workers.acquire(TestWorkers.PRINCIPAL);
      assertThat(test.workers.threadShare()).isEqualTo(2);
      test.workers.release(first, true);
      assertThat(test.workers.threadShare()).isEqualTo(5);
      test.workers.release(second, true);
    }
    try (TestWorkers test = new TestWorkers()) {
      WorkerProcess first = test.workers.acquire(TestWorkers.PRINCIPAL);
      WorkerProcess second = test.workers.acquire(TestWorkers.PRINCIPAL);
      assertThat(test.workers.threadShare()).isOne();
      test.workers.release(first, true);
      test.workers.release(second, true);
    }
  }

  /// The environment of a service may have secrets. A shell, which sets the limit, adds some keys.
  @Test
  @EnabledOnOs(OS.LINUX)
  void workerHasNoEnvironmentOfTheService() throws IOException {
    try (TestWorkers test = new TestWorkers()) {
      WorkerProcess worker = test.workers.acquire(TestWorkers.PRINCIPAL);
      Path file = Path.of("/proc/%d/environ".formatted(worker.processId()));
      Set<String> keys = new TreeSet<>();
      for (String entry : Files.readString(file).split("\0")) {
        keys.add(entry.split("=")[0]);
      }
      keys.removeAll(Set.of("PWD", "OLDPWD", "SHLVL", "_"));
      assertThat(keys).containsExactly("DUCKDB_JE_MALLOC_CONF", "MALLOC_ARENA_MAX");
      test.workers.release(worker, true);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void workerHasALowerPriorityThanTheService() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/nice")), "the system has no nice");
    try (TestWorkers test = new TestWorkers()) {
      WorkerProcess worker = test.workers.acquire(TestWorkers.PRINCIPAL);
      int own = niceness("self");
      assertThat(niceness(Long.toString(worker.processId()))).isEqualTo(Math.min(19, own + 10));
      test.workers.release(worker, true);
    }
  }

  private static int niceness(String process) throws IOException {
    String line = Files.readString(Path.of("/proc/" + process + "/stat"));
    // The name of the program, in parentheses, may have spaces. The state follows, field 3.
    return Integer.parseInt(line.substring(line.lastIndexOf(')') + 2).split(" ")[16]);
  }

  /// As on a small image of a container.
  @Test
  void commandRunsWithoutNice() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "the system has no shell");
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", "-c", WorkerCommand.NICE, "sh", "/bin/sh", "-c", "echo ran");
    builder.environment().put("PATH", "/nonexistent");
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(output).isEqualTo("ran\n");
    assertThat(process.waitFor()).isZero();
  }

  @Tag("long")
  @Test
  void workerIsReplacedAfterAFailureAndAfterManyStatements() throws IOException {
    try (TestWorkers test = new TestWorkers()) {
      WorkerProcess failed = test.workers.acquire(TestWorkers.PRINCIPAL);
      test.workers.release(failed, false);
      WorkerProcess old = test.workers.acquire(TestWorkers.PRINCIPAL);
      assertThat(old).isNotSameAs(failed);
      old.requestCount = Workers.REQUESTS_MAXIMUM - 1;
      test.workers.release(old, true);
      WorkerProcess replacement = test.workers.acquire(TestWorkers.PRINCIPAL);
      assertThat(replacement).isNotSameAs(old);
      replacement.kill();
      eventually(() -> assertThat(replacement.isAlive()).isFalse());
      test.workers.release(replacement, true);
      assertThat(test.rows("SELECT 1::BIGINT")).containsExactly(List.of(1L));
      assertThat(test.workers.startedCount()).isEqualTo(4);
      assertThat(test.workers.endedCount()).isEqualTo(3);
    }
  }

  /// Freed memory of a statement may be visible to the next one.
  @Test
  void workerHasOnePrincipalAndEndsWhenItsPlaceIsTaken() throws IOException {
    Principal other = Principal.ofToken("other", TestWorkers.PRINCIPAL.permissions());
    Principal restricted = new Principal(other.id(), Permissions.NONE);
    try (TestWorkers test = new TestWorkers()) {
      WorkerProcess first = test.workers.acquire(TestWorkers.PRINCIPAL);
      test.workers.release(first, true);
      // There are two workers at most.
      WorkerProcess second = test.workers.acquire(other);
      assertThat(second).isNotSameAs(first);
      test.workers.release(second, true);
      WorkerProcess again = test.workers.acquire(TestWorkers.PRINCIPAL);
      assertThat(again).isSameAs(first);
      test.workers.release(again, true);
      assertThat(test.workers.endedCount()).isZero();
      // Its permissions are others, so its worker is another one. The last used worker stays.
      WorkerProcess third = test.workers.acquire(restricted);
      assertThat(third).isNotIn(first, second);
      assertThat(second.isAlive()).isFalse();
      assertThat(first.isAlive()).isTrue();
      test.workers.release(third, true);
      assertThat(test.workers.startedCount()).isEqualTo(3);
      assertThat(test.workers.aliveCount()).isEqualTo(2);
    }
  }

  /// Beside two workers of statements, two may be idle, and the spare one.
  @Test
  void principalWithoutAWorkerGetsTheSpareOneAndTheLongestIdleEnds() throws IOException {
    Principal second = Principal.ofToken("second", TestWorkers.PRINCIPAL.permissions());
    Principal third = Principal.ofToken("third", TestWorkers.PRINCIPAL.permissions());
    Principal fourth = Principal.ofToken("fourth", TestWorkers.PRINCIPAL.permissions());
    try (TestWorkers test = TestWorkers.withSpare()) {
      Workers workers = test.workers;
      WorkerProcess first = warm(workers.acquire(TestWorkers.PRINCIPAL));
      workers.release(first, true);
      eventually(() -> assertThat(workers.startedCount()).isEqualTo(2));
      assertThat(workers.aliveCount()).isEqualTo(2);
      WorkerProcess spare = warm(workers.acquire(second));
      assertThat(spare).isNotSameAs(first);
      workers.release(spare, true);
      assertThat(workers.endedCount()).isZero();
      eventually(() -> assertThat(workers.startedCount()).isEqualTo(3));
      assertThat(workers.acquire(TestWorkers.PRINCIPAL)).isSameAs(first);
      workers.release(first, true);
      WorkerProcess next = warm(workers.acquire(third));
      assertThat(next).isNotIn(first, spare);
      eventually(() -> assertThat(workers.startedCount()).isEqualTo(4));
      workers.release(next, true);
      // Principals that take turns keep their workers.
      for (int i = 0; i < 3; i++) {
        workers.release(workers.acquire(TestWorkers.PRINCIPAL), true);
        workers.release(workers.acquire(third), true);
      }
      assertThat(workers.startedCount()).isEqualTo(4);
      assertThat(workers.endedCount()).isZero();
      // Three are idle, of which that of the second is idle longest.
      WorkerProcess last = warm(workers.acquire(fourth));
      assertThat(last).isNotIn(first, spare, next);
      eventually(() -> assertThat(workers.startedCount()).isEqualTo(5));
      assertThat(spare.isAlive()).isFalse();
      assertThat(first.isAlive()).isTrue();
      assertThat(next.isAlive()).isTrue();
      assertThat(workers.aliveCount()).isEqualTo(4);
      workers.release(last, true);
    }
    assertThat(others).containsAll(folders());
  }

  @Tag("long")
  @Test
  void workerThatWasTakenBeforeItWasWarmGoesOnceTheSpareOneIs() throws IOException {
    try (TestWorkers test = TestWorkers.withSpare()) {
      Workers workers = test.workers;
      WorkerProcess first = workers.acquire(TestWorkers.PRINCIPAL);
      workers.release(first, true);
      WorkerProcess second = workers.acquire(TestWorkers.PRINCIPAL);
      assertThat(second).isSameAs(first);
      // The spare worker runs its statements of the service.
      eventually(() -> assertThat(workers.hasWarmSpare()).isTrue());
      workers.release(first, true);
      WorkerProcess next = workers.acquire(TestWorkers.PRINCIPAL);
      assertThat(next).isNotSameAs(first);
      assertThat(next.isWarm).isTrue();
      eventually(() -> assertThat(first.isAlive()).isFalse());
      workers.release(next, true);
      eventually(() -> assertThat(workers.hasWarmSpare()).isTrue());
      assertThat(workers.acquire(TestWorkers.PRINCIPAL)).isSameAs(next);
      workers.release(next, true);
      assertThat(workers.endedCount()).isEqualTo(1);
    }
    eventually(() -> assertThat(others).containsAll(folders()));
  }

  /// If it ends before it is ready, that counts as a failed start, after which there is a pause.
  @Tag("long")
  @Test
  void spareWorkerThatEndsIsReplacedByTheNextStatement() throws IOException {
    Principal second = Principal.ofToken("second", TestWorkers.PRINCIPAL.permissions());
    Set<Long> known = children();
    try (TestWorkers test = TestWorkers.withSpare()) {
      Workers workers = test.workers;
      WorkerProcess first = warm(workers.acquire(TestWorkers.PRINCIPAL));
      workers.release(first, true);
      known.add(first.processId());
      eventually(() -> assertThat(workers.startedCount()).isEqualTo(2));
      ProcessHandle.current()
          .children()
          .filter(child -> !known.contains(child.pid()))
          .forEach(ProcessHandle::destroyForcibly);
      eventually(() -> assertThat(workers.endedCount()).isEqualTo(1));
      assertThat(workers.aliveCount()).isEqualTo(1);
      WorkerProcess fresh = warm(workers.acquire(second));
      assertThat(fresh).isNotSameAs(first);
      assertThat(fresh.isAlive()).isTrue();
      workers.release(fresh, true);
      assertThat(workers.failedStartCount()).isZero();
      eventually(() -> {
        workers.release(workers.acquire(second), true);
        assertThat(workers.startedCount()).isEqualTo(4);
      });
      assertThat(workers.aliveCount()).isEqualTo(3);
      assertThat(first.isAlive()).isTrue();
    }
    assertThat(others).containsAll(folders());
  }

  /// Makes a worker one that no spare worker replaces.
  private static WorkerProcess warm(WorkerProcess worker) {
    worker.isWarm = true;
    return worker;
  }

  @Test
  void spareWorkerThatIsStartingEndsWithTheService() throws IOException {
    Set<Long> before = children();
    TestWorkers test = TestWorkers.withSpare();
    test.workers.release(test.workers.acquire(TestWorkers.PRINCIPAL), true);
    eventually(() -> assertThat(children()).hasSize(before.size() + 2));
    test.close();
    assertThat(test.workers.aliveCount()).isZero();
    // The process of a start that was interrupted may go a moment later.
    eventually(() -> assertThat(before).containsAll(children()));
    eventually(() -> assertThat(others).containsAll(folders()));
    assertThat(test.workers.failedStartCount()).isZero();
  }

  private static Set<Long> children() {
    return ProcessHandle.current()
        .children()
        .filter(ProcessHandle::isAlive)
        .map(ProcessHandle::pid)
        .collect(Collectors.toSet());
  }

  @Tag("long")
  @Test
  void idleWorkerThatEndsLeavesNothing() throws IOException {
    try (TestWorkers test = new TestWorkers()) {
      WorkerProcess worker = test.workers.acquire(TestWorkers.PRINCIPAL);
      test.workers.release(worker, true);
      worker.kill();
      eventually(() -> assertThat(test.workers.endedCount()).isEqualTo(1));
      assertThat(others).containsAll(folders());
      assertThat(test.rows("SELECT 1::BIGINT")).containsExactly(List.of(1L));
    }
  }

  /// The allocator of the engine would keep freed memory, which counts as that of the worker.
  @Tag("long")
  @Test
  void workerReturnsTheMemoryOfAStatement() throws IOException {
    try (TestWorkers test = new TestWorkers()) {
      for (int i = 0; i < 4; i++) {
        assertThat(test.rows("SELECT len(range(20000000 + " + i + "))::BIGINT"))
            .containsExactly(List.of(20_000_000L + i));
        assertThat(test.rows("SELECT length(repeat('q', 90000000))")).hasSize(1);
      }
      assertThat(test.workers.endedCount()).isZero();
    }
  }

  /// A service that is killed closes nothing itself.
  @Test
  void workerEndsWhenItsConnectionDoes() throws IOException {
    try (TestWorkers test = new TestWorkers()) {
      WorkerProcess worker = test.workers.acquire(TestWorkers.PRINCIPAL);
      worker.channel().write(dev.quiver.sql.worker.FrameType.PARSE, "SELECT 1");
      worker.channel().close();
      eventually(() -> assertThat(worker.isAlive()).isFalse());
      test.workers.release(worker, false);
    }
  }

  @Test
  void leaseIsReturnedOnce() throws IOException {
    try (TestWorkers test = new TestWorkers()) {
      WorkerLease lease = test.lease();
      assertThat(test.workers.busyCount()).isEqualTo(1);
      lease.close();
      lease.close();
      assertThat(test.workers.busyCount()).isZero();
      Run run = new Run("", "SELECT 1", List.of(), List.of(), false, null, null);
      ResultBuffer result =
          new ResultBuffer(
              new Spool(TestWorkers.SPOOL, TestWorkers.options(Duration.ZERO).spooled()),
              TestWorkers.options(Duration.ZERO).result());
      WorkerLease running = test.lease();
      running.run(run, run.request(), result, _ -> {});
      result.awaitStart(Duration.ofHours(1));
      eventually(() -> assertThat(test.workers.busyCount()).isZero());
      running.close();
      running.close();
      result.close();
      assertThat(test.workers.busyCount()).isZero();
      assertThat(test.rows("SELECT 1::BIGINT")).containsExactly(List.of(1L));
      assertThat(test.workers.startedCount()).isEqualTo(1);
    }
  }

  /// Ends the processes that are not known.
  private static void kill(Set<Long> known) {
    ProcessHandle.current()
        .children()
        .filter(child -> !known.contains(child.pid()))
        .forEach(ProcessHandle::destroyForcibly);
    eventually(() -> assertThat(known).containsAll(children()));
  }

  @Test
  void stepWhoseWorkerEndsIsTriedAgainInAFreshOne() throws IOException {
    Set<Long> known = children();
    try (TestWorkers test = new TestWorkers()) {
      List<WorkerLease> leases = new ArrayList<>();
      String tree =
          test.lease()
              .attempt(lease -> {
                leases.add(lease);
                if (leases.size() == 1) {
                  kill(known);
                }
                try (lease) {
                  return lease.parse("SELECT 1");
                }
              });
      assertThat(tree).contains("SELECT_NODE");
      assertThat(leases).hasSize(2);
      assertThat(test.workers.busyCount()).isZero();
      assertThat(test.workers.startedCount()).isEqualTo(2);
      assertThat(test.workers.endedCount()).isEqualTo(1);
    }
  }

  /// An idle worker of the principal may have the same trouble.
  @Test
  void secondAttemptHasAFreshWorker() throws IOException {
    try (TestWorkers test = new TestWorkers()) {
      WorkerProcess first = test.workers.acquire(TestWorkers.PRINCIPAL);
      test.workers.release(first, true);
      WorkerProcess fresh = test.workers.acquireFresh(TestWorkers.PRINCIPAL);
      assertThat(fresh).isNotSameAs(first);
      test.workers.release(fresh, true);
    }
  }

  @Test
  void stepIsTriedTwiceAtMost() throws IOException {
    Set<Long> known = children();
    try (TestWorkers test = new TestWorkers()) {
      AtomicInteger attempts = new AtomicInteger();
      WorkerLease first = test.lease();
      assertThatThrownBy(() ->
              first.attempt(lease -> {
                attempts.incrementAndGet();
                kill(known);
                try (lease) {
                  return lease.parse("SELECT 1");
                }
              }))
          .isInstanceOf(SqlException.WorkerLost.class)
          .hasMessageEndingWith("and so had that of a second attempt");
      assertThat(attempts).hasValue(2);
      assertThat(test.workers.busyCount()).isZero();
    }
  }

  /// Its end is no failure of the engine.
  @Test
  void statementFailsAsAnotherIfTheServiceEnds() throws IOException {
    TestWorkers test = new TestWorkers();
    try (WorkerLease lease = test.lease()) {
      test.close();
      assertThatThrownBy(() -> lease.parse("SELECT 1"))
          .isInstanceOf(OverloadedException.class)
          .hasMessage("Expected a worker but found the service ending");
    }
  }

  @Tag("long")
  @Test
  void statementThatHadAWorkerGoesBeforeNewOnes() throws Exception {
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    try (TestWorkers test = new TestWorkers()) {
      Workers workers = test.workers;
      WorkerProcess first = workers.acquire(TestWorkers.PRINCIPAL);
      WorkerProcess second = workers.acquire(TestWorkers.PRINCIPAL);
      Future<WorkerProcess> fresh = threads.submit(() -> workers.acquire(TestWorkers.PRINCIPAL));
      eventually(() -> assertThat(workers.waitingCount()).isEqualTo(1));
      Future<WorkerProcess> parsed =
          threads.submit(() -> workers.acquireAgain(TestWorkers.PRINCIPAL));
      eventually(() -> assertThat(workers.waitingCount()).isEqualTo(2));
      workers.release(first, true);
      assertThat(parsed.get(1, TimeUnit.MINUTES)).isSameAs(first);
      assertThat(fresh).isNotDone();
      workers.release(first, true);
      workers.release(fresh.get(), true);
      workers.release(second, true);
    } finally {
      threads.shutdownNow();
    }
  }

  /// `mvn verify` runs tests with C1 alone.
  @Test
  void workerCompilesLikeTheService() {
    Path path = Path.of("any");
    WorkerPoolOptions options = TestWorkers.options(Duration.ofSeconds(30)).pool();
    List<String> arguments =
        new WorkerCommand(path, options, /* memoryIsLimited= */ false, "any", List.of())
            .arguments(path, path, null);
    assertThat(arguments.stream().filter(LEVEL).toList())
        .isEqualTo(
            ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(LEVEL)
                .toList());
  }

  /// On systems without a shell, or without a limit that it can set.
  @Tag("long")
  @Test
  void workerStartsWithoutALimitOfTheSystem() throws IOException {
    Path folder = PrivateFolder.create(TestWorkers.SPOOL.resolve("engine"));
    WorkerPoolOptions options = TestWorkers.options(Duration.ofSeconds(30)).pool();
    WorkerCommand command =
        new WorkerCommand(
            TestWorkers.library().unpack(folder),
            options,
            /* memoryIsLimited= */ false,
            WorkerCommand.classPath(System.getProperty("java.class.path")),
            List.of());
    assertThat(command.arguments(folder, folder, null)).noneMatch(text -> text.contains("ulimit"));
    try (WorkerProcess worker = WorkerProcess.start(command, _ -> {})) {
      assertThat(worker.status().engineVersion()).isEqualTo("v2.0.0");
      assertThat(worker.isAlive()).isTrue();
    }
    assertThat(others).containsAll(folders());
  }

  /// As on a Linux without glibc, for which the library is made.
  @Tag("long")
  @Test
  void libraryThatCannotBeLoadedIsNotAvailable() throws IOException {
    boolean isMac = System.getProperty("os.name").startsWith("Mac");
    EngineLibrary unsuitable =
        Objects.requireNonNull(EngineLibrary.of(isMac ? "Linux" : "Mac OS X", "aarch64"));
    try (Workers workers =
        new Workers(unsuitable, TestWorkers.options(Duration.ofSeconds(30)).pool())) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> workers.acquire(TestWorkers.PRINCIPAL))
            .isInstanceOf(SqlException.Unavailable.class)
            .hasMessage(
                "SQL is not available: the engine's library cannot be loaded on this system");
      }
      assertThat(workers.busyCount()).isZero();
      assertThat(workers.startedCount()).isZero();
    }
    assertThat(others).containsAll(folders());
  }

  /// Prints whether the memory of a worker can be limited.
  static final class MemoryLimit {
    public static void main(String[] arguments) throws IOException {
      System.out.print(
          WorkerCommand.limitsMemory(TestWorkers.options(Duration.ofSeconds(30)).pool()));
    }
  }

  /// The limit of a worker is 768 MiB.
  @ParameterizedTest
  @CsvSource({"800000, true", "700000, false"})
  void memoryIsLimitedIfTheLimitOfTheServiceAllows(int kibibytes, boolean limited)
      throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "the system has no shell");
    Process process =
        new ProcessBuilder(
                "/bin/sh",
                "-c",
                "ulimit -d " + kibibytes + " && exec \"$0\" \"$@\"",
                System.getProperty("java.home") + "/bin/java",
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                MemoryLimit.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(output).isEqualTo(Boolean.toString(limited));
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void classPathHoldsInOtherFolders() {
    String here = Path.of("").toAbsolutePath() + File.separator;
    assertThat(WorkerCommand.classPath("a.jar" + File.pathSeparator + File.pathSeparator + "b/c"))
        .isEqualTo(here + "a.jar" + File.pathSeparator + here + "b" + File.separator + "c");
  }
}
