package dev.quiver.arrow.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Eventually;
import dev.quiver.arrow.memory.LittleEndian;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Each test runs on a thread of its own. One that waits forever cannot be interrupted, but fails
/// by its timeout.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TaskQueueTest {

  private final CpuPool pool = new CpuPool(3);

  @Test
  void runsEachTaskOnce() {
    AtomicInteger[] done =
        IntStream.range(0, 1000).mapToObj(_ -> new AtomicInteger()).toArray(AtomicInteger[]::new);
    try (TaskQueue queue = pool.queue()) {
      List<TaskQueue.Entry> tasks = new ArrayList<>();
      for (AtomicInteger each : done) {
        tasks.add(queue.add(each::incrementAndGet));
      }
      tasks.forEach(TaskQueue.Entry::await);
      assertThat(done).extracting(AtomicInteger::get).containsOnly(1);
      // Awaiting a finished task returns at once.
      tasks.forEach(TaskQueue.Entry::await);
    }
  }

  @Test
  void runsAsManyTasksConcurrentlyAsThereAreProcessors() {
    CountDownLatch together = new CountDownLatch(3);
    try (TaskQueue queue = pool.queue()) {
      List<TaskQueue.Entry> tasks = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        tasks.add(
            queue.add(() -> {
              together.countDown();
              await(together);
            }));
      }
      tasks.reversed().forEach(TaskQueue.Entry::await);
    }
  }

  @Test
  void callerRunsTheTasksOnASingleProcessor() {
    try (TaskQueue queue = new CpuPool(1).queue()) {
      List<Thread> threads = new ArrayList<>();
      TaskQueue.Entry first = queue.add(() -> threads.add(Thread.currentThread()));
      TaskQueue.Entry second = queue.add(() -> threads.add(Thread.currentThread()));
      assertThat(threads).isEmpty();
      second.await();
      first.await();
      assertThat(threads).containsExactly(Thread.currentThread(), Thread.currentThread());
    }
  }

  @Test
  void callerRunsItsTaskWhileAllWorkersAreBusy() {
    Semaphore begun = new Semaphore(0);
    CountDownLatch end = new CountDownLatch(1);
    try (TaskQueue busy = pool.queue();
        TaskQueue queue = pool.queue()) {
      for (int i = 0; i < 6; i++) {
        busy.add(() -> {
          begun.release();
          await(end);
        });
      }
      begun.acquireUninterruptibly(2);
      List<Thread> threads = new ArrayList<>();
      queue.add(() -> threads.add(Thread.currentThread())).await();
      assertThat(threads).containsExactly(Thread.currentThread());
      end.countDown();
    }
  }

  @Test
  void callerRunsOtherTasksWhileItWaits() {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    try (TaskQueue queue = new CpuPool(2).queue()) {
      TaskQueue.Entry first =
          queue.add(() -> {
            begun.countDown();
            await(end);
          });
      await(begun);
      queue.add(() -> threads.add(Thread.currentThread()));
      queue.add(() -> {
        threads.add(Thread.currentThread());
        end.countDown();
      });
      first.await();
    }
    assertThat(threads).containsExactly(Thread.currentThread(), Thread.currentThread());
  }

  @Test
  void requestOfManyTasksDoesNotDelayOthers() {
    Semaphore begun = new Semaphore(0);
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    try (TaskQueue large = pool.queue();
        TaskQueue small = pool.queue()) {
      for (int i = 0; i < 1000; i++) {
        large.add(() -> {
          begun.release();
          await(end);
        });
      }
      begun.acquireUninterruptibly(2);
      List<TaskQueue.Entry> tasks = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        tasks.add(small.add(done::incrementAndGet));
      }
      tasks.forEach(TaskQueue.Entry::await);
      assertThat(done).hasValue(100);
      assertThat(begun.availablePermits()).isZero();
      end.countDown();
    }
  }

  @Test
  void releasesTheMemoryOfFinishedTasks() {
    CountDownLatch end = new CountDownLatch(1);
    try (TaskQueue busy = pool.queue();
        TaskQueue queue = pool.queue()) {
      busy.add(() -> await(end));
      busy.add(() -> await(end));
      List<WeakReference<byte[]>> held = new ArrayList<>();
      queue.add(fill(held)).await();
      queue.add(fill(held));
      queue.close();
      Eventually.eventually(() -> {
        System.gc();
        assertThat(held).allMatch(reference -> reference.get() == null);
      });
      end.countDown();
    }
  }

  private static Runnable fill(List<WeakReference<byte[]>> held) {
    byte[] memory = new byte[1 << 20];
    held.add(new WeakReference<>(memory));
    return () -> Arrays.fill(memory, (byte) 1);
  }

  @Test
  void awaitThrowsTheExceptionOfTheTask() {
    RuntimeException failure = new IllegalStateException("broken");
    Error error = new StackOverflowError("deep");
    try (TaskQueue queue = pool.queue()) {
      TaskQueue.Entry failing =
          queue.add(() -> {
            throw failure;
          });
      TaskQueue.Entry erring =
          queue.add(() -> {
            throw error;
          });
      TaskQueue.Entry succeeding = queue.add(() -> {});
      assertThatThrownBy(erring::await).isSameAs(error);
      assertThatThrownBy(failing::await).isSameAs(failure);
      succeeding.await();
      assertThatThrownBy(failing::await).isSameAs(failure);
    }
  }

  @Test
  void resultsArriveInTheOrderInWhichTheyAreAwaited() throws IOException {
    IOException failure = new IOException("gone");
    try (TaskQueue queue = pool.queue()) {
      List<TaskQueue.Result<Integer>> results =
          IntStream.range(0, 100).mapToObj(i -> queue.submit(() -> i * i)).toList();
      TaskQueue.Result<Integer> broken =
          queue.submit(() -> {
            throw failure;
          });
      for (int i = 0; i < 100; i++) {
        assertThat(results.get(i).await()).isEqualTo(i * i);
      }
      assertThatThrownBy(broken::await).isSameAs(failure);
    }
  }

  @Test
  void closeDropsWaitingTasksAndAwaitsRunningOnes() throws InterruptedException {
    Semaphore begun = new Semaphore(0);
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    TaskQueue queue = pool.queue();
    for (int i = 0; i < 20; i++) {
      queue.add(() -> {
        begun.release();
        await(end);
        done.incrementAndGet();
      });
    }
    begun.acquireUninterruptibly(2);
    Thread closing = Thread.ofPlatform().start(queue::close);
    while (closing.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThat(done).hasValue(0);
    end.countDown();
    closing.join();
    assertThat(done).hasValue(2);
  }

  @Test
  void awaitPreservesTheInterruptStatus() {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    try (TaskQueue queue = pool.queue()) {
      TaskQueue.Entry task =
          queue.add(() -> {
            begun.countDown();
            await(end);
            done.incrementAndGet();
          });
      await(begun);
      Thread waiting = Thread.currentThread();
      waiting.interrupt();
      Thread.ofPlatform().start(end::countDown);
      task.await();
      assertThat(done).hasValue(1);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void lentMemoryIsAccessibleToOtherThreads() {
    try (Arena arena = Arena.ofConfined();
        TaskQueue queue = pool.queue()) {
      MemorySegment memory = arena.allocate(100);
      MemorySegment lent = CpuPool.lent(memory);
      Thread owner = Thread.currentThread();
      CountDownLatch begun = new CountDownLatch(1);
      TaskQueue.Entry task =
          queue.add(() -> {
            begun.countDown();
            assertThat(Thread.currentThread()).isNotSameAs(owner);
            lent.fill((byte) 7);
          });
      await(begun);
      task.await();
      assertThat(LittleEndian.getInt8(memory, 99)).isEqualTo((byte) 7);
      assertThat(lent.byteSize()).isEqualTo(100);
      assertThat(CpuPool.lent(memory.asReadOnly()).isReadOnly()).isTrue();
      MemorySegment onHeap = MemorySegment.ofArray(new byte[3]);
      assertThat(CpuPool.lent(onHeap)).isSameAs(onHeap);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
