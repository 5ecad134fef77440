package dev.quiver.store.log;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.store.UnreliableStore;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.Steps;
import dev.quiver.store.blob.folder.FolderBlobStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Jobs of two services over one store, whose clock and heartbeats the tests control.
class JobsTest {

  private static final Instant START = Instant.parse("2026-11-23T12:00:00Z");
  private static final Duration RETENTION = Duration.ofHours(24);
  private static final JobOptions OPTIONS = options(Duration.ofSeconds(30));

  @TempDir private Path folder;

  private volatile Instant now = START;
  private UnreliableStore storeHere;
  private Jobs here;
  private Jobs there;

  @BeforeEach
  void start() throws IOException {
    storeHere = new UnreliableStore(store());
    here = new Jobs(storeHere, OPTIONS, () -> now);
    there = new Jobs(store(), OPTIONS, () -> now);
  }

  @AfterEach
  void stop() {
    here.close();
    there.close();
  }

  static JobOptions options(Duration lostAfter) {
    return new JobOptions(
        new Limit("quiver.jobs.running", 1),
        new Limit("quiver.jobs.queued", 1),
        RETENTION,
        lostAfter);
  }

  /// Opens the store that both services share.
  BlobStore store() throws IOException {
    return FolderBlobStore.open(folder, /* syncs= */ false);
  }

  private String submit(Jobs jobs, JobWork work) throws IOException {
    return jobs.submit(jobs.takePlace(), jobs.newId(), "flights", work).id();
  }

  private static Job find(Jobs jobs, String id) throws IOException {
    return Objects.requireNonNull(jobs.find(id));
  }

  private static Job cancel(Jobs jobs, String id) throws IOException {
    return Objects.requireNonNull(jobs.cancel(id));
  }

  private static void awaitState(Jobs jobs, String id, JobState state) {
    eventually(() -> assertThat(jobs.find(id)).extracting(Job::state).isEqualTo(state));
  }

  /// Returns the keys of the blobs of jobs.
  private List<String> keys() throws IOException {
    return storeHere.list(JobStore.PREFIX, null, 100);
  }

  @Test
  void anotherServiceSeesEachStateAndTheProgress() throws Exception {
    HeldWork work = new HeldWork();
    String id = submit(here, work);
    work.awaitBegin();
    work.progress(new JobProgress(0.25, 250L, 1000L));
    now = START.plusSeconds(3);
    here.beat();
    Job running = find(there, id);
    work.finish();
    awaitState(there, id, JobState.DONE);
    Job done = find(there, id);
    assertThat(running.state()).isEqualTo(JobState.RUNNING);
    assertThat(running.progress()).isEqualTo(new JobProgress(0.25, 250L, 1000L));
    assertThat(running.heartbeatAt()).isEqualTo(now);
    assertThat(running.endedAt()).isNull();
    assertThat(done.result()).isEqualTo(HeldWork.RESULT);
    assertThat(done.progress()).isEqualTo(new JobProgress(1.0, 250L, 1000L));
    assertThat(done.endedAt()).isEqualTo(now);
    // Only the latest state is kept.
    eventually(() -> assertThat(keys()).hasSize(1));
    eventually(() -> assertThat(work.closeCount()).isOne());
    assertThat(work.stopCount()).isZero();
  }

  /// The request that starts a job may end before the job does.
  @Test
  void aJobEndsApartFromItsRequest() throws Exception {
    HeldWork work = new HeldWork();
    String id = Cancellation.when(() -> true).call(() -> submit(here, work));
    work.awaitBegin();
    work.finish();
    awaitState(there, id, JobState.DONE);
    eventually(() -> assertThat(work.closeCount()).isOne());
    assertThat(work.isCancelledAtEnd()).isFalse();
  }

  @Test
  void aFailureBecomesTheProblem() throws Exception {
    HeldWork work = new HeldWork();
    String id = submit(here, work);
    work.fail("Expected rows but found none");
    awaitState(there, id, JobState.FAILED);
    assertThat(find(there, id).problem()).containsEntry("detail", "Expected rows but found none");
    eventually(() -> assertThat(work.closeCount()).isOne());
  }

  @Test
  void aQueuedJobIsCancelledWithoutRunning() throws Exception {
    HeldWork first = new HeldWork();
    submit(here, first);
    first.awaitBegin();
    HeldWork second = new HeldWork();
    String id = submit(here, second);
    assertThat(find(here, id).state()).isEqualTo(JobState.QUEUED);
    assertThat(cancel(here, id).state()).isEqualTo(JobState.CANCELLED);
    assertThat(second.closeCount()).isOne();
    assertThat(second.stopCount()).isOne();
    assertThat(here.queuedCount()).isZero();
    first.finish();
  }

