package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.store.blob.S3ProxyServer;
import dev.quiver.store.blob.s3.S3BlobStore;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.WriteCondition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Statistics that are kept beside a version, until it is deleted.
class KeptStatisticsTest {

  private static final int FORMAT = 1;

  @TempDir private Path folder;
  private AgingDatasets aging;

  @BeforeEach
  void open() throws IOException {
    aging = new AgingDatasets(folder);
  }

  private void keep(String id) throws IOException {
    try (Snapshot snapshot = aging.datasets.open(new DatasetReference(AgingDatasets.NAME, null))) {
      snapshot.keptStatistics().keep(Map.of(id, new byte[] {1, 2}), FORMAT);
    }
  }

  private static @Nullable List<Integer> read(Datasets datasets, long version, String... ids)
      throws IOException {
    try (Snapshot snapshot = datasets.open(new DatasetReference(AgingDatasets.NAME, version))) {
      return snapshot.keptStatistics().read(List.of(ids), FORMAT, bytes -> bytes.length);
    }
  }

  private List<String> kept() throws IOException {
    return aging.blobs().stream().filter(key -> key.endsWith(".statistics")).toList();
  }

  @Test
  void statisticsAreDeletedWithTheirVersion() throws IOException {
    aging.put();
    keep("all");
    keep("0-1");
    aging.clock.advanceHours(24 * 365);
    aging.collectGarbage();
    assertThat(kept()).hasSize(2);
    assertThat(read(aging.datasets, 1, "all", "0-1")).containsExactly(2, 2);
    aging.put();
    keep("all");
    aging.clock.advanceHours(20);
    aging.collectGarbage();
    assertThat(kept()).hasSize(3);
    aging.clock.advanceHours(24);
    aging.collectGarbage();
    assertThat(aging.versions()).containsExactly(2L);
    assertThat(kept()).hasSize(1);
    assertThat(read(aging.datasets, 2, "all")).containsExactly(2);
    aging.datasets.delete(AgingDatasets.NAME, new WriteCondition.None());
    aging.clock.advanceHours(100);
    aging.collectGarbage();
    aging.collectGarbage();
    assertThat(kept()).isEmpty();
  }

  /// A reader may keep statistics just after the collector has deleted its version.
  @Test
  void statisticsOfADeletedVersionAreDeletedLater() throws IOException {
    aging.put();
    try (Snapshot replaced = aging.datasets.open(new DatasetReference(AgingDatasets.NAME, null))) {
      aging.put();
      aging.clock.advanceHours(100);
      aging.collectGarbage();
      assertThat(aging.versions()).containsExactly(2L);
      replaced.keptStatistics().keep(Map.of("all", new byte[1]), FORMAT);
    }
    assertThat(kept()).hasSize(1);
    aging.collectGarbage();
    assertThat(kept()).isEmpty();
    assertThat(aging.assertConsistent()).isEqualTo(2);
  }

  @Test
  void statisticsOfAnotherFormatAreAbsent() throws IOException {
    aging.put();
    keep("all");
    try (Snapshot snapshot = aging.datasets.open(new DatasetReference(AgingDatasets.NAME, null))) {
      assertThat(snapshot.keptStatistics().read(List.of("all"), FORMAT + 1, bytes -> bytes))
          .isNull();
      snapshot.keptStatistics().keep(Map.of("all", new byte[3]), FORMAT + 1);
      assertThat(snapshot.keptStatistics().read(List.of("all"), FORMAT + 1, bytes -> bytes.length))
          .containsExactly(3);
    }
  }

  @Test
  void statisticsOfABucketAreReadAndKeptConcurrently() throws IOException {
    try (S3BlobStore store =
        S3BlobStore.open(S3ProxyServer.options(S3ProxyServer.newBucket(), folder, 1 << 20))) {
      Datasets datasets = aging.on(store);
      aging.put(datasets);
      List<String> ids = IntStream.range(0, 300).mapToObj(Integer::toString).toList();
      try (Snapshot snapshot = datasets.open(new DatasetReference(AgingDatasets.NAME, null))) {
        snapshot
            .keptStatistics()
            .keep(
                ids.stream().collect(Collectors.toMap(id -> id, id -> new byte[id.length()])),
                FORMAT);
      }
      assertThat(read(datasets, 1, ids.toArray(String[]::new)))
          .isEqualTo(ids.stream().map(String::length).toList());
      assertThat(read(datasets, 1, "1", "absent")).isNull();
    }
  }
}
