package dev.quiver.store.read;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.StreamReader;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.SampleStreams;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.catalog.Catalog;
import dev.quiver.store.catalog.Retention;
import dev.quiver.store.file.BatchEntry;
import dev.quiver.store.file.SnapshotBytes;
import dev.quiver.store.file.StoredVersion;
import dev.quiver.store.file.VersionCaches;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.ByteRange;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.Manifests;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.StoredFile;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Reads of a version: byte ranges, the index of its batches, and files spread over several blobs.
class SnapshotTest {

  @TempDir private Path folder;
  private DatasetTestFolder data;

  @BeforeEach
  void open() throws IOException {
    data = new DatasetTestFolder(folder);
  }

  @Test
  void readsTheFooterOfAVersionOnce() throws IOException {
    data.put(SampleStreams.stream(3, 4));
    try (Snapshot one = data.open();
        Snapshot other = data.open()) {
      assertThat(other.footer()).isSameAs(one.footer());
      data.put(SampleStreams.stream(5));
      try (Snapshot next = data.open()) {
        assertThat(next.footer().recordBatches()).hasSize(1);
        assertThat(one.footer().recordBatches()).hasSize(2);
      }
    }
  }

  @Test
  void evictsFootersOverTheLimitExceptTheLast() throws IOException {
    VersionCaches caches = new VersionCaches(0);
    VersionSummary first = data.put(SampleStreams.stream(3));
    VersionSummary second = data.put(SampleStreams.stream(4));
    try (SnapshotBytes firstBytes = bytes(1);
        SnapshotBytes secondBytes = bytes(2)) {
      StoredVersion.Contents contents = StoredVersion.of(first, firstBytes, caches).contents();
      assertThat(StoredVersion.of(first, firstBytes, caches).contents()).isSameAs(contents);
      StoredVersion.of(second, secondBytes, caches);
      assertThat(StoredVersion.of(first, firstBytes, caches).contents()).isNotSameAs(contents);
    }
  }

  private SnapshotBytes bytes(long version) throws IOException {
    return SnapshotBytes.open(
        data.store,
        catalog(data.store).open(new DatasetReference(DatasetTestFolder.NAME, version)),
        new VersionCaches(0),
        new InFlightBytes(0));
  }

