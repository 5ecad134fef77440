package dev.quiver.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.ipc.BodyFormat;
import dev.quiver.ipc.Bytes;
import dev.quiver.memory.ByteSource;
import dev.quiver.memory.Limits;
import dev.quiver.storage.BlobStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/// Datasets in a folder, and short ways to put and get them. Batches are kept as they came unless
/// something else is said.
final class DatasetTestFolder {

  static final DatasetName NAME = new DatasetName("data");

  private final Path folder;
  final BlobStore store;
  final Datasets datasets;

  DatasetTestFolder(Path folder) throws IOException {
    this(folder, DatasetOptions.DEFAULT);
  }

  DatasetTestFolder(Path folder, Limits limits) throws IOException {
    this(folder, new DatasetOptions(limits, DatasetOptions.DEFAULT.requestBytes()));
  }

  DatasetTestFolder(Path folder, DatasetOptions options) throws IOException {
    this.folder = folder;
    this.store = BlobStore.onFolder(folder);
    this.datasets = new Datasets(store, options);
  }

  VersionSummary put(byte[] body) throws IOException {
    return put(body, BodyFormat.UNKNOWN);
  }

  VersionSummary put(byte[] body, BodyFormat format) throws IOException {
    return put(body, format, UploadOptions.KEEP);
  }

  VersionSummary put(byte[] body, UploadOptions wanted) throws IOException {
    return put(body, BodyFormat.UNKNOWN, wanted);
  }

  VersionSummary put(byte[] body, BodyFormat format, UploadOptions wanted) throws IOException {
    ByteSource source = ByteSource.of(MemorySegment.ofArray(body));
    return datasets.put(NAME, source, format, new WriteCondition.None(), wanted).summary();
  }

  Snapshot open() throws IOException {
    return datasets.open(new DatasetReference(NAME, null));
  }

  /// The IPC file of the newest version.
  byte[] file() throws IOException {
    try (Snapshot snapshot = open()) {
      return read(snapshot, snapshot.file());
    }
  }

  /// The IPC stream of the newest version.
  byte[] stream() throws IOException {
    try (Snapshot snapshot = open()) {
      return read(snapshot, snapshot.stream());
    }
  }

  static byte[] read(Snapshot snapshot, ByteRange range) throws IOException {
    Bytes bytes = new Bytes();
    snapshot.read(range.byteOffset(), range.byteSize(), bytes);
    return bytes.toByteArray();
  }

  /// Checks that neither blobs nor temporary files are left.
  void assertEmpty() throws IOException {
    assertThat(store.list("", null, 10)).isEmpty();
    assertNothingTemporary();
  }

  void assertNothingTemporary() throws IOException {
    try (var files = Files.list(folder.resolve("tmp"))) {
      assertThat(files).isEmpty();
    }
  }
}
