package dev.quiver.arrow.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The work to which a cancellation applies, in the thread that binds it and in others.
@Timeout(60)
class CancellationTest {

  private final AtomicBoolean left = new AtomicBoolean();
  private final Cancellation cancellation = Cancellation.when(left::get);

  @Test
  void isNeverRequestedUnlessOneIsBound() {
    assertThat(Cancellation.current()).isSameAs(Cancellation.NEVER);
    assertThat(Cancellation.NEVER.isRequested()).isFalse();
    Cancellation.NEVER.throwIfRequested();
  }

  @Test
  void appliesToTheWorkOfItsThread() {
    Cancellation found = cancellation.call(Cancellation::current);
    assertThat(found).isSameAs(cancellation);
    assertThat(Cancellation.current()).isSameAs(Cancellation.NEVER);
  }

  @Test
  void isAskedAgainAndAgain() {
    assertThat(cancellation.isRequested()).isFalse();
    assertThatCode(cancellation::throwIfRequested).doesNotThrowAnyException();
    left.set(true);
    assertThat(cancellation.isRequested()).isTrue();
    assertThatThrownBy(cancellation::throwIfRequested)
        .isInstanceOf(CancelledException.class)
        .hasMessage("The work was cancelled: its result is no longer wanted");
  }

  /// Otherwise work could skip a part and then go on as if that part did not exist.
  @Test
  void staysRequested() {
    left.set(true);
    assertThat(cancellation.isRequested()).isTrue();
    left.set(false);
    assertThat(cancellation.isRequested()).isTrue();
  }

  @Test
  void theInnermostApplies() {
    left.set(true);
    List<Boolean> requested =
        cancellation.call(() -> {
          List<Boolean> found = new ArrayList<>();
          found.add(Cancellation.current().isRequested());
          found.add(Cancellation.NEVER.call(() -> Cancellation.current().isRequested()));
          found.add(Cancellation.current().isRequested());
          return found;
        });
    assertThat(requested).containsExactly(true, false, true);
  }

  @Test
  void failuresOfTheWorkPass() {
    IOException failure = new IOException("broken");
    assertThatThrownBy(() ->
            cancellation.call(() -> {
              throw failure;
            }))
        .isSameAs(failure);
    assertThat(Cancellation.current()).isSameAs(Cancellation.NEVER);
  }

  @Test
  void otherThreadsHaveItOnlyIfItIsCarried() throws Exception {
    Callable<Cancellation> current = Cancellation::current;
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      Cancellation plain = cancellation.call(() -> other.submit(current).get());
      assertThat(plain).isSameAs(Cancellation.NEVER);
      assertThat(other.submit(cancellation.carried(current)).get()).isSameAs(cancellation);
      List<Cancellation> found = new ArrayList<>();
      other
          .submit(
              cancellation.carried(() -> {
                found.add(Cancellation.current());
              }))
          .get();
      assertThat(found).containsExactly(cancellation);
      assertThat(other.submit(current).get()).as("afterwards").isSameAs(Cancellation.NEVER);
      assertThat(Cancellation.NEVER.carried(current)).isSameAs(current);
    }
  }

  /// Both threads of the pool are busy with tasks of the queue at the same time.
  @Test
  void tasksOfAQueueHaveTheOneOfTheThreadThatAddsThem() throws Exception {
    CpuPool pool = new CpuPool(2);
    CountDownLatch begun = new CountDownLatch(2);
    TaskQueue.Work<Cancellation> work =
        () -> {
          begun.countDown();
          try {
            begun.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return Cancellation.current();
        };
    List<Cancellation> found =
        cancellation.call(() -> {
          try (TaskQueue queue = pool.queue()) {
            TaskQueue.Result<Cancellation> first = queue.submit(work);
            TaskQueue.Result<Cancellation> second = queue.submit(work);
            return List.of(first.await(), second.await());
          }
        });
    assertThat(found).containsExactly(cancellation, cancellation);
  }
}
