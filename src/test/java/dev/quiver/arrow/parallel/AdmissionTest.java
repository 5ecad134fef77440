package dev.quiver.arrow.parallel;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import dev.quiver.arrow.parallel.Admission.Permit;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The order in which threads get permits, and the threads that leave without one.
@Timeout(60)
class AdmissionTest {

  private static final String REJECTION = "Expected a place but found none";
  private static final Duration LONG = Duration.ofDays(1);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final BlockingQueue<Integer> entered = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    threads.shutdownNow();
  }

  private static Admission admission(int permits, long queueMaximum) {
    return new Admission(REJECTION, permits, queueMaximum, LONG);
  }

  /// A waiting thread.
  private record Waiter(Thread thread, Future<Permit> permit) {}

  private Waiter startWaiting(int number, Callable<Permit> enter) throws Exception {
    return startWaiting(number, Cancellation.NEVER, enter);
  }

  private Waiter startWaiting(int number, Cancellation cancellation, Callable<Permit> enter)
      throws Exception {
    CompletableFuture<Thread> started = new CompletableFuture<>();
    Future<Permit> result =
        threads.submit(
            cancellation.carried(() -> {
              started.complete(Thread.currentThread());
              Permit permit = enter.call();
              entered.add(number);
              return permit;
            }));
    Thread thread = started.get();
    eventually(() -> assertThat(thread.getState()).isEqualTo(Thread.State.TIMED_WAITING));
    return new Waiter(thread, result);
  }

  private static void assertRejects(Admission admission) {
    assertThatThrownBy(admission::enter)
        .isInstanceOf(OverloadedException.class)
        .hasMessage(REJECTION);
  }

  private static void assertCancelled(Waiter waiter) {
    assertThatThrownBy(waiter.permit()::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(CancelledException.class);
  }

  @Test
  void givesPermitsInTheOrderInWhichTheyWereAskedFor() throws Exception {
    Admission admission = admission(2, 5);
    List<Permit> taken = new ArrayList<>(List.of(admission.enter(), admission.enter()));
    assertThat(admission.available()).isZero();
    List<Waiter> waiters = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      waiters.add(startWaiting(i, admission::enter));
    }
    for (int i = 0; i < 5; i++) {
      taken.removeFirst().close();
      assertThat(entered.take()).isEqualTo(i);
      taken.add(waiters.get(i).permit().get());
      assertThat(admission.waitingCount()).isEqualTo(4 - i);
      assertThat(admission.takenCount()).isEqualTo(2);
    }
    taken.forEach(Permit::close);
    assertThat(admission.available()).isEqualTo(2);
    assertThat(admission.takenCount()).isZero();
  }

  /// A thread that asks now does not pass those that wait, even if a permit is available.
  @Test
  void laterThreadsDoNotOvertake() throws Exception {
    Admission admission = admission(1, 1);
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch mayTake = new CountDownLatch(1);
    AtomicBoolean stands = new AtomicBoolean();
    Permit taken = admission.enter();
    Cancellation standing =
        Cancellation.when(() -> {
          if (stands.get()) {
            asked.countDown();
            awaitOf(mayTake);
          }
          return false;
        });
    Waiter first = startWaiting(1, standing, admission::enter);
    stands.set(true);
    taken.close();
    asked.await();
    assertThat(admission.available()).isOne();
    assertRejects(admission);
    mayTake.countDown();
    first.permit().get().close();
    admission.enter().close();
  }

  private static void awaitOf(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void workThatHasBegunGoesFirstAndIsNotRejected() throws Exception {
    Admission admission = admission(1, 1);
    Permit permit = admission.enter();
    List<Waiter> waiters =
        List.of(
            startWaiting(1, admission::enter),
            startWaiting(2, admission::enterAgain),
            startWaiting(3, admission::enterAgain));
    assertThat(admission.waitingCount()).isEqualTo(3);
    for (int next : new int[] {2, 3, 1}) {
      permit.close();
      assertThat(entered.take()).isEqualTo(next);
      permit = waiters.get(next - 1).permit().get();
    }
    AtomicBoolean left = new AtomicBoolean();
    Waiter fourth = startWaiting(4, Cancellation.when(left::get), admission::enterAgain);
    left.set(true);
    assertCancelled(fourth);
    permit.close();
    admission.enterAgain().close();
  }

  @Test
  void patientWorkWaitsInItsTurnAndIsNotRejected() throws Exception {
    Admission admission = new Admission(REJECTION, 1, 1, LONG);
    Permit permit = admission.enter();
    Waiter first = startWaiting(1, admission::enter);
    Waiter second = startWaiting(2, admission::enterPatiently);
    assertRejects(admission);
    permit.close();
    assertThat(entered.take()).isEqualTo(1);
    first.permit().get().close();
    assertThat(entered.take()).isEqualTo(2);
    second.permit().get().close();
    Admission patient = Admission.ofPatient(1);
    Permit only = patient.enter();
    Waiter waiter = startWaiting(3, patient::enter);
    only.close();
    waiter.permit().get().close();
    assertThat(patient.available()).isOne();
  }

  @Test
  void limitsTheLengthOfTheQueue() throws Exception {
    Admission admission = admission(1, 2);
    Permit permit = admission.enter();
    Waiter first = startWaiting(1, admission::enter);
    Waiter second = startWaiting(2, admission::enter);
    assertRejects(admission);
    assertThatThrownBy(() -> admission.enter("Expected less")).hasMessage("Expected less");
    assertThat(admission.waitingCount()).isEqualTo(2);
    permit.close();
    first.permit().get().close();
    second.permit().get().close();
    assertThat(entered).containsExactly(1, 2);
  }

  @Test
  void withoutAQueueNoThreadWaits() throws Exception {
    Admission admission = admission(2, 0);
    Permit first = admission.enter();
    try (Permit _ = admission.enter()) {
      assertRejects(admission);
      first.close();
      admission.enter().close();
    }
    assertThat(admission.available()).isEqualTo(2);
  }

  @Test
  void rejectsWorkThatWaitsTooLong() throws Exception {
    for (Duration patience : List.of(Duration.ZERO, Duration.ofMillis(1))) {
      Admission admission = new Admission(REJECTION, 1, 10, patience);
      try (Permit _ = admission.enter()) {
        assertRejects(admission);
      }
      // A permit that was not given is not taken either.
      admission.enter().close();
      assertThat(admission.waitingCount()).isZero();
    }
  }

  @Test
  void permitIsGivenBackOnce() throws Exception {
    Admission admission = admission(1, 0);
    Permit permit = admission.enter();
    permit.close();
    permit.close();
    assertThat(admission.available()).isOne();
    try (Permit _ = admission.enter()) {
      permit.close();
      assertThat(admission.available()).isZero();
    }
    Permit.UNLIMITED.close();
  }

  @Test
  void permitMayBeGivenBackByAnotherThread() throws Exception {
    Admission admission = admission(1, 1);
    Permit permit = admission.enter();
    threads.submit(permit::close).get();
    admission.enter().close();
  }

  @Test
  void cancelledThreadLeavesTheQueueToTheNext() throws Exception {
    Admission admission = admission(1, 2);
    Permit permit = admission.enter();
    AtomicBoolean left = new AtomicBoolean();
    Waiter first = startWaiting(1, Cancellation.when(left::get), admission::enter);
    Waiter second = startWaiting(2, admission::enter);
    left.set(true);
    assertCancelled(first);
    permit.close();
    second.permit().get().close();
    assertThat(entered).containsExactly(2);
  }

  @Test
  void asksNothingIfAPermitIsAvailable() throws Exception {
    Admission admission = admission(1, 1);
    Cancellation unasked =
        Cancellation.when(() -> {
          throw new AssertionError("asked without need");
        });
    unasked.call(admission::enter).close();
    try (Permit _ = admission.enter();
        Permit _ = admission(1, 0).enter()) {
      assertThat(admission.available()).isZero();
    }
  }

  /// The permit arrives before the thread looks by itself.
  @Test
  void asksALastTimeBeforeItGivesAPermit() throws Exception {
    for (int round = 0; round < 20; round++) {
      Admission admission = admission(1, 1);
      Permit permit = admission.enter();
      AtomicBoolean left = new AtomicBoolean();
      AtomicInteger questions = new AtomicInteger();
      Waiter waiter =
          startWaiting(
              1,
              Cancellation.when(() -> {
                questions.incrementAndGet();
                return left.get();
              }),
              admission::enter);
      left.set(true);
      permit.close();
      assertCancelled(waiter);
      assertThat(questions).hasValueGreaterThanOrEqualTo(2);
      assertThat(admission.available()).isOne();
    }
  }

  @Test
  void interruptedThreadLeavesTheQueueToTheNext() throws Exception {
    Admission admission = admission(1, 2);
    Permit permit = admission.enter();
    Waiter first = startWaiting(1, admission::enter);
    Waiter second = startWaiting(2, admission::enter);
    first.thread().interrupt();
    assertThatThrownBy(first.permit()::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedIOException.class);
    permit.close();
    second.permit().get().close();
    assertThat(entered).containsExactly(2);
  }

  /// Every permit is back at the end, however threads came and went.
  @Test
  void neitherLosesNorAddsPermits() throws Exception {
    Admission admission = admission(3, 4);
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      int number = i;
      Cancellation cancellation = Cancellation.when(() -> number % 5 == 0);
      all.add(
          threads.submit(
              cancellation.carried(() -> {
                try (Permit _ = number % 3 == 0 ? admission.enterAgain() : admission.enter()) {
                  most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                  Thread.yield();
                  inside.decrementAndGet();
                } catch (OverloadedException | CancelledException e) {
                  // It leaves without a permit.
                }
                return true;
              })));
    }
    for (Future<?> each : all) {
      each.get();
    }
    assertThat(most).hasValueLessThanOrEqualTo(3);
    assertThat(admission.available()).isEqualTo(3);
    assertThat(admission.waitingCount()).isZero();
  }

  private static final Claimant ALICE = new Claimant("alice", /* isAlone= */ false);
  private static final Claimant BOB = new Claimant("bob", /* isAlone= */ false);

  private Waiter startWaiting(int number, Claimant claimant, Callable<Permit> enter)
      throws Exception {
    return claimant.<Waiter, Exception>call(() -> startWaiting(number, enter));
  }

  private static void assertRejects(Claimant claimant, Admission admission) {
    assertThatThrownBy(() -> claimant.call(admission::enter))
        .isInstanceOf(OverloadedException.class)
        .hasMessageStartingWith(REJECTION);
  }

  @Test
  void claimantsAlternateHoweverManyThreadsOfEachWait() throws Exception {
    Admission admission = admission(1, 10);
    Permit permit = ALICE.call(admission::enter);
    List<Waiter> waiters = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      waiters.add(startWaiting(i, ALICE, admission::enter));
    }
    waiters.add(startWaiting(4, BOB, admission::enter));
    waiters.add(startWaiting(5, BOB, admission::enter));
    for (int next : new int[] {4, 0, 5, 1, 2, 3}) {
      permit.close();
      assertThat(entered.take()).isEqualTo(next);
      permit = waiters.get(next).permit().get();
    }
    permit.close();
    assertThat(admission.available()).isOne();
  }

  /// Otherwise, claimants that come and go would keep out one that waits.
  @Test
  void newClaimantsDoNotOvertake() throws Exception {
    Admission admission = admission(1, 10);
    Permit permit = BOB.call(admission::enter);
    Waiter waiting = startWaiting(1, BOB, admission::enter);
    Waiter first = startWaiting(2, ALICE, admission::enter);
    permit.close();
    assertThat(entered.take()).isEqualTo(2);
    Claimant carol = new Claimant("carol", /* isAlone= */ false);
    Waiter second = startWaiting(3, carol, admission::enter);
    first.permit().get().close();
    assertThat(entered.take()).isEqualTo(1);
    waiting.permit().get().close();
    second.permit().get().close();
  }

  @Test
  void quarterOfThePermitsStaysForOthers() throws Exception {
    for (int[] share : new int[][] {{1, 1}, {2, 1}, {3, 2}, {4, 3}, {8, 6}, {18, 13}}) {
      Admission admission = admission(share[0], 0);
      for (int i = 0; i < share[1]; i++) {
        var _ = ALICE.call(admission::enter);
      }
      assertRejects(ALICE, admission);
      for (int i = share[1]; i < share[0]; i++) {
        BOB.call(admission::enter).close();
        var _ = new Claimant("carol", /* isAlone= */ true).call(admission::enter);
      }
      assertThat(admission.available()).isZero();
    }
  }

  @Test
  void claimantWithFewerPermitsGoesFirst() throws Exception {
    Admission admission = admission(4, 10);
    List<Permit> taken = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      taken.add(ALICE.call(admission::enter));
    }
    taken.add(BOB.call(admission::enter));
    Waiter ofAlice = startWaiting(1, ALICE, admission::enter);
    Waiter ofBob = startWaiting(2, BOB, admission::enter);
    taken.removeFirst().close();
    assertThat(entered.take()).isEqualTo(2);
    taken.removeFirst().close();
    assertThat(entered.take()).isEqualTo(1);
    taken.forEach(Permit::close);
    ofAlice.permit().get().close();
    ofBob.permit().get().close();
  }

  @Test
  void fullQueueMakesRoomForTheClaimantWithFewerThreads() throws Exception {
    Admission admission = admission(1, 3);
    Permit permit = ALICE.call(admission::enter);
    Waiter first = startWaiting(1, ALICE, admission::enter);
    Waiter second = startWaiting(2, ALICE, admission::enter);
    Waiter last = startWaiting(3, ALICE, admission::enter);
    assertRejects(ALICE, admission);
    Waiter ofBob = startWaiting(4, BOB, admission::enter);
    assertThatThrownBy(last.permit()::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(OverloadedException.class);
    assertRejects(BOB, admission);
    permit.close();
    ofBob.permit().get().close();
    first.permit().get().close();
    second.permit().get().close();
    assertThat(entered).containsExactly(4, 1, 2);
  }

  /// Otherwise, one client that goes on and on would keep others out.
  @Test
  void workThatHasBegunGoesBeforeThatOfItsClaimantAlone() throws Exception {
    Admission admission = admission(1, 10);
    Permit permit = ALICE.call(admission::enter);
    List<Waiter> waiters =
        List.of(
            startWaiting(0, ALICE, admission::enter),
            startWaiting(1, ALICE, admission::enterAgain),
            startWaiting(2, BOB, admission::enter),
            startWaiting(3, ALICE, admission::enterAgain));
    for (int next : new int[] {2, 1, 3, 0}) {
      permit.close();
      assertThat(entered.take()).isEqualTo(next);
      permit = waiters.get(next).permit().get();
    }
    permit.close();
  }

  @Test
  void rejectionAtAShareSaysSo() throws Exception {
    Admission admission = admission(4, 0);
    for (int i = 0; i < 3; i++) {
      var _ = ALICE.call(admission::enter);
    }
    assertThatThrownBy(() -> ALICE.call(admission::enter))
        .hasMessage(REJECTION + ", of which one client has at most 3");
    var _ = BOB.call(admission::enter);
    assertThatThrownBy(() -> BOB.call(admission::enter)).hasMessage(REJECTION);
  }

  /// Otherwise, each client of many would leave a trace.
  @Test
  void forgetsClaimantsThatHaveNothing() throws Exception {
    Admission admission = admission(1, 10);
    for (int i = 0; i < 100; i++) {
      new Claimant("client " + i, /* isAlone= */ false).call(admission::enter).close();
    }
    assertThat(admission).extracting("shares").asInstanceOf(MAP).isEmpty();
  }
}
