package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.formats.UploadData;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.catalog.GarbageStatistics;
import dev.quiver.store.catalog.Retention;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetNotFoundException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.CompactionPolicy;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Datasets in a folder, with a clock that the test advances. Version n has n rows, whether it
/// replaces the rows or appends one.
public final class AgingDatasets {

  public static final DatasetName NAME = new DatasetName("flights");

  public final BlobStore store;
  public final TestClock clock = new TestClock();
  public final Datasets datasets;
  private final Retention retention;
  private final VersionKind kind;
  private int puts;

  public AgingDatasets(Path folder) throws IOException {
    this(folder, Retention.DEFAULT);
  }

  public AgingDatasets(Path folder, Retention retention) throws IOException {
    this(folder, retention, VersionKind.UPLOAD);
  }

  /// @param kind how versions are written: by uploads or by appends
  public AgingDatasets(Path folder, Retention retention, VersionKind kind) throws IOException {
    this.store = FolderBlobStore.open(folder);
    this.retention = retention;
    this.kind = kind;
    this.datasets = on(store);
  }

  /// Returns the datasets of another process on the same store.
  public Datasets on(BlobStore view) {
    return new Datasets(
        view,
        DatasetOptions.DEFAULT,
        new StoragePolicy(retention, CompactionPolicy.NEVER, Duration.ZERO),
        clock);
  }

  /// Writes the next version.
  public void put() throws IOException {
    put(datasets);
  }

  /// Writes the next version from another process.
  public VersionSummary put(Datasets writer) throws IOException {
    VersionSummary written = write(writer);
    puts++;
    return written;
  }

  /// Returns the number of versions that were written without an error.
  public int puts() {
    return puts;
  }

  private VersionSummary write(Datasets writer) throws IOException {
    return kind == VersionKind.APPEND
        ? writer
            .append(
                NAME,
                UploadData.Source.of(body(1), BodyFormat.STREAM),
                new WriteCondition.None(),
                UploadOptions.KEEP,
                null)
            .summary()
        : put(writer, NAME, body((int) latest(datasets, NAME) + 1));
  }

  public static long put(Datasets datasets, DatasetName name) throws IOException {
    long version = 1 + latest(datasets, name);
    put(datasets, name, body((int) version));
    return version;
  }

  /// Returns the number of the latest version.
  public int latestVersion() throws IOException {
    return (int) latest(on(store), NAME);
  }

  private static long latest(Datasets datasets, DatasetName name) throws IOException {
    try {
      return datasets.summary(new DatasetReference(name, null)).version();
    } catch (DatasetNotFoundException e) {
      return 0;
    }
  }

  public static VersionSummary put(Datasets datasets, DatasetName name, ByteSource body)
      throws IOException {
    return datasets.put(name, body, BodyFormat.STREAM, new WriteCondition.None()).summary();
  }

  public static ByteSource body(int rows) {
    return ByteSource.of(MemorySegment.ofArray(SampleStreams.stream(rows)));
  }

  public GarbageStatistics collectGarbage() throws IOException {
    return datasets.collectGarbage();
  }

  public List<Long> versions() throws IOException {
    return versions(NAME);
  }

  public List<Long> versions(DatasetName name) throws IOException {
    return DatasetLists.versions(datasets, name, null, 1000).stream()
        .map(VersionSummary::version)
        .toList();
  }

  /// Returns the keys of all blobs except manifests.
  public List<String> blobs() throws IOException {
    return store.list(StoreKeys.DATA, null, 1000);
  }

  public List<String> data() throws IOException {
    return DatasetTestFolder.dataKeys(store);
  }

  /// Checks that a version has its expected rows and that its file can be read.
  public static void assertReadable(Snapshot snapshot) throws IOException {
    VersionSummary summary = snapshot.summary();
    assertThat(snapshot.rows(0, summary.file().batches() - 1)).isEqualTo(summary.version());
    DatasetTestFolder.read(snapshot, snapshot.file());
  }

  /// Checks that a new process sees contiguous versions up to the latest one, each with its
  /// expected rows.
  ///
  /// @return the number of the oldest version
  public long assertConsistent() throws IOException {
    Datasets fresh = on(store);
    List<VersionSummary> versions = DatasetLists.versions(fresh, NAME, null, 1000);
    assertThat(versions).isNotEmpty();
    long latest = versions.getFirst().version();
    for (int i = 0; i < versions.size(); i++) {
      assertThat(versions.get(i).version()).isEqualTo(latest - i);
      try (Snapshot snapshot = fresh.open(new DatasetReference(NAME, latest - i))) {
        assertReadable(snapshot);
      }
    }
    long oldest = latest - versions.size() + 1;
    if (oldest > 1) {
      String removed = NAME.value() + "@" + (oldest - 1);
      assertThatThrownBy(() -> fresh.open(DatasetReference.parse(removed)))
          .isInstanceOf(DatasetGoneException.class)
          .hasMessage(
              "Expected a retained version but found one that was replaced and then deleted at "
                  + removed);
    }
    return oldest;
  }
}