  @Test
  void indexesTheBatchesOfAVersion() throws IOException {
    data.put(SampleStreams.stream(3, 0, 20));
    try (Snapshot snapshot = data.open()) {
      List<BatchEntry> all = snapshot.batches(0, 10);
      assertThat(all).extracting(BatchEntry::index).containsExactly(0L, 1L, 2L);
      assertThat(all).extracting(BatchEntry::rows).containsExactly(3L, 0L, 20L);
      assertThat(all).extracting(BatchEntry::rowOffset).containsExactly(0L, 3L, 3L);
      assertThat(all).extracting(BatchEntry::codec).containsOnly(Codec.NONE);
      // Numbers of 4 bytes with a bitmap from 5 on, and indices of one byte.
      assertThat(all)
          .extracting(BatchEntry::uncompressedByteSize)
          .containsExactly(12L + 3, 0L, 3L + 80 + 20);
      assertThat(snapshot.batches(1, 1)).containsExactly(all.get(1));
      assertThat(snapshot.batches(2, 9)).containsExactly(all.get(2));
      assertThat(snapshot.batches(3, 9)).isEmpty();
      assertThat(snapshot.rows(0, 2)).isEqualTo(23);
      assertThat(snapshot.rows(1, 1)).isZero();
      assertThat(snapshot.batchRange(1, 2))
          .isEqualTo(
              new ByteRange(
                  all.get(1).block().offset(),
                  all.get(1).block().byteSize() + all.get(2).block().byteSize()));
      assertThatThrownBy(() -> snapshot.batchRange(1, 3))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> snapshot.rows(2, 1)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> snapshot.rows(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> snapshot.rows(1L << 32, 1L << 32))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void limitsABatchListingByItsBuffers() throws IOException {
    int columns = 1000;
    List<Field> fields =
        IntStream.range(0, columns)
            .mapToObj(i -> Field.of("n" + i, true, SampleStreams.INT32))
            .toList();
    Schema schema = Schema.of(fields.toArray(Field[]::new));
    Bytes stream = new Bytes();
    StreamWriter writer = new StreamWriter(stream, schema, Codec.NONE);
    for (int i = 0; i < 51; i++) {
      writer.write(
          SampleStreams.builder().recordBatch(schema, 0, Collections.nCopies(columns, List.of())));
    }
    writer.close();
    data.put(stream.toByteArray());
    try (Snapshot snapshot = data.open()) {
      // Two buffers for each column.
      assertThat(snapshot.batches(0, 51)).hasSize(50);
      assertThat(snapshot.batches(50, 51)).extracting(BatchEntry::index).containsExactly(50L);
    }
  }

  @Test
  void reportsTheUncompressedSizeOfBatches() throws IOException {
    data.put(SampleStreams.stream(Codec.NONE, 100));
    long uncompressed;
    try (Snapshot snapshot = data.open()) {
      uncompressed = snapshot.batches(0, 1).getFirst().uncompressedByteSize();
    }
    for (Codec codec : Codec.values()) {
      data.put(SampleStreams.stream(codec, 100));
      try (Snapshot snapshot = data.open()) {
        BatchEntry batch = snapshot.batches(0, 1).getFirst();
        assertThat(batch.codec()).isEqualTo(codec);
        assertThat(batch.uncompressedByteSize()).isEqualTo(uncompressed);
      }
    }
  }

  @Test
  void indexOfAnEmptyVersionHasNoBatches() throws IOException {
    data.put(SampleStreams.stream());
    try (Snapshot snapshot = data.open()) {
      assertThat(snapshot.batches(0, 10)).isEmpty();
      assertThat(snapshot.dictionaries()).isEmpty();
      assertThatThrownBy(() -> snapshot.batchRange(0, 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  /// Clients rely on the batch index for this.
  @Test
  void indexedPartsConcatenateToAStream() throws IOException {
    data.put(SampleStreams.stream(3, 5, 20));
    try (Snapshot snapshot = data.open()) {
      Bytes stream = new Bytes().bytes(DatasetTestFolder.read(snapshot, snapshot.schemaMessage()));
      Block dictionary = snapshot.dictionaries().values().iterator().next();
      snapshot.read(new ByteRange(dictionary.offset(), dictionary.byteSize()), stream);
      snapshot.read(snapshot.batchRange(1, 1), stream);
      try (StreamReader reader = new StreamReader(stream.source(), Limits.DEFAULT)) {
        assertThat(requireNonNull(reader.next()).length()).isEqualTo(5);
        assertThat(reader.next()).isNull();
      }
    }
  }

  @Test
  void readsAnyByteRange() throws IOException {
    data.put(SampleStreams.stream(3, 5));
    byte[] file = data.file();
    try (Snapshot snapshot = data.open()) {
      for (int start = 0; start <= file.length; start += 7) {
        for (int end = start; end <= file.length; end += 13) {
          assertThat(DatasetTestFolder.read(snapshot, new ByteRange(start, end - start)))
              .isEqualTo(Arrays.copyOfRange(file, start, end));
        }
      }
      assertThatThrownBy(() -> snapshot.read(new ByteRange(1, file.length), new Bytes()))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> snapshot.read(new ByteRange(-1, 1), new Bytes()))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void openSnapshotSurvivesWritesAndDeletion() throws IOException {
    byte[] stream = SampleStreams.stream(3);
    data.put(stream);
    try (Snapshot snapshot = data.open()) {
      data.put(SampleStreams.stream(4));
      data.datasets.delete(DatasetTestFolder.NAME, new WriteCondition.None());
      for (String key : data.store.list("", null, 99)) {
        data.store.delete(key);
      }
      assertThat(DatasetTestFolder.read(snapshot, snapshot.stream())).isEqualTo(stream);
      assertThat(snapshot.batches(0, 9)).hasSize(1);
    }
  }

  /// Appends leave such versions: parts of several blobs, and a tail in the manifest.
  @Test
  void readsAFileSpreadOverSeveralBlobs() throws IOException {
    data.put(SampleStreams.stream(3, 5, 20));
    byte[] file = data.file();
    VersionSummary whole =
        data.datasets.summary(new DatasetReference(DatasetTestFolder.NAME, null));
    List<BatchEntry> batches;
    try (Snapshot snapshot = data.open()) {
      batches = snapshot.batches(0, 9);
    }
    int headEnd = 100;
    int middle = (int) batches.get(1).block().offset() + 20;
    int tailStart = (int) whole.file().footerOffset() - 8;
    put(
        data.store,
        "data/x/second",
        new byte[5],
        Arrays.copyOfRange(file, middle, tailStart),
        new byte[9]);
    put(
        data.store,
        "data/x/first",
        new byte[3],
        Arrays.copyOfRange(file, headEnd, middle),
        new byte[0]);
    put(data.store, "data/x/head", Arrays.copyOf(file, headEnd));
    List<BlobExtent> extents =
        List.of(
            new BlobExtent("data/x/head", 0, headEnd),
            new BlobExtent("data/x/first", 3, 50),
            new BlobExtent("data/x/first", 53, middle - headEnd - 50),
            new BlobExtent("data/x/second", 5, tailStart - middle));
    MemorySegment tail = MemorySegment.ofArray(Arrays.copyOfRange(file, tailStart, file.length));
    VersionSummary pieces = asVersion(whole, 2);
    data.store.putIfAbsent(
        StoreKeys.manifest(DatasetTestFolder.NAME, 2), Manifests.write(pieces, extents, tail));
    try (Snapshot snapshot = data.open()) {
      assertThat(snapshot.summary()).isEqualTo(pieces);
      assertThat(snapshot.extents()).hasSize(5);
      assertThat(snapshot.extents().subList(0, 4)).isEqualTo(extents);
      assertThat(snapshot.batches(0, 9)).isEqualTo(batches);
      for (int start = 0; start <= file.length; start += 11) {
        for (int end = start; end <= file.length; end += 17) {
          assertThat(DatasetTestFolder.read(snapshot, new ByteRange(start, end - start)))
              .isEqualTo(Arrays.copyOfRange(file, start, end));
        }
      }
    }
  }

  @Test
  void rejectsExtentsThatDoNotCoverTheFile() throws IOException {
    VersionSummary whole = data.put(SampleStreams.stream(3));
    String key = data.store.list("data/", null, 1).getFirst();
    List<BlobExtent> beyond = List.of(new BlobExtent(key, 1, whole.file().byteSize()));
    List<BlobExtent> tooShort = List.of(new BlobExtent(key, 0, whole.file().byteSize() - 1));
    List<BlobExtent> missing = List.of(new BlobExtent("data/none", 0, whole.file().byteSize()));
    long version = 2;
    for (List<BlobExtent> extents : List.of(beyond, tooShort, missing)) {
      data.store.putIfAbsent(
          StoreKeys.manifest(DatasetTestFolder.NAME, version),
          Manifests.write(asVersion(whole, version), extents, MemorySegment.NULL));
      assertThatThrownBy(() -> data.open()).isInstanceOf(IOException.class);
      version++;
    }
  }

  private static Catalog catalog(BlobStore store) {
    return new Catalog(store, InstantSource.system(), Duration.ZERO, Retention.DEFAULT);
  }

  private static VersionSummary asVersion(VersionSummary summary, long version) {
    return new VersionSummary(
        summary.name(),
        version,
        summary.commitId(),
        summary.kind(),
        summary.firstVersion(),
        summary.committedAt(),
        new StoredFile(
            summary.file().rows(),
            summary.file().batches(),
            summary.file().byteSize(),
            summary.file().codec(),
            summary.file().mixedCodecs(),
            summary.file().level(),
            summary.file().schemaMetaDataLength(),
            summary.file().footerOffset(),
            summary.file().footerLength()),
        null);
  }

  private static void put(BlobStore store, String key, byte[]... parts) throws IOException {
    Bytes bytes = new Bytes();
    for (byte[] part : parts) {
      bytes.bytes(part);
    }
    assertThat(store.putIfAbsent(key, bytes.segment())).isTrue();
  }
}
