package dev.quiver.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.tomcat.util.threads.TaskQueue;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.junit.jupiter.api.Test;

/// Requests when the operating system creates no more threads.
class RequestThreadTest {

  /// More than the address space.
  private static final long STACK_BYTE_SIZE = 1L << 60;

  @Test
  void requestWaitsForABusyThreadIfNoOtherCanBeCreated() throws Exception {
    ThreadFactory succeeding = RequestThread.factory("test-", 0);
    List<Thread> created = new ArrayList<>();
    ThreadFactory onlyFirst =
        work -> {
          Thread thread =
              created.isEmpty()
                  ? succeeding.newThread(work)
                  : new RequestThread(work, "failing", STACK_BYTE_SIZE);
          created.add(thread);
          return thread;
        };
    TaskQueue queue = new TaskQueue();
    ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 2, 1, TimeUnit.MINUTES, queue, onlyFirst);
    queue.setParent(pool);
    CountDownLatch proceed = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(2);
    pool.execute(() -> {
      try {
        proceed.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      done.countDown();
    });
    pool.execute(done::countDown);
    assertThat(pool.getPoolSize()).isOne();
    proceed.countDown();
    done.await();
    pool.shutdown();
  }
}
