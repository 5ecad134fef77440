package dev.quiver.store.log;

import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.store.version.DatasetReference;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Work that goes on until a test ends it, and looks all the while whether it is wanted.
public final class HeldWork implements JobWork {

  public static final JobResult RESULT =
      new JobResult(DatasetReference.parse("flights@3"), Map.of("version", 3));

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final CountDownLatch committing = new CountDownLatch(1);
  private final CountDownLatch committed = new CountDownLatch(1);
  private final AtomicInteger closeCount = new AtomicInteger();
  private final AtomicInteger stopCount = new AtomicInteger();
  private volatile JobProgress progress = JobProgress.UNKNOWN;
  private volatile @Nullable RuntimeException failure;
  private volatile boolean cancelledAtEnd;

  @Override
  public String requestId() {
    return "request-1";
  }

  @Override
  public String principal() {
    return "anonymous";
  }

  @Override
  public JobResult run(JobMonitor monitor) throws Exception {
    monitor.measureBy(() -> progress);
    begun.countDown();
    while (!released.await(1, java.util.concurrent.TimeUnit.MILLISECONDS)) {
      monitor.requireWanted();
    }
    if (failure != null) {
      throw failure;
    }
    monitor.beginCommit();
    committing.countDown();
    committed.await();
    return RESULT;
  }

  @Override
  public Map<String, Object> problem(Throwable found) {
    return Map.of("detail", String.valueOf(found.getMessage()));
  }

  @Override
  public void stopped() {
    stopCount.incrementAndGet();
  }

  /// Returns whether the job ended in a thread whose work was cancelled.
  boolean isCancelledAtEnd() {
    return cancelledAtEnd;
  }

  int stopCount() {
    return stopCount.get();
  }

  @Override
  public void close() {
    cancelledAtEnd = Cancellation.current().isRequested();
    closeCount.incrementAndGet();
  }

  public HeldWork awaitBegin() throws InterruptedException {
    await(begun);
    return this;
  }

  /// Long enough for a busy machine. Only a failure takes this long.
  private static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(1, TimeUnit.MINUTES)) {
      throw new AssertionError("Expected a job to go on but found it waiting for a minute");
    }
  }

  public void progress(JobProgress now) {
    progress = now;
  }

  void fail(String message) {
    failure = new IllegalStateException(message);
    released.countDown();
  }

  /// Goes on to the commit.
  void release() {
    released.countDown();
  }

  void awaitCommit() throws InterruptedException {
    await(committing);
  }

  /// Returns whether the work went on to its commit.
  boolean hasBegunCommit() {
    return committing.getCount() == 0;
  }

  public void finish() {
    released.countDown();
    committed.countDown();
  }

  public int closeCount() {
    return closeCount.get();
  }
}
