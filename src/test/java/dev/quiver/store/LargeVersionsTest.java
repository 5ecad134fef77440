package dev.quiver.store;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.formats.UploadData;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.file.LargeVersions;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Versions with so many record batches that several at once could exhaust the heap.
class LargeVersionsTest {

  private static final DatasetName LARGE = new DatasetName("large");
  private static final DatasetName SMALL = new DatasetName("small");

  @TempDir private Path folder;

  private BlobStore store;
  private Datasets datasets;

  @BeforeEach
  void open() throws IOException {
    store = FolderBlobStore.open(folder, /* sync= */ false);
    datasets = new Datasets(store, DatasetOptions.DEFAULT);
  }

  @AfterEach
  void close() {
    datasets.close();
  }

  private static byte[] stream(int batchCount) throws IOException {
    int[] rows = new int[batchCount];
    Arrays.fill(rows, 1);
    return SampleStreams.stream(rows);
  }

  private void put(DatasetName name, int batchCount) throws IOException {
    datasets.put(
        name,
        ByteSource.of(MemorySegment.ofArray(stream(batchCount))),
        BodyFormat.STREAM,
        new WriteCondition.None());
  }

  private void append(DatasetName name) throws IOException {
    datasets.append(
        name,
        UploadData.Source.of(ByteSource.of(MemorySegment.ofArray(stream(1))), BodyFormat.STREAM),
        new WriteCondition.None(),
        UploadOptions.KEEP,
        /* key= */ null);
  }

  private long batches(DatasetName name) throws IOException {
    return datasets.summary(new DatasetReference(name, null)).file().batches();
  }

  @Test
  void appendsToALargeVersionAreBuiltOneAtATime() throws Exception {
    put(LARGE, LargeVersions.BATCH_COUNT);
    put(SMALL, 1);
    assertWaits(() -> append(LARGE));
    assertThat(batches(LARGE)).isEqualTo(LargeVersions.BATCH_COUNT + 1);
  }

  @Test
  void largeUploadsAreFinishedOneAtATime() throws Exception {
    put(SMALL, 1);
    assertWaits(() -> put(LARGE, LargeVersions.BATCH_COUNT));
  }

  @Test
  @Timeout(60)
  void smallVersionsDoNotWait() throws Exception {
    try (Permit _ = LargeVersions.await(LargeVersions.BATCH_COUNT)) {
      LargeVersions.await(LargeVersions.BATCH_COUNT - 1).close();
    }
  }

  /// A client that has ended its sending looks as if it had left, and its data is to be stored.
  @Test
  void uploadsAreFinishedForClientsThatHaveLeft() throws Exception {
    put(SMALL, 1);
    assertWaits(() ->
        Cancellation.when(() -> true)
            .call(() -> {
              put(LARGE, LargeVersions.BATCH_COUNT);
              return null;
            }));
    assertThat(batches(LARGE)).isEqualTo(LargeVersions.BATCH_COUNT);
  }

  private interface Write {
    void run() throws IOException;
  }

  private void assertWaits(Write write) throws Exception {
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      Future<?> waiting;
      try (Permit _ = LargeVersions.await(LargeVersions.BATCH_COUNT)) {
        CompletableFuture<Thread> writer = new CompletableFuture<>();
        waiting =
            other.submit(() -> {
              writer.complete(Thread.currentThread());
              write.run();
              return null;
            });
        Thread thread = writer.get();
        eventually(() -> assertThat(thread.getState()).isEqualTo(Thread.State.TIMED_WAITING));
        append(SMALL);
        assertThat(thread.getState()).isEqualTo(Thread.State.TIMED_WAITING);
      }
      waiting.get();
    }
  }

  @Test
  void anUploadIsChargedForTheBatchesThatItsFooterNames() throws Exception {
    DatasetOptions options = DatasetOptions.DEFAULT;
    InFlightBytes inFlight = new InFlightBytes(200_000);
    try (Datasets limited =
        new Datasets(
            store,
            new DatasetOptions(
                options.limits(),
                options.requestBytes(),
                inFlight,
                options.uploadDictionaryBytes(),
                options.batchBytes(),
                options.level()))) {
      assertThatThrownBy(() ->
              limited.put(
                  LARGE,
                  ByteSource.of(MemorySegment.ofArray(stream(5000))),
                  BodyFormat.STREAM,
                  new WriteCondition.None()))
          .isInstanceOf(TooLargeInputException.class)
          .hasMessageContaining("in-flight-bytes");
      assertThat(inFlight.taken()).isZero();
      limited.put(
          LARGE,
          ByteSource.of(MemorySegment.ofArray(stream(2000))),
          BodyFormat.STREAM,
          new WriteCondition.None());
    }
  }
}
