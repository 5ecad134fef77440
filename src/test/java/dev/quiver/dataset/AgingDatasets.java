package dev.quiver.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.ipc.BodyFormat;
import dev.quiver.memory.ByteSource;
import dev.quiver.storage.BlobStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Datasets in a folder that get old as fast as a test wants. The version of each number of rows is
/// told by them.
final class AgingDatasets {

  static final DatasetName NAME = new DatasetName("flights");

  final BlobStore store;
  final TestClock clock = new TestClock();
  final Datasets datasets;
  private final Retention retention;

  AgingDatasets(Path folder) throws IOException {
    this(folder, Retention.DEFAULT);
  }

  AgingDatasets(Path folder, Retention retention) throws IOException {
    this.store = BlobStore.onFolder(folder);
    this.retention = retention;
    this.datasets = on(store);
  }

  /// Another process on the same store.
  Datasets on(BlobStore way) {
    return new Datasets(
        way,
        DatasetOptions.DEFAULT,
        new StoragePolicy(retention, MergePolicy.NEVER, Duration.ZERO),
        clock);
  }

  /// A version of so many rows as its number.
  void put() throws IOException {
    put(datasets, NAME);
  }

  static long put(Datasets datasets, DatasetName name) throws IOException {
    long version = 1 + newest(datasets, name);
    put(datasets, name, body((int) version));
    return version;
  }

  private static long newest(Datasets datasets, DatasetName name) throws IOException {
    try {
      return datasets.summary(new DatasetReference(name, null)).version();
    } catch (DatasetNotFoundException e) {
      return 0;
    }
  }

  static VersionSummary put(Datasets datasets, DatasetName name, ByteSource body)
      throws IOException {
    return datasets.put(name, body, BodyFormat.STREAM, new WriteCondition.None()).summary();
  }

  static ByteSource body(int rows) {
    return ByteSource.of(MemorySegment.ofArray(SampleStreams.stream(rows)));
  }

  Removed remove() throws IOException {
    return datasets.removeExpired(() -> true);
  }

  List<Long> versions() throws IOException {
    return versions(NAME);
  }

  List<Long> versions(DatasetName name) throws IOException {
    return datasets.versions(name, null, 1000).stream().map(VersionSummary::version).toList();
  }

  List<String> data() throws IOException {
    return store.list(StoreKeys.DATA, null, 1000);
  }

  /// Checks that the versions are one run up to the newest, as someone sees them who starts now,
  /// and that each has the rows it should have.
  ///
  /// @return the oldest
  long assertWhole() throws IOException {
    Datasets fresh = on(store);
    List<VersionSummary> versions = fresh.versions(NAME, null, 1000);
    assertThat(versions).isNotEmpty();
    long newest = versions.getFirst().version();
    for (int i = 0; i < versions.size(); i++) {
      assertThat(versions.get(i).version()).isEqualTo(newest - i);
      try (Snapshot snapshot = fresh.open(new DatasetReference(NAME, newest - i))) {
        assertThat(snapshot.rows(0, snapshot.summary().batches() - 1)).isEqualTo(newest - i);
        DatasetTestFolder.read(snapshot, snapshot.file());
      }
    }
    long oldest = newest - versions.size() + 1;
    if (oldest > 1) {
      String removed = NAME.value() + "@" + (oldest - 1);
      assertThatThrownBy(() -> fresh.open(DatasetReference.parse(removed)))
          .isInstanceOf(DatasetGoneException.class)
          .hasMessage(
              "Expected a version that is kept but found one that was replaced and then removed at "
                  + removed);
    }
    return oldest;
  }
}
