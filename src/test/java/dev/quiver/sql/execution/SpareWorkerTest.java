package dev.quiver.sql.execution;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SpareWorkerTest {

  private final AtomicInteger starts = new AtomicInteger();

  private static WorkerProcess worker() throws IOException {
    Path folder = PrivateFolder.create(TestWorkers.SPOOL.resolve("engine"));
    WorkerPoolOptions options = TestWorkers.options(Duration.ofSeconds(30)).pool();
    return WorkerProcess.start(
        new WorkerCommand(
            TestWorkers.library().unpack(folder),
            options,
            /* memoryIsLimited= */ false,
            WorkerCommand.classPath(System.getProperty("java.class.path")),
            List.of()),
        _ -> {});
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private WorkerProcess fail() throws IOException {
    starts.incrementAndGet();
    throw new IOException("no memory");
  }

  @Test
  void workerThatDoesNotStartIsNotTriedAtOnceAgain() {
    try (SpareWorker spare = new SpareWorker(this::fail, WorkerProcess::close)) {
      spare.prepare(List.of());
      assertThat(spare.take()).isNull();
      assertThat(spare.take()).isNull();
      spare.prepare(List.of());
      assertThat(spare.take()).isNull();
      assertThat(starts).hasValue(1);
    }
  }

  @Test
  void oneWorkerStartsAtATimeAndNoneAfterTheEnd() {
    CountDownLatch latch = new CountDownLatch(1);
    SpareWorker spare =
        new SpareWorker(
            () -> {
              await(latch);
              return fail();
            },
            WorkerProcess::close);
    spare.prepare(List.of());
    spare.prepare(List.of());
    latch.countDown();
    spare.close();
    spare.prepare(List.of());
    assertThat(spare.take()).isNull();
    assertThat(starts).hasValue(1);
  }

  /// A statement waits for the first one, and another statement has prepared the next one
  /// meanwhile.
  @Test
  void failedStartDoesNotForgetTheNextWorker() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch second = new CountDownLatch(1);
    try (SpareWorker spare =
        new SpareWorker(
            () -> {
              if (starts.incrementAndGet() == 1) {
                await(first);
                throw new IOException("no memory");
              }
              await(second);
              return worker();
            },
            WorkerProcess::close)) {
      spare.prepare(List.of());
      CompletableFuture<Boolean> waiting =
          CompletableFuture.supplyAsync(() -> spare.take() == null);
      eventually(() -> assertThat(starts).hasValue(1));
      eventually(() -> {
        spare.prepare(List.of());
        assertThat(starts).hasValue(2);
      });
      first.countDown();
      assertThat(waiting.get()).isTrue();
      second.countDown();
      try (WorkerProcess taken = spare.take()) {
        assertThat(taken).isNotNull();
      }
    }
  }

  /// Otherwise, the next statement waited for ever.
  @Test
  void failureToEndAnotherWorkerIsAFailedStart() throws Exception {
    try (WorkerProcess surplus = worker();
        SpareWorker spare =
            new SpareWorker(
                this::fail,
                _ -> {
                  throw new IllegalStateException("its folder is gone");
                })) {
      spare.prepare(List.of(surplus));
      assertThat(spare.take()).isNull();
      assertThat(starts).hasValue(0);
    }
  }

  /// A worker that cannot run them is never ready.
  @Test
  void statementsOfTheServiceRunInAnyRound() throws IOException {
    try (WorkerProcess worker = worker()) {
      WarmUp statements = worker.warmUp();
      statements.run(() -> false);
      statements.run(() -> false);
      assertThat(worker.isAlive()).isTrue();
    }
  }
}
