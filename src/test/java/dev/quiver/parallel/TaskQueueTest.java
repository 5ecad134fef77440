package dev.quiver.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.memory.LittleEndian;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// That every part is done once, by somebody, and that nobody waits in vain. Whoever does cannot be
/// interrupted, and is left behind.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TaskQueueTest {

  private final CpuPool cores = new CpuPool(3);

  @Test
  void everyPartIsDoneOnceOnSeveralThreads() {
    AtomicInteger[] done =
        IntStream.range(0, 1000).mapToObj(_ -> new AtomicInteger()).toArray(AtomicInteger[]::new);
    try (TaskQueue lane = cores.queue()) {
      List<TaskQueue.Entry> parts = new ArrayList<>();
      for (AtomicInteger each : done) {
        parts.add(lane.add(each::incrementAndGet));
      }
      parts.forEach(TaskQueue.Entry::await);
      assertThat(done).extracting(AtomicInteger::get).containsOnly(1);
      // A second time there is nothing to wait for.
      parts.forEach(TaskQueue.Entry::await);
    }
  }

  @Test
  void asManyPartsRunAtATimeAsThereAreProcessors() {
    CountDownLatch together = new CountDownLatch(3);
    try (TaskQueue lane = cores.queue()) {
      List<TaskQueue.Entry> parts = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        parts.add(
            lane.add(() -> {
              together.countDown();
              await(together);
            }));
      }
      parts.reversed().forEach(TaskQueue.Entry::await);
    }
  }

  @Test
  void withOneProcessorWhoeverWaitsDoesIt() {
    try (TaskQueue lane = new CpuPool(1).queue()) {
      List<Thread> threads = new ArrayList<>();
      TaskQueue.Entry first = lane.add(() -> threads.add(Thread.currentThread()));
      TaskQueue.Entry second = lane.add(() -> threads.add(Thread.currentThread()));
      assertThat(threads).isEmpty();
      second.await();
      first.await();
      assertThat(threads).containsExactly(Thread.currentThread(), Thread.currentThread());
    }
  }

  @Test
  void whoeverWaitsDoesItWhenAllOthersAreBusy() {
    Semaphore begun = new Semaphore(0);
    CountDownLatch end = new CountDownLatch(1);
    try (TaskQueue busy = cores.queue();
        TaskQueue lane = cores.queue()) {
      for (int i = 0; i < 6; i++) {
        busy.add(() -> {
          begun.release();
          await(end);
        });
      }
      begun.acquireUninterruptibly(2);
      List<Thread> threads = new ArrayList<>();
      lane.add(() -> threads.add(Thread.currentThread())).await();
      assertThat(threads).containsExactly(Thread.currentThread());
      end.countDown();
    }
  }

  @Test
  void whoeverWaitsDoesOtherPartsMeanwhile() {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    try (TaskQueue lane = new CpuPool(2).queue()) {
      TaskQueue.Entry first =
          lane.add(() -> {
            begun.countDown();
            await(end);
          });
      await(begun);
      lane.add(() -> threads.add(Thread.currentThread()));
      lane.add(() -> {
        threads.add(Thread.currentThread());
        end.countDown();
      });
      first.await();
    }
    assertThat(threads).containsExactly(Thread.currentThread(), Thread.currentThread());
  }

  @Test
  void lanesTakeTurns() {
    // One of two workers is busy, so that the other one does the rest, part by part.
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch start = new CountDownLatch(1);
    Semaphore begun = new Semaphore(0);
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    try (TaskQueue busy = cores.queue();
        TaskQueue first = cores.queue();
        TaskQueue second = cores.queue()) {
      busy.add(() -> {
        begun.release();
        await(end);
      });
      busy.add(() -> {
        begun.release();
        await(start);
      });
      begun.acquireUninterruptibly(2);
      for (int i = 0; i < 4; i++) {
        first.add(() -> order.add("first"));
      }
      for (int i = 0; i < 4; i++) {
        second.add(() -> order.add("second"));
      }
      start.countDown();
      while (order.size() < 8) {
        Thread.onSpinWait();
      }
      end.countDown();
    }
    assertThat(order.subList(0, 4)).contains("first", "second");
  }

  @Test
  void whatAPartThrowsComesOutAsItIs() {
    RuntimeException failure = new IllegalStateException("broken");
    Error error = new StackOverflowError("deep");
    try (TaskQueue lane = cores.queue()) {
      TaskQueue.Entry failing =
          lane.add(() -> {
            throw failure;
          });
      TaskQueue.Entry erring =
          lane.add(() -> {
            throw error;
          });
      TaskQueue.Entry right = lane.add(() -> {});
      assertThatThrownBy(erring::await).isSameAs(error);
      assertThatThrownBy(failing::await).isSameAs(failure);
      right.await();
      assertThatThrownBy(failing::await).isSameAs(failure);
    }
  }

  @Test
  void closingForgetsWhatHasNotBegunAndWaitsForTheRest() throws InterruptedException {
    Semaphore begun = new Semaphore(0);
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    TaskQueue lane = cores.queue();
    for (int i = 0; i < 20; i++) {
      lane.add(() -> {
        begun.release();
        await(end);
        done.incrementAndGet();
      });
    }
    begun.acquireUninterruptibly(2);
    Thread closing = Thread.ofPlatform().start(lane::close);
    while (closing.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThat(done).hasValue(0);
    end.countDown();
    closing.join();
    assertThat(done).hasValue(2);
  }

  @Test
  void anInterruptIsLeftForLater() {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    try (TaskQueue lane = cores.queue()) {
      TaskQueue.Entry part =
          lane.add(() -> {
            begun.countDown();
            await(end);
            done.incrementAndGet();
          });
      await(begun);
      Thread waiting = Thread.currentThread();
      waiting.interrupt();
      Thread.ofPlatform().start(end::countDown);
      part.await();
      assertThat(done).hasValue(1);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void memoryOfOneThreadIsLentToOthers() {
    try (Arena arena = Arena.ofConfined();
        TaskQueue lane = cores.queue()) {
      MemorySegment memory = arena.allocate(100);
      MemorySegment lent = CpuPool.lent(memory);
      Thread owner = Thread.currentThread();
      CountDownLatch begun = new CountDownLatch(1);
      TaskQueue.Entry part =
          lane.add(() -> {
            begun.countDown();
            assertThat(Thread.currentThread()).isNotSameAs(owner);
            lent.fill((byte) 7);
          });
      await(begun);
      part.await();
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
