package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.dataset.ByteRange;
import dev.quiver.dataset.DatasetName;
import dev.quiver.dataset.DatasetOptions;
import dev.quiver.dataset.DatasetReference;
import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.Snapshot;
import dev.quiver.dataset.StoredCodec;
import dev.quiver.dataset.UploadOptions;
import dev.quiver.dataset.UploadOptions.BatchSizes;
import dev.quiver.dataset.WriteCondition;
import dev.quiver.ipc.BodyFormat;
import dev.quiver.memory.ByteSource;
import dev.quiver.storage.BlobStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// One dataset, to upload to and to get `.arrow` and `.arrows` of.
final class Stored {

  private static final DatasetName NAME = new DatasetName("golden");

  private final Datasets datasets;

  Stored(Path folder) throws IOException {
    datasets = new Datasets(BlobStore.onFolder(folder), DatasetOptions.DEFAULT);
  }

  void put(MemorySegment body, UploadOptions wanted) throws IOException {
    datasets.put(NAME, ByteSource.of(body), BodyFormat.UNKNOWN, new WriteCondition.None(), wanted);
  }

  /// The IPC file.
  MemorySegment file() throws IOException {
    return read(true);
  }

  /// The IPC stream.
  MemorySegment stream() throws IOException {
    return read(false);
  }

  /// Asserts that what is stored of an upload holds this, in whatever codec, as file and as stream.
  void assertKeeps(String what, MemorySegment body, Decoded expected) throws IOException {
    for (StoredCodec codec : StoredCodec.values()) {
      put(body, new UploadOptions(BatchSizes.KEPT, codec));
      Decoded.ofFile(file()).assertHolds(expected, what + ", .arrow, " + codec);
      Decoded.ofStream(stream()).assertHolds(expected, what + ", .arrows, " + codec);
    }
  }

  private MemorySegment read(boolean asFile) throws IOException {
    Decoded.Sink sink = new Decoded.Sink();
    try (Snapshot snapshot = datasets.open(new DatasetReference(NAME, null))) {
      ByteRange range = asFile ? snapshot.file() : snapshot.stream();
      snapshot.read(range.byteOffset(), range.byteSize(), sink);
      assertThat(snapshot.batches(0, 1000)).hasSize((int) snapshot.summary().batches());
    }
    return sink.written();
  }
}
