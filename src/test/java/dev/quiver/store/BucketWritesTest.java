package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.formats.UploadData;
import dev.quiver.store.UnreliableStore.Operation;
import dev.quiver.store.blob.MemoryBlobStore;
import dev.quiver.store.blob.S3Options;
import dev.quiver.store.blob.S3ProxyServer;
import dev.quiver.store.blob.WatchedServer;
import dev.quiver.store.blob.s3.S3BlobStore;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The requests that a write makes to a remote store.
class BucketWritesTest {

  private static final DatasetName NAME = new DatasetName("data");

  @TempDir private Path folder;

  private static void append(Datasets datasets) throws IOException {
    datasets.append(
        NAME,
        UploadData.Source.of(
            ByteSource.of(MemorySegment.ofArray(SampleStreams.stream(3))), BodyFormat.STREAM),
        new WriteCondition.None(),
        UploadOptions.KEEP,
        /* key= */ null);
  }

  @Test
  void anAppendPutsItsDataItsSidecarAndAManifest() throws IOException {
    S3Options direct = S3ProxyServer.options(S3ProxyServer.newBucket(), folder, 1 << 20);
    try (WatchedServer server = new WatchedServer(S3ProxyServer.endpoint());
        S3BlobStore store =
            S3BlobStore.open(
                new S3Options(
                    direct.bucket(),
                    server.endpoint(),
                    "",
                    "",
                    true,
                    direct.checksums(),
                    folder,
                    1 << 20));
        Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT)) {
      append(datasets);
      for (int i = 0; i < 3; i++) {
        server.take("PUT");
        append(datasets);
        assertThat(server.take("PUT")).isEqualTo(3);
        assertThat(server.count("POST")).isZero();
      }
    }
  }

  private static boolean isSealing(UnreliableStore.Moment moment) {
    return moment.operation() == Operation.COMMIT && !moment.after();
  }

  /// Neither the data nor its sidecar is put before the other one is about to be.
  @Test
  void dataAndSidecarArePutAtTheSameTime() throws IOException {
    UnreliableStore store = new UnreliableStore(new MemoryBlobStore(folder));
    CyclicBarrier both = new CyclicBarrier(2);
    store.setFault(moment -> {
      if (isSealing(moment)) {
        try {
          both.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
          throw new IOException("put alone: " + moment, e);
        }
      }
    });
    try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT)) {
      append(datasets);
      append(datasets);
    }
    assertThat(store.list("data/", null, 9)).hasSize(4);
  }

  /// The other one may be put already.
  @ParameterizedTest
  @CsvSource({".arrow, false", ".arrow, true", ".sidecar, false", ".sidecar, true"})
  void aWriteThatCannotPutOneOfThemLeavesNeither(String suffix, boolean unchecked)
      throws IOException {
    UnreliableStore store = new UnreliableStore(new MemoryBlobStore(folder));
    store.setFault(moment -> {
      if (isSealing(moment) && moment.key().endsWith(suffix)) {
        if (unchecked) {
          throw new IllegalStateException("lost");
        }
        throw new IOException("lost");
      }
    });
    try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT)) {
      assertThatThrownBy(() -> append(datasets)).hasMessage("lost");
      assertThat(store.list("", null, 9)).isEmpty();
      store.setFault(_ -> {});
      append(datasets);
    }
    assertThat(store.list("data/", null, 9)).hasSize(2);
  }
}
