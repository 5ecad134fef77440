package dev.quiver.server.write;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.server.transfer.ResponseAdmission;
import dev.quiver.store.access.Permissions;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.log.HeldWork;
import dev.quiver.store.log.Job;
import dev.quiver.store.log.JobOptions;
import dev.quiver.store.log.Jobs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Lists of jobs, which wait for permits.
class JobListsTest {

  private static final Principal ADMIN = Principal.ofToken("admin", Permissions.ADMIN);

  private static final int COUNT = 60;

  @TempDir private Path folder;

  private final ResponseAdmission admission =
      new ResponseAdmission(
          new Limit("generated", 1), Duration.ZERO, new InFlightBytes(new Limit("bytes", 1 << 20)));
  private final List<String> ids = new ArrayList<>();
  private Jobs jobs;
  private JobLists lists;

  @BeforeEach
  void submit() throws IOException {
    JobOptions options =
        new JobOptions(
            new Limit("running", 1),
            new Limit("queued", COUNT),
            Duration.ofHours(1),
            Duration.ofMinutes(1));
    jobs = new Jobs(FolderBlobStore.open(folder, /* syncs= */ false), options);
    lists = new JobLists(jobs, admission);
    for (int i = 0; i < COUNT; i++) {
      HeldWork work = new HeldWork();
      work.finish();
      ids.add(jobs.submit(jobs.takePlace(), jobs.newId(), "flights", work).id());
    }
    ids.sort(null);
    eventually(() -> assertThat(jobs.runningCount() + jobs.queuedCount()).isZero());
  }

  @AfterEach
  void stop() {
    jobs.close();
  }

  private Stream<String> read(String after, int limit) throws IOException {
    return lists.read(ADMIN, after, limit).stream().map(Job::id);
  }

  @Test
  void jobsOfSeveralTurnsFollowOneAnother() throws IOException {
    assertThat(read(ids.get(3), 55)).containsExactlyElementsOf(ids.subList(4, 59));
    assertThat(read(ids.get(3), 1000)).containsExactlyElementsOf(ids.subList(4, COUNT));
    assertThat(read(ids.getLast(), 1000)).isEmpty();
  }

  @Test
  void aListNeedsAPermit() throws IOException {
    List<Permit> permits = new ArrayList<>();
    assertThatThrownBy(
            () -> {
              while (true) {
                permits.add(admission.acquireForListPage());
              }
            })
        .isInstanceOf(OverloadedException.class);
    assertThatThrownBy(() -> read(ids.getFirst(), 1)).isInstanceOf(OverloadedException.class);
    permits.forEach(Permit::close);
    assertThat(read(ids.getFirst(), 1)).containsExactly(ids.get(1));
  }

  @Test
  void aClientThatLeavesEndsTheReading() {
    AtomicInteger asked = new AtomicInteger();
    assertThatThrownBy(() ->
            Cancellation.when(() -> asked.incrementAndGet() >= 2)
                .call(() -> lists.read(ADMIN, null, COUNT)))
        .isInstanceOf(CancelledException.class);
    assertThat(asked).hasValue(2);
  }
}