  @Test
  void aQueuedJobIsCancelledWithoutRunningWhereStepsAreRecorded() throws Exception {
    Steps.recordTo(
        new Steps.Recorder() {
          @Override
          public void record(String name, long nanos, Map<String, String> attributes) {}

          @Override
          public <T> Callable<T> carried(Callable<T> work) {
            return () -> work.call();
          }
        });
    try {
      aQueuedJobIsCancelledWithoutRunning();
    } finally {
      Steps.recordTo(null);
    }
  }

  @Test
  void aHeartbeatLearnsOfACancellationByAnotherService() throws Exception {
    HeldWork work = new HeldWork();
    String id = submit(here, work);
    work.awaitBegin();
    assertThat(cancel(there, id).state()).isEqualTo(JobState.CANCELLED);
    assertThat(work.closeCount()).isZero();
    here.beat();
    eventually(() -> assertThat(work.closeCount()).isOne());
    assertThat(find(here, id).state()).isEqualTo(JobState.CANCELLED);
    assertThat(cancel(there, id).state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  void nothingIsCommittedAfterACancellationThatNoHeartbeatSaw() throws Exception {
    HeldWork work = new HeldWork();
    String id = submit(here, work);
    work.awaitBegin();
    there.cancel(id);
    work.finish();
    eventually(() -> assertThat(work.closeCount()).isOne());
    assertThat(find(there, id).state()).isEqualTo(JobState.CANCELLED);
    assertThat(work.hasBegunCommit()).isFalse();
  }

  @Test
  void aJobThatIsBeingCommittedIsNotCancelled() throws Exception {
    HeldWork work = new HeldWork();
    String id = submit(here, work);
    work.release();
    work.awaitCommit();
    Job refused = cancel(there, id);
    here.beat();
    work.finish();
    awaitState(there, id, JobState.DONE);
    assertThat(refused.state()).isEqualTo(JobState.RUNNING);
    assertThat(refused.committing()).isTrue();
    assertThat(cancel(there, id).state()).isEqualTo(JobState.DONE);
  }

  @Test
  void aJobWithoutHeartbeatsIsLost() throws Exception {
    HeldWork work = new HeldWork();
    String id = submit(here, work);
    work.awaitBegin();
    now = START.plusSeconds(30);
    JobState last = find(there, id).state();
    now = now.plusMillis(1);
    Job lost = find(there, id);
    assertThat(last).isEqualTo(JobState.RUNNING);
    assertThat(lost.state()).isEqualTo(JobState.LOST);
    assertThat(lost.endedAt()).isEqualTo(START.plusSeconds(30));
    assertThat(cancel(there, id).state()).isEqualTo(JobState.LOST);
    assertThat(there.list(null, 10)).extracting(Job::state).containsExactly(JobState.LOST);
  }

  @Test
  void serviceKnowsItsOwnJobsWhateverTheClockSays() throws Exception {
    HeldWork work = new HeldWork();
    String id = submit(here, work);
    work.awaitBegin();
    now = START.plusSeconds(7200);
    JobState seen = find(here, id).state();
    here.beat();
    work.finish();
    awaitState(here, id, JobState.DONE);
    assertThat(seen).isEqualTo(JobState.RUNNING);
  }

  @Test
  void theCollectorSettlesALostJob() throws Exception {
    HeldWork work = new HeldWork();
    String id = submit(here, work);
    work.awaitBegin();
    now = START.plusSeconds(31);
    assertThat(there.collectGarbage()).isZero();
    here.beat();
    eventually(() -> assertThat(work.closeCount()).isOne());
    assertThat(work.stopCount()).isOne();
    now = START;
    assertThat(find(there, id).state()).isEqualTo(JobState.LOST);
  }

  @Test
  void jobGoesOnUnlessItWasReportedLost() throws Exception {
    HeldWork work = new HeldWork();
    String id = submit(here, work);
    work.awaitBegin();
    now = START.plusSeconds(60);
    here.beat();
    assertThat(find(there, id).state()).isEqualTo(JobState.RUNNING);
    work.finish();
    awaitState(there, id, JobState.DONE);
  }

  @Test
  void jobReportedLostEndsAtItsNextHeartbeat() throws Exception {
    HeldWork work = new HeldWork();
    String id = submit(here, work);
    work.awaitBegin();
    now = START.plusSeconds(60);
    assertThat(find(there, id).state()).isEqualTo(JobState.LOST);
    here.beat();
    eventually(() -> assertThat(work.closeCount()).isOne());
    assertThat(find(here, id).state()).isEqualTo(JobState.LOST);
  }

  @Test
  void aJobThatWasListedAsLostCommitsNothing() throws Exception {
    HeldWork work = new HeldWork();
    String id = submit(here, work);
    work.awaitBegin();
    now = START.plusSeconds(60);
    assertThat(there.list(null, 10)).extracting(Job::state).containsExactly(JobState.LOST);
    work.finish();
    eventually(() -> assertThat(work.closeCount()).isOne());
    assertThat(work.hasBegunCommit()).isFalse();
    assertThat(find(here, id).state()).isEqualTo(JobState.LOST);
  }

  @Test
  void aJobThatWasLostDuringItsCommitMayBeDone() throws Exception {
    HeldWork work = new HeldWork();
    String id = submit(here, work);
    work.release();
    work.awaitCommit();
    now = START.plusSeconds(60);
    Job lost = find(there, id);
    work.finish();
    awaitState(there, id, JobState.DONE);
    assertThat(lost.state()).isEqualTo(JobState.LOST);
    assertThat(lost.committing()).isTrue();
  }

  /// Has the store of `here` fail all writes of states at which a job has ended.
  private CountDownLatch failEnds(Supplier<? extends Exception> failure) {
    CountDownLatch failed = new CountDownLatch(1);
    storeHere.setFault(moment -> {
      if (moment.operation() == UnreliableStore.Operation.PUT && !moment.after()) {
        failed.countDown();
        switch (failure.get()) {
          case IOException e -> throw e;
          case RuntimeException e -> throw e;
          case Exception e -> throw new AssertionError(e);
        }
      }
    });
    return failed;
  }

  @Test
  void anEndIsWrittenOnceTheStoreIsBack() throws Exception {
    List<Supplier<Exception>> failures =
        List.of(() -> new IOException("away"), () -> new IllegalStateException("broken"));
    for (Supplier<Exception> failure : failures) {
      HeldWork done = new HeldWork();
      String id = submit(here, done);
      done.release();
      done.awaitCommit();
      CountDownLatch failed = failEnds(failure);
      done.finish();
      failed.await();
      eventually(() -> assertThat(done.closeCount()).isOne());
      here.beat();
      assertThat(find(there, id).state()).isEqualTo(JobState.RUNNING);
      storeHere.setFault(_ -> {});
      here.beat();
      assertThat(find(there, id).state()).isEqualTo(JobState.DONE);
      assertThat(find(there, id).result()).isEqualTo(HeldWork.RESULT);
    }
    here.takePlace();
    eventually(() -> assertThatCode(() -> here.takePlace()).doesNotThrowAnyException());
  }

  @Test
  void anEndThatCannotBeWrittenKeepsItsPlaceUntilAnotherIs() throws Exception {
    HeldWork work = new HeldWork();
    String id = submit(here, work);
    work.awaitBegin();
    CountDownLatch failed = failEnds(() -> new IOException("away"));
    work.fail("Expected rows but found none");
    failed.await();
    eventually(() -> assertThat(work.closeCount()).isOne());
    Permit other = here.takePlace();
    assertThatThrownBy(here::takePlace).isInstanceOf(OverloadedException.class);
    now = START.plusSeconds(60);
    assertThat(find(there, id).state()).isEqualTo(JobState.LOST);
    storeHere.setFault(_ -> {});
    here.beat();
    assertThat(find(there, id).state()).isEqualTo(JobState.LOST);
    eventually(() -> assertThatCode(() -> here.takePlace().close()).doesNotThrowAnyException());
    other.close();
  }

  @Test
  void theEndOfAServiceWritesTheEndsOfItsJobs() throws Exception {
    HeldWork work = new HeldWork();
    String id = submit(here, work);
    work.awaitBegin();
    CountDownLatch failed = failEnds(() -> new IOException("away"));
    work.fail("Expected rows but found none");
    failed.await();
    eventually(() -> assertThat(work.closeCount()).isOne());
    storeHere.setFault(_ -> {});
    here.close();
    assertThat(find(there, id).state()).isEqualTo(JobState.FAILED);
  }

  @Test
  void otherServicesReturnTheSameEndedJob() throws Exception {
    HeldWork work = new HeldWork();
    String id = submit(here, work);
    work.finish();
    awaitState(here, id, JobState.DONE);
    Job told = find(here, id);
    here.close();
    try (Jobs restarted = new Jobs(store(), OPTIONS, () -> now)) {
      assertThat(find(restarted, id)).isEqualTo(told);
      // A list has all but what may be large.
      assertThat(restarted.list(null, 10))
          .containsExactly(
              told.done(
                  new JobResult(HeldWork.RESULT.version(), Map.of()),
                  told.progress(),
                  Objects.requireNonNull(told.endedAt())));
    }
  }

  @Test
  void jobsAreKeptForTheirRetention() throws Exception {
    HeldWork work = new HeldWork();
    String id = submit(here, work);
    work.finish();
    awaitState(here, id, JobState.DONE);
    now = START.plus(RETENTION).minusMillis(1);
    assertThat(there.collectGarbage()).isZero();
    assertThat(there.find(id)).isNotNull();
    now = START.plus(RETENTION);
    assertThat(Cancellation.when(() -> true).call(there::collectGarbage)).isZero();
    assertThat(there.collectGarbage()).isOne();
    assertThat(there.find(id)).isNull();
    assertThat(keys()).isEmpty();
  }

  @Test
  void aJobThatRunsIsNotCollected() throws Exception {
    HeldWork work = new HeldWork();
    String id = submit(here, work);
    work.awaitBegin();
    now = START.plus(RETENTION).plusSeconds(60);
    here.beat();
    assertThat(there.collectGarbage()).isZero();
    assertThat(find(there, id).state()).isEqualTo(JobState.RUNNING);
    work.finish();
  }

  @Test
  void theEndOfAServiceEndsItsJobs() throws Exception {
    HeldWork running = new HeldWork();
    HeldWork queued = new HeldWork();
    String runningId = submit(here, running);
    running.awaitBegin();
    String queuedId = submit(here, queued);
    here.close();
    assertThat(find(there, runningId).state()).isEqualTo(JobState.LOST);
    assertThat(find(there, queuedId).state()).isEqualTo(JobState.LOST);
    assertThat(running.closeCount()).isOne();
    assertThat(queued.closeCount()).isOne();
    assertThatThrownBy(here::takePlace).isInstanceOf(OverloadedException.class);
  }

  @Test
  void placesAreTakenFromTheReceptionToTheEnd() throws Exception {
    HeldWork work = new HeldWork();
    submit(here, work);
    Permit second = here.takePlace();
    assertThatThrownBy(here::takePlace)
        .isInstanceOf(OverloadedException.class)
        .hasMessage(
            "Expected at most 2 jobs at a time but found more"
                + " (quiver.jobs.running, quiver.jobs.queued)");
    second.close();
    second.close();
    here.takePlace();
    assertThatThrownBy(here::takePlace).isInstanceOf(OverloadedException.class);
    work.finish();
    eventually(() -> assertThatCode(() -> here.takePlace().close()).doesNotThrowAnyException());
  }

  @Test
  void anIdIsUsedAgainOnlyByAnotherAttempt() throws Exception {
    HeldWork work = new HeldWork();
    String id = here.newId();
    here.submit(here.takePlace(), id, "flights", work);
    HeldWork repeated = new HeldWork();
    Job same = there.submit(there.takePlace(), id, "flights", repeated);
    assertThat(repeated.stopCount()).isZero();
    assertThat(same.id()).isEqualTo(id);
    assertThat(repeated.closeCount()).isOne();
    work.awaitBegin();
    now = START.plusSeconds(31);
    HeldWork again = new HeldWork();
    there.submit(there.takePlace(), id, "flights", again);
    again.awaitBegin();
    // The first attempt must not commit anymore.
    work.finish();
    eventually(() -> assertThat(work.closeCount()).isOne());
    assertThat(find(there, id).state()).isEqualTo(JobState.RUNNING);
    again.finish();
    awaitState(here, id, JobState.DONE);
  }

  @Test
  void jobsAreListedInPages() throws Exception {
    String[] ids = new String[3];
    for (int i = 0; i < ids.length; i++) {
      HeldWork work = new HeldWork();
      now = START.plusMillis(i);
      ids[i] = submit(here, work);
      work.finish();
      awaitState(here, ids[i], JobState.DONE);
      eventually(() -> assertThat(work.closeCount()).isOne());
    }
    storeHere.putIfAbsent(JobStore.PREFIX + "readme.txt", MemorySegment.ofArray(new byte[1]));
    assertThat(list(null, 2)).containsExactly(ids[0], ids[1]);
    assertThat(list(ids[1], 2)).containsExactly(ids[2]);
    assertThat(list(ids[2], 2)).isEmpty();
  }

  private List<String> list(@Nullable String after, int limit) throws IOException {
    return there.list(after, limit).stream().map(Job::id).toList();
  }

  @Test
  void anUnknownIdHasNoJob() throws Exception {
    assertThat(here.find("../secret")).isNull();
    assertThat(here.find(here.newId())).isNull();
    assertThat(here.cancel(here.newId())).isNull();
    assertThat(here.cancel("no id")).isNull();
  }
}
