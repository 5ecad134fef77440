package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.formats.UploadData;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.catalog.Retention;
import dev.quiver.store.catalog.Writer;
import dev.quiver.store.catalog.WriterFullException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.CompactionPolicy;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.Expiry;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Limits of the bytes that the versions of a writer have in a store. Listings tell the sizes.
abstract class StoredBytesContract {

  static final String ALICE = "token:alice";
  private static final String BOB = "token:bob";
  private static final WriteCondition NONE = new WriteCondition.None();

  final TestClock clock = new TestClock();
  BlobStore store;
  private Datasets datasets;

  /// The data of one upload of three rows, with its sidecar.
  private long uploadByteSize;

  abstract BlobStore open(Path folder) throws IOException;

  @BeforeEach
  void openStore(@TempDir Path folder) throws IOException {
    store = open(folder);
    datasets = process();
    put("measured", Writer.SERVICE);
    uploadByteSize = listed("measured");
  }

  @AfterEach
  void closeStore() throws Exception {
    datasets.close();
    if (store instanceof AutoCloseable closeable) {
      closeable.close();
    }
  }

  /// Returns a process that has just started.
  private Datasets process() {
    return new Datasets(
        store,
        DatasetOptions.DEFAULT,
        new StoragePolicy(Retention.DEFAULT, CompactionPolicy.NEVER, Duration.ZERO),
        clock);
  }

  static Writer writer(String id, long byteSize) {
    return new Writer(id, new Limit("stored-bytes", byteSize));
  }

  private static ByteSource body() {
    return AgingDatasets.body(3);
  }

  private static UploadOptions by(Writer writer) {
    return UploadOptions.KEEP.writtenBy(writer);
  }

  void put(String name, Writer writer) throws IOException {
    put(datasets, name, writer);
  }

  private static void put(Datasets process, String name, Writer writer) throws IOException {
    process.put(
        new DatasetName(name),
        UploadData.Source.of(body(), BodyFormat.STREAM),
        NONE,
        by(writer),
        /* key= */ null);
  }

  private void append(String name, Writer writer) throws IOException {
    datasets.append(
        new DatasetName(name),
        UploadData.Source.of(body(), BodyFormat.STREAM),
        NONE,
        by(writer),
        /* key= */ null);
  }

