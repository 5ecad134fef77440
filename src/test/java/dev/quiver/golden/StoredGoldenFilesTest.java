package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.dataset.ByteRange;
import dev.quiver.dataset.DatasetName;
import dev.quiver.dataset.DatasetOptions;
import dev.quiver.dataset.DatasetReference;
import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.Snapshot;
import dev.quiver.dataset.WriteCondition;
import dev.quiver.ipc.BodyFormat;
import dev.quiver.memory.ByteSource;
import dev.quiver.memory.UnsupportedInputException;
import dev.quiver.storage.BlobStore;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
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
  @MethodSource("dev.quiver.golden.GoldenCase#modern")
  void keepsFiles(GoldenCase golden) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment file = golden.file(arena);
      put(file);
      Decoded expected = Decoded.ofFile(file);
      Decoded.ofFile(stored(true)).assertHolds(expected, golden + " as a file");
      Decoded.ofStream(stored(false)).assertHolds(expected, golden + " as a stream");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.quiver.golden.GoldenCase#others")
  void refusesWhatItCannotKeep(GoldenCase golden) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      assertThatThrownBy(() -> put(golden.stream(arena)))
          .isInstanceOf(UnsupportedInputException.class);
      assertThat(store.list("", null, 1)).isEmpty();
      if (golden.toString().equals("0.14.1/generated_primitive_no_batches")) {
        // Without messages only the footer counts, and that was then as it is today.
        put(golden.file(arena));
        return;
      }
      assertThatThrownBy(() -> put(golden.file(arena)))
          .isInstanceOf(UnsupportedInputException.class);
    }
    assertThat(store.list("", null, 1)).isEmpty();
  }

  private void put(MemorySegment body) throws IOException {
    datasets.put(NAME, ByteSource.of(body), BodyFormat.UNKNOWN, new WriteCondition.None());
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
