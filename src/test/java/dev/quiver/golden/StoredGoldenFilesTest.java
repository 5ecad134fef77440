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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Golden streams and files are stored as datasets, and hold the same afterwards: streams byte for
/// byte.
class StoredGoldenFilesTest {

  private static final DatasetName NAME = new DatasetName("golden");

  @TempDir private Path folder;
  private BlobStore store;
  private Datasets datasets;

  @BeforeEach
  void open() throws IOException {
    store = BlobStore.onFolder(folder);
    datasets = new Datasets(store, DatasetOptions.DEFAULT);
  }

  @ParameterizedTest
  @MethodSource("dev.quiver.golden.GoldenCase#modern")
  void keepsStreams(GoldenCase golden) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stream = golden.stream(arena);
      put(stream);
      assertThat(stored(false).mismatch(stream)).isEqualTo(-1);
      Decoded.ofFile(stored(true)).assertHolds(Decoded.ofStream(stream), golden.toString());
    }
  }

  @ParameterizedTest
  @MethodSource("dev.quiver.golden.GoldenCase#all")
  void keepsTheValuesOfStreamsAndFiles(GoldenCase golden) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stream = golden.stream(arena);
      MemorySegment file = golden.file(arena);
      // Their schemas are not those of the JSON: metadata in another order, other names in maps.
      assertKept(golden + " as a stream", stream, Decoded.ofStream(stream));
      assertKept(golden + " as a file", file, Decoded.ofFile(file));
    }
  }

  private void assertKept(String what, MemorySegment body, Decoded expected) throws IOException {
    for (StoredCodec codec : StoredCodec.values()) {
      put(body, new UploadOptions(BatchSizes.KEPT, codec));
      Decoded.ofFile(stored(true)).assertHolds(expected, what + ", .arrow, " + codec);
      Decoded.ofStream(stored(false)).assertHolds(expected, what + ", .arrows, " + codec);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.quiver.golden.GoldenCase#all")
  void keepsTheRowsOfStreamsWhoseBatchesAreJoined(GoldenCase golden) throws IOException {
    List<List<List<@Nullable Object>>> batches = Decoded.of(golden.json()).batches();
    try (Arena arena = Arena.ofConfined()) {
      put(golden.stream(arena), UploadOptions.DEFAULT);
      Decoded joined = Decoded.ofStream(stored(false));
      assertThat(joined.batches().size()).isLessThanOrEqualTo(Math.max(1, batches.size()));
      assertThat(FittedDataTest.columns(joined.batches()))
          .isEqualTo(FittedDataTest.columns(batches));
    }
  }

  private void put(MemorySegment body) throws IOException {
    put(body, UploadOptions.KEEP);
  }

  private void put(MemorySegment body, UploadOptions wanted) throws IOException {
    datasets.put(NAME, ByteSource.of(body), BodyFormat.UNKNOWN, new WriteCondition.None(), wanted);
  }

  private MemorySegment stored(boolean asFile) throws IOException {
    Decoded.Sink sink = new Decoded.Sink();
    try (Snapshot snapshot = datasets.open(new DatasetReference(NAME, null))) {
      ByteRange range = asFile ? snapshot.file() : snapshot.stream();
      snapshot.read(range.byteOffset(), range.byteSize(), sink);
      assertThat(snapshot.batches(0, 1000)).hasSize((int) snapshot.summary().batches());
    }
    return sink.written();
  }
}