  /// Returns the bytes of the data of one name, by a listing.
  private long listed(String name) throws IOException {
    return store.byteSizes("data/_" + name + "_/", null, 1_000).values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  private void collectGarbage() throws IOException {
    clock.advance(Duration.ofHours(25));
    datasets.collectGarbage();
  }

  private void assertRejected(String name, String id, long byteSize) throws IOException {
    int before = store.list("", null, 1_000).size();
    assertThatThrownBy(() -> put(name, writer(id, byteSize)))
        .isInstanceOf(WriterFullException.class)
        .hasMessageStartingWith(
            "Expected at most %d bytes of one principal in the store (stored-bytes) but found "
                .formatted(byteSize));
    assertThat(store.list("", null, 1_000)).hasSize(before);
  }

  /// Requires that the blobs of a writer have so many bytes, on both sides of the limit.
  private void assertStored(String id, long byteSize) throws IOException {
    assertRejected("probe", id, byteSize + uploadByteSize - 1);
    put("probe", writer(id, byteSize + uploadByteSize));
    // The probe no longer counts from now on.
    datasets.delete(new DatasetName("probe"), NONE);
    collectGarbage();
    assertThat(listed("probe")).isZero();
  }

  @Test
  void aWriterHasNoMoreThanItsLimit() throws IOException {
    put("a", writer(ALICE, 2 * uploadByteSize));
    assertRejected("b", ALICE, 2 * uploadByteSize - 1);
    put("b", writer(ALICE, 2 * uploadByteSize));
    assertRejected("c", ALICE, 2 * uploadByteSize);
    put("c", writer(BOB, uploadByteSize));
    put("d", writer(ALICE, 0));
    assertStored(BOB, uploadByteSize);
    assertStored(ALICE, 3 * uploadByteSize);
  }

  @Test
  void startingProcessCountsStoredBytes() throws IOException {
    put("a", writer(ALICE, 0));
    append("a", writer(BOB, 0));
    datasets.close();
    datasets = process();
    assertStored(ALICE, uploadByteSize);
    assertStored(BOB, listed("a") - uploadByteSize);
  }

  @Test
  void otherProcessesCountAfterAMinute() throws IOException {
    put("a", writer(ALICE, 10 * uploadByteSize));
    try (Datasets other = process()) {
      put(other, "b", writer(ALICE, 10 * uploadByteSize));
      // It takes a scan before a rejection, but not before an upload within the limit.
      put("c", writer(ALICE, 2 * uploadByteSize));
    }
    clock.advance(Duration.ofHours(1));
    assertStored(ALICE, 3 * uploadByteSize);
  }

  @Test
  void replacedVersionsCountUntilTheyAreCollected() throws IOException {
    put("a", writer(ALICE, 0));
    put("a", writer(BOB, 0));
    assertThat(listed("a")).isEqualTo(2 * uploadByteSize);
    assertRejected("probe", ALICE, 2 * uploadByteSize - 1);
    collectGarbage();
    assertStored(ALICE, 0);
    assertStored(BOB, uploadByteSize);
  }

  @Test
  void deletedAndExpiredVersionsCountUntilTheyAreCollected() throws IOException {
    put("a", writer(ALICE, 0));
    datasets.put(
        new DatasetName("b"),
        UploadData.Source.of(body(), BodyFormat.STREAM),
        NONE,
        by(writer(ALICE, 0)).withExpiry(new Expiry.After(Duration.ofHours(1))),
        /* key= */ null);
    datasets.delete(new DatasetName("a"), NONE);
    assertRejected("probe", ALICE, 3 * uploadByteSize - 1);
    put("probe", writer(ALICE, 3 * uploadByteSize));
    collectGarbage();
    // The dataset that has expired is deleted by one collection, and its data by another.
    collectGarbage();
    assertThat(listed("a") + listed("b")).isZero();
    assertStored(ALICE, uploadByteSize);
  }

  @Test
  void anAppendCountsForItsWriter() throws IOException {
    put("a", writer(ALICE, uploadByteSize));
    append("a", writer(BOB, uploadByteSize));
    // The version of the upload goes, its data stays.
    collectGarbage();
    assertThat(datasets.versions(new DatasetName("a"), null, 10, true)).hasSize(1);
    assertStored(ALICE, uploadByteSize);
    assertStored(BOB, listed("a") - uploadByteSize);
    assertThatThrownBy(() -> append("a", writer(BOB, uploadByteSize)))
        .isInstanceOf(WriterFullException.class);
  }

  @Test
  void aCompactionCountsForTheWriterOfMostOfIt() throws IOException {
    put("a", writer(BOB, 0));
    for (int i = 0; i < 3; i++) {
      append("a", writer(ALICE, 0));
    }
    long pieces = listed("a");
    datasets.compact(new DatasetName("a"), new WriteCondition.None());
    long compacted = listed("a") - pieces;
    assertThat(compacted).isPositive();
    assertRejected("probe", ALICE, pieces - uploadByteSize + compacted + uploadByteSize - 1);
    collectGarbage();
    // The dictionaries stay in the blob of the upload.
    assertThat(listed("a")).isEqualTo(uploadByteSize + compacted);
    assertStored(ALICE, compacted);
    assertStored(BOB, uploadByteSize);
  }

  @Test
  void dataWithoutAWriterDoesNotCount() throws IOException {
    put("a", Writer.SERVICE);
    append("a", writer(ALICE, 0));
    assertStored(ALICE, listed("a") - uploadByteSize);
  }

  @Test
  void aFailedUploadCountsNoMore() throws IOException {
    byte[] stream = SampleStreams.stream(3, 3, 3);
    ByteSource truncated =
        ByteSource.of(MemorySegment.ofArray(stream).asSlice(0, stream.length - 100));
    assertThatThrownBy(() ->
            datasets.put(
                new DatasetName("a"),
                UploadData.Source.of(truncated, BodyFormat.STREAM),
                NONE,
                by(writer(ALICE, 3 * uploadByteSize)),
                /* key= */ null))
        .isInstanceOf(InputException.class);
    assertThat(listed("a")).isZero();
    assertStored(ALICE, 0);
  }

  @Test
  void uploadsInProgressCount() throws IOException {
    long limit = uploadByteSize + 1;
    ByteSource whole = body();
    ByteSource last =
        destination -> {
          long count = whole.read(destination);
          if (count < 0) {
            assertRejected("b", ALICE, limit);
          }
          return count;
        };
    datasets.put(
        new DatasetName("a"),
        UploadData.Source.of(last, BodyFormat.STREAM),
        NONE,
        by(writer(ALICE, limit)),
        /* key= */ null);
    assertThat(listed("b")).isZero();
    assertStored(ALICE, uploadByteSize);
  }

  /// A crashed write leaves such a blob.
  @Test
  void dataWithoutAVersionDoesNotCount() throws IOException {
    put("a", writer(ALICE, 0));
    store.putIfAbsent(
        StoreKeys.newData(new DatasetName("a"), clock.instant()),
        MemorySegment.ofArray(new byte[100_000]));
    store.putIfAbsent(
        StoreKeys.newData(new DatasetName("unknown"), clock.instant()),
        MemorySegment.ofArray(new byte[100_000]));
    assertRejected("probe", ALICE, 2 * uploadByteSize - 1);
    clock.advance(Duration.ofHours(1));
    put("a", writer(BOB, 0));
    clock.advance(Duration.ofHours(1));
    assertRejected("probe", ALICE, 2 * uploadByteSize - 1);
    put("probe", writer(ALICE, 2 * uploadByteSize));
  }
}
