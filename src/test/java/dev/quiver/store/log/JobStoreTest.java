package dev.quiver.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.log.JobStore.Stored;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.Ulid;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The conditional writes of jobs.
class JobStoreTest {

  private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

  private final String id = Ulid.next(NOW);
  private final Job queued = Job.queued(id, "owner", "flights", "anonymous", "request-1", NOW);

  @TempDir private Path folder;

  private BlobStore blobs;
  private JobStore store;

  @BeforeEach
  void open() throws IOException {
    blobs = FolderBlobStore.open(folder, /* syncs= */ false);
    store = new JobStore(blobs);
  }

  private Job beat(int seconds) {
    return queued.alive(
        JobState.RUNNING,
        false,
        new JobProgress(null, (long) seconds, null),
        NOW.plusSeconds(seconds));
  }

  private Stored put(Job job, long after) throws IOException {
    return Objects.requireNonNull(store.put(job, after));
  }

  @Test
  void exactlyOneOfTwoWritersSucceeds() throws Exception {
    Stored first = put(queued, JobStore.NONE);
    Stored second = put(beat(1), first.revision());
    assertThat(store.put(beat(2), first.revision())).isNull();
    assertThat(store.find(id)).isEqualTo(second);
  }

  @Test
  void aFirstStateIsPutOnce() throws Exception {
    store.put(queued, JobStore.NONE);
    assertThat(
            store.put(Job.queued(id, "other", null, "anonymous", "request-1", NOW), JobStore.NONE))
        .isNull();
    assertThat(Objects.requireNonNull(store.find(id)).job().owner()).isEqualTo("owner");
  }

  @Test
  void aWriterThatWasPausedDoesNotSucceed() throws Exception {
    Stored read = put(queued, JobStore.NONE);
    Stored second = put(beat(1), read.revision());
    Stored third = put(beat(2), second.revision());
    // The key after the state that it read is unused again.
    assertThat(store.put(beat(9), read.revision())).isNull();
    assertThat(store.find(id)).isEqualTo(third);
    assertThat(blobs.list(JobStore.PREFIX, null, 10)).hasSize(1);
  }

  /// A large folder is read in several steps, between which states are put and deleted.
  @Test
  void findsAJobWhoseStateIsReplaced() throws Exception {
    Files.createDirectories(folder.resolve("jobs"));
    for (int i = 0; i < 3_000; i++) {
      Files.createFile(folder.resolve("jobs").resolve(Ulid.next(NOW) + ".0000000000000000000"));
    }
    Stored[] latest = {put(queued, JobStore.NONE)};
    AtomicBoolean ended = new AtomicBoolean();
    try (ExecutorService writer = Executors.newSingleThreadExecutor()) {
      Future<?> written =
          writer.submit(() -> {
            while (!ended.get()) {
              latest[0] = put(beat(1), latest[0].revision());
            }
            return null;
          });
      try {
        for (int i = 0; i < 1_000; i++) {
          assertThat(store.find(id)).isNotNull();
        }
      } finally {
        ended.set(true);
      }
      written.get();
    }
    assertThat(latest[0].revision() % 1_000_000).isGreaterThan(10);
  }

  @Test
  void otherNamesAreNotStates() throws Exception {
    Stored first = put(queued, JobStore.NONE);
    String writing = JobStore.PREFIX + id + "." + "0".repeat(19) + "-part";
    blobs.putIfAbsent(writing, MemorySegment.ofArray(new byte[1]));
    assertThat(blobs.list(JobStore.PREFIX, null, 1)).containsExactly(writing);
    assertThat(store.find(id)).isEqualTo(first);
    assertThat(store.list(null, 10)).containsExactly(first);
  }

  @Test
  void aRepeatedPutSucceeds() throws Exception {
    Stored read = put(queued, JobStore.NONE);
    Stored put = put(beat(1), read.revision());
    assertThat(store.put(beat(1), read.revision())).isEqualTo(put);
  }

  @Test
  void everyMemberIsKept() throws Exception {
    Job running = beat(1).alive(JobState.RUNNING, true, new JobProgress(0.5, 7L, 9L), NOW);
    Job failed =
        running.failed(
            Map.of("status", 422, "line", 3, "differences", List.of("a")),
            running.progress(),
            NOW.plusSeconds(4));
    Job done = running.done(HeldWork.RESULT, JobProgress.UNKNOWN, NOW.plusSeconds(4));
    for (Job job :
        List.of(
            running, failed, done, Job.queued(id, "owner", null, "anonymous", "request-1", NOW))) {
      assertThat(JobJson.read(JobJson.write(job))).isEqualTo(job);
    }
  }

  @Test
  void rejectsDamagedJobs() throws Exception {
    String key = JobStore.PREFIX + id + "." + "9".repeat(19);
    byte[] json = "{\"id\": 3}".getBytes(StandardCharsets.UTF_8);
    blobs.putIfAbsent(key, MemorySegment.ofArray(json));
    assertThatThrownBy(() -> store.find(id))
        .isInstanceOf(IOException.class)
        .hasMessage("Expected a job but found no first line of one at " + key);
    String more = JobStore.PREFIX + id + ".0" + "9".repeat(18);
    blobs.putIfAbsent(
        more, MemorySegment.ofArray("{\"id\": 3}\n{}".getBytes(StandardCharsets.UTF_8)));
    assertThatThrownBy(() -> store.find(id))
        .isInstanceOf(IOException.class)
        .hasMessage("Expected text but found 3 at id at " + more);
    // The others are listed all the same.
    String other = Ulid.next(NOW.plusSeconds(1));
    Stored put =
        put(Job.queued(other, "owner", null, "anonymous", "request-1", NOW), JobStore.NONE);
    assertThat(store.list(null, 10)).containsExactly(put);
  }

  @Test
  void listsReadOnlyTheStartOfAState() throws Exception {
    String longest = "d".repeat(100);
    JobProgress most = new JobProgress(0.123456789, Long.MAX_VALUE, Long.MAX_VALUE);
    JobResult result =
        new JobResult(
            DatasetReference.parse(longest + "@999999999"), Map.of("columns", "c".repeat(1 << 20)));
    Job done =
        Job.queued(id, Ulid.next(NOW), longest, "anonymous", "request-1", NOW)
            .done(result, most, NOW);
    put(done, JobStore.NONE);
    Job listed = store.list(null, 10).getFirst().job();
    assertThat(listed).isEqualTo(done.done(new JobResult(result.version(), Map.of()), most, NOW));
    assertThat(Objects.requireNonNull(store.find(id)).job()).isEqualTo(done);
    // The second line is read by nothing but a request for the job.
    byte[] start = Arrays.copyOf(JobJson.write(done), JobJson.FIRST_LINE_BYTE_SIZE);
    blobs.putIfAbsent(JobStore.PREFIX + id + "." + "0".repeat(19), MemorySegment.ofArray(start));
    assertThat(store.list(null, 10).getFirst().job()).isEqualTo(listed);
    assertThatThrownBy(() -> store.find(id)).isInstanceOf(IOException.class);
  }

  @Test
  void heartbeatsAreFrequentEnough() {
    assertThat(JobsTest.options(Duration.ofSeconds(30)).heartbeatInterval())
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(JobsTest.options(Duration.ofMillis(5)).heartbeatInterval())
        .isEqualTo(Duration.ofMillis(1));
  }
}
