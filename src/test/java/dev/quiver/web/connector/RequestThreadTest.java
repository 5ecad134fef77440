package dev.quiver.web.connector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.tomcat.util.threads.TaskQueue;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.junit.jupiter.api.Test;

/// That requests wait for threads when the system gives no more.
class RequestThreadTest {

  /// More than there are addresses for.
  private static final long STACK_BYTE_SIZE = 1L << 60;

  @Test
  void requestWithoutAThreadWaitsForAnother() throws Exception {
    ThreadFactory all = RequestThread.factory("test-", 0);
    List<Thread> made = new ArrayList<>();
    ThreadFactory first =
        work -> {
          Thread thread =
              made.isEmpty()
                  ? all.newThread(work)
                  : new RequestThread(work, "none", STACK_BYTE_SIZE);
          made.add(thread);
          return thread;
        };
    TaskQueue queue = new TaskQueue();
    ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 2, 1, TimeUnit.MINUTES, queue, first);
    queue.setParent(pool);
    CountDownLatch goOn = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(2);
    pool.execute(() -> {
      try {
        goOn.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      done.countDown();
    });
    pool.execute(done::countDown);
    assertThat(pool.getPoolSize()).isOne();
    goOn.countDown();
    done.await();
    pool.shutdown();
  }
}
