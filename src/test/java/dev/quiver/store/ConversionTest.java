package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.TruncatedInputException;
import dev.quiver.formats.ColumnRenames;
import dev.quiver.formats.UploadData;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Bodies that are converted without being stored. `IngestTest` covers the canonical form.
class ConversionTest {

  @TempDir private Path folder;
  private BlobStore store;
  private Datasets datasets;

  @BeforeEach
  void open() throws IOException {
    store = FolderBlobStore.open(folder);
    datasets = new Datasets(store, DatasetOptions.DEFAULT);
  }

  private Snapshot convert(byte[] body) throws IOException {
    return datasets.convert(
        UploadData.Source.of(ByteSource.of(MemorySegment.ofArray(body)), BodyFormat.UNKNOWN));
  }

  private static byte[] file(Snapshot snapshot) throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    snapshot.read(
        snapshot.file(), segment -> content.writeBytes(segment.toArray(ValueLayout.JAVA_BYTE)));
    return content.toByteArray();
  }

  private long fileCount() {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void convertedBodyEqualsTheStoredOne() throws IOException {
    byte[] body = SampleStreams.stream(5);
    DatasetName name = new DatasetName("stored");
    datasets.put(
        name,
        ByteSource.of(MemorySegment.ofArray(body)),
        BodyFormat.UNKNOWN,
        new WriteCondition.None());
    try (Snapshot stored = datasets.open(new DatasetReference(name, null));
        Snapshot converted = convert(body)) {
      assertThat(file(converted)).isEqualTo(file(stored));
      assertThat(converted.summary().file().rows()).isEqualTo(stored.summary().file().rows());
    }
  }

  @Test
  void conversionCreatesNoDatasetAndLeavesNoFile() throws IOException {
    long before = fileCount();
    try (Snapshot converted = convert(SampleStreams.stream(5))) {
      assertThat(store.list("", null, 10)).isEmpty();
      assertThat(DatasetLists.list(datasets, null, 10)).isEmpty();
      assertThat(datasets.isEmpty()).isTrue();
      assertThat(converted.rows(0, 0)).isEqualTo(5);
    }
    assertThat(fileCount()).isEqualTo(before);
  }

  /// Rows are complete with the record batch of the last one. What follows may be anything.
  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "5, 1", "6, 2", "12, 2", "13, 3", "20, 3"})
  void readsAStreamAsFarAsItsFirstRowsNeed(long rows, int batchCount) throws IOException {
    int[] batches = {5, 7, 8};
    int endOfStream = 8;
    int end =
        SampleStreams.stream(Arrays.copyOf(batches, Math.max(batchCount, 1))).length - endOfStream;
    ByteSource arrived =
        ByteSource.of(MemorySegment.ofArray(Arrays.copyOf(SampleStreams.stream(batches), end)));
    ByteSource body =
        destination -> {
          long count = arrived.read(destination);
          assertThat(count).as("a read beyond byte " + end).isNotNegative();
          return count;
        };
    long before = fileCount();
    try (Snapshot converted =
        datasets.convert(
            () -> new UploadData.Arrow(body, BodyFormat.STREAM, rows, ColumnRenames.NONE))) {
      assertThat(converted.summary().file().batches()).isEqualTo(batchCount);
      assertThat(converted.summary().file().rows())
          .isEqualTo(Arrays.stream(batches).limit(batchCount).sum());
    }
    assertThat(fileCount()).isEqualTo(before);
  }

  @Test
  void rejectedConversionLeavesNoFile() throws IOException {
    byte[] body = SampleStreams.stream(5);
    long before = fileCount();
    assertThatThrownBy(() -> convert(Arrays.copyOf(body, body.length / 2)))
        .isInstanceOf(TruncatedInputException.class);
    assertThat(store.list("", null, 10)).isEmpty();
    assertThat(fileCount()).isEqualTo(before);
  }

  /// Without a blob or a manifest, a remote store gets no request and a crash leaves nothing
  /// behind.
  @Test
  void conversionPutsNothingIntoTheStore() throws IOException {
    datasets = new Datasets(new ReadOnlyStore(store), DatasetOptions.DEFAULT);
    try (Snapshot converted = convert(SampleStreams.stream(5))) {
      assertThat(converted.rows(0, 0)).isEqualTo(5);
    }
  }

  private static final class ReadOnlyStore extends UnreliableStore {

    ReadOnlyStore(BlobStore store) {
      super(store);
    }

    @Override
    public BlobUpload begin(String key) throws IOException {
      throw new IOException("No upload is expected");
    }

    @Override
    public boolean putIfAbsent(String key, MemorySegment content) throws IOException {
      throw new IOException("No put is expected");
    }
  }
}
