package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.TruncatedInputException;
import dev.quiver.formats.UploadData;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DamagedBlobException;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetNotFoundException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.IdempotencyKey;
import dev.quiver.store.version.PreconditionFailedException;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.version.WriteResult;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Datasets and their versions: listings, conditions, deletes, races and crashes. `IngestTest`
/// covers the stored form of uploads, `SnapshotTest` reads.
class DatasetsTest {

  private static final DatasetName FLIGHTS = new DatasetName("flights");
  private static final WriteCondition NONE = new WriteCondition.None();

  @TempDir private Path folder;
  private BlobStore store;
  private Datasets datasets;

  @BeforeEach
  void open() throws IOException {
    store = FolderBlobStore.open(folder);
    datasets = new Datasets(store, DatasetOptions.DEFAULT);
  }

  /// A network file system may repeat a link that already took effect.
  @Test
  void recognizesItsOwnManifestIfThePutReportsThatItExists() throws IOException {
    BlobStore repeating =
        new UnreliableStore(store) {
          @Override
          public boolean putIfAbsent(String key, MemorySegment content) throws IOException {
            return super.putIfAbsent(key, content) && !key.startsWith("manifests/");
          }
        };
    datasets = new Datasets(repeating, DatasetOptions.DEFAULT);
    for (int version = 1; version <= 2; version++) {
      put(FLIGHTS, version);
      assertThat(datasets.summary(reference("flights")).version()).isEqualTo(version);
      try (Snapshot snapshot = datasets.open(reference("flights"))) {
        assertThat(snapshot.footer().recordBatches()).hasSize(1);
      }
    }
  }

  @Test
  void seesVersionsWrittenByAnotherProcess() throws IOException {
    Datasets other = new Datasets(FolderBlobStore.open(folder), DatasetOptions.DEFAULT);
    put(FLIGHTS, 1);
    assertThat(other.summary(reference("flights")).version()).isEqualTo(1);
    for (int version = 2; version <= 4; version++) {
      put(FLIGHTS, version);
    }
    assertThat(other.summary(reference("flights")).version()).isEqualTo(4);
    for (int version = 5; version <= 130; version++) {
      put(FLIGHTS, version);
    }
    assertThat(other.summary(reference("flights")).version()).isEqualTo(130);
    datasets.delete(FLIGHTS, NONE);
    assertThatThrownBy(() -> other.summary(reference("flights")))
        .isInstanceOf(DatasetGoneException.class);
  }

  /// Listing a folder of many versions is slow, so later reads continue from the version seen last.
  @Test
  void listsTheVersionsOfADatasetOnlyOnce() throws IOException {
    put(FLIGHTS, 1);
    put(FLIGHTS, 2);
    AtomicInteger listings = new AtomicInteger();
    Datasets counting =
        new Datasets(
            new UnreliableStore(store) {
              @Override
              public List<String> list(String prefix, @Nullable String after, int limit)
                  throws IOException {
                listings.incrementAndGet();
                return super.list(prefix, after, limit);
              }
            },
            DatasetOptions.DEFAULT);
    for (int i = 0; i < 5; i++) {
      counting.open(reference("flights")).close();
      put(FLIGHTS, 3 + i);
    }
    assertThat(counting.summary(reference("flights")).version()).isEqualTo(7);
    assertThat(listings).hasValue(1);
  }

  /// Each listed key opens a folder, so a page lists one key of each of its datasets, however many
  /// versions they have.
  @Test
  void listsFewKeysForAShortPage() throws IOException {
    for (String name : List.of("a", "b", "c", "d", "e", "f")) {
      put(new DatasetName(name), 1);
    }
    List<Integer> limits = new ArrayList<>();
    Datasets counting =
        new Datasets(
            new UnreliableStore(store) {
              @Override
              public List<String> list(String prefix, @Nullable String after, int limit)
                  throws IOException {
                limits.add(limit);
                return super.list(prefix, after, limit);
              }
            },
            DatasetOptions.DEFAULT);
    assertThat(DatasetLists.list(counting, null, 2)).hasSize(2);
    assertThat(limits).containsExactly(1, 1);
    for (int version = 2; version <= 6; version++) {
      put(new DatasetName("a"), version);
    }
    limits.clear();
    assertThat(DatasetLists.list(counting, null, 2)).hasSize(2);
    assertThat(limits).containsExactly(1, 1);
  }

  @Test
  void listsOtherDatasetsDespiteABrokenManifest() throws IOException {
    for (String name : List.of("a", "b", "c")) {
      put(new DatasetName(name), 1);
    }
    Path manifest =
        Path.of(String.valueOf(store.localPath(store.list("manifests/_b_/", null, 1).getFirst())));
    Files.write(manifest, new byte[] {'{', '"'});
    assertThat(DatasetLists.list(datasets, null, 10))
        .extracting(summary -> summary.name().value())
        .containsExactly("a", "b", "c");
    assertThat(DatasetLists.list(datasets, null, 10))
        .extracting(VersionSummary::kind)
        .containsExactly(VersionKind.UPLOAD, VersionKind.DAMAGED, VersionKind.UPLOAD);
    assertThatThrownBy(() -> new Datasets(store, DatasetOptions.DEFAULT).open(reference("b")))
        .isInstanceOf(DamagedBlobException.class)
        .hasMessageStartingWith(
            "Expected the bytes of b@1 as they were stored but found damaged ones at byte offset 0 of blob manifests/_b_/");
  }

  @Test
  void firstPutCreatesADatasetAndTheNextReplacesIt() throws IOException {
    WriteResult first = put(FLIGHTS, 3, 4);
    assertThat(first.created()).isTrue();
    assertThat(first.summary().version()).isEqualTo(1);
    assertThat(first.summary().kind()).isEqualTo(VersionKind.UPLOAD);
    assertThat(first.summary().file().rows()).isEqualTo(7);
    assertThat(first.summary().file().batches()).isEqualTo(2);
    WriteResult second = put(FLIGHTS, 5);
    assertThat(second.created()).isFalse();
    assertThat(second.summary().version()).isEqualTo(2);
    assertThat(second.summary().file().rows()).isEqualTo(5);
    assertThat(second.summary().commitId()).isNotEqualTo(first.summary().commitId());
    assertThat(datasets.summary(reference("flights"))).isEqualTo(second.summary());
    assertThat(datasets.summary(reference("flights@2"))).isEqualTo(second.summary());
    assertThat(datasets.summary(reference("flights@1"))).isEqualTo(first.summary());
  }

  @Test
  void findsItsDatasetsWhenOpenedAgain() throws IOException {
    WriteResult first = put(FLIGHTS, 3);
    open();
    assertThat(datasets.summary(reference("flights"))).isEqualTo(first.summary());
  }

  @Test
  void createsDatasetsUnderUniqueNames() throws IOException {
    WriteResult one =
        datasets.create(
            DatasetName.generated(),
            UploadData.Source.of(body(1), BodyFormat.STREAM),
            UploadOptions.DEFAULT,
            null);
    WriteResult other =
        datasets.create(
            DatasetName.generated(),
            UploadData.Source.of(body(1), BodyFormat.STREAM),
            UploadOptions.DEFAULT,
            null);
    assertThat(one.created()).isTrue();
    assertThat(one.summary().name().value()).matches("ds-[0-9a-z]{26}");
    assertThat(other.summary().name()).isNotEqualTo(one.summary().name());
  }

  @Test
  void reportsMissingDatasetsAndVersions() throws IOException {
    assertThatThrownBy(() -> datasets.open(reference("flights")))
        .isInstanceOf(DatasetNotFoundException.class)
        .hasMessage("Expected a dataset but found none at flights");
    put(FLIGHTS, 1);
    for (String missing : List.of("flights@2", "flights@999999999999999999", "flight")) {
      assertThatThrownBy(() -> datasets.open(reference(missing)))
          .isInstanceOf(DatasetNotFoundException.class)
          .hasMessage("Expected a dataset but found none at " + missing);
    }
  }

  @Test
  void everyVersionIsGoneAfterADelete() throws IOException {
    put(FLIGHTS, 1);
    put(FLIGHTS, 2);
    datasets.delete(FLIGHTS, NONE);
    for (String gone : List.of("flights", "flights@1", "flights@2", "flights@3")) {
      assertThatThrownBy(() -> datasets.open(reference(gone)))
          .isInstanceOf(DatasetGoneException.class)
          .hasMessage("Expected a dataset but found a deleted one at " + gone);
    }
    assertThatThrownBy(() -> DatasetLists.versions(datasets, FLIGHTS, null, 9))
        .isInstanceOf(DatasetGoneException.class);
    assertThatThrownBy(() -> datasets.delete(FLIGHTS, NONE))
        .isInstanceOf(DatasetGoneException.class);
    assertThat(DatasetLists.list(datasets, null, 9)).isEmpty();
    assertThat(datasets.isEmpty()).isFalse();
  }

  @Test
  void neverReusesAVersionNumber() throws IOException {
    put(FLIGHTS, 1);
    datasets.delete(FLIGHTS, NONE);
    WriteResult again = put(FLIGHTS, 2);
    assertThat(again.created()).isTrue();
    assertThat(again.summary().version()).isEqualTo(3);
    assertThat(datasets.summary(reference("flights@3")).file().rows()).isEqualTo(2);
    assertThatThrownBy(() -> datasets.open(reference("flights@1")))
        .isInstanceOf(DatasetGoneException.class);
    assertThat(versions(DatasetLists.versions(datasets, FLIGHTS, null, 9))).containsExactly(3L);
  }

  @Test
  void rejectsTheDeletionOfAMissingDataset() {
    assertThatThrownBy(() -> datasets.delete(FLIGHTS, NONE))
        .isInstanceOf(DatasetNotFoundException.class);
  }

  @Test
  void listsTheLatestVersionFirst() throws IOException {
    for (int i = 1; i <= 5; i++) {
      put(FLIGHTS, i);
    }
    assertThat(versions(DatasetLists.versions(datasets, FLIGHTS, null, 9)))
        .containsExactly(5L, 4L, 3L, 2L, 1L);
    assertThat(versions(DatasetLists.versions(datasets, FLIGHTS, null, 2))).containsExactly(5L, 4L);
    assertThat(versions(DatasetLists.versions(datasets, FLIGHTS, 4L, 2))).containsExactly(3L, 2L);
    assertThat(DatasetLists.versions(datasets, FLIGHTS, 1L, 2)).isEmpty();
  }

  @Test
  void listsEachDatasetOnce() throws IOException {
    assertThat(datasets.isEmpty()).isTrue();
    List<String> names = List.of("Air", "a", "a-b", "a.b", "a0", "a_b", "air", "b", "gone");
    for (String name : names) {
      put(new DatasetName(name), 1);
      put(new DatasetName(name), 2);
    }
    datasets.delete(new DatasetName("gone"), NONE);
    List<String> present = names.subList(0, names.size() - 1);
    List<VersionSummary> all = DatasetLists.list(datasets, null, 100);
    assertThat(all)
        .extracting(summary -> summary.name().value())
        .containsExactlyInAnyOrderElementsOf(present);
    assertThat(all).extracting(VersionSummary::version).containsOnly(2L);
    for (int limit = 1; limit <= 3; limit++) {
      List<VersionSummary> paged = new ArrayList<>();
      List<VersionSummary> page = DatasetLists.list(datasets, null, limit);
      while (!page.isEmpty()) {
        paged.addAll(page);
        page = DatasetLists.list(datasets, page.getLast().name(), limit);
      }
      assertThat(paged).isEqualTo(all);
    }
  }

  @Test
  void distinguishesNamesByCase() throws IOException {
    put(new DatasetName("Flights"), 1);
    put(FLIGHTS, 2);
    assertThat(datasets.summary(reference("Flights")).file().rows()).isEqualTo(1);
    assertThat(datasets.summary(reference("flights")).file().rows()).isEqualTo(2);
  }

  @Test
  void writesOnlyIfTheConditionHolds() throws IOException {
    WriteCondition ifAbsent = new WriteCondition.IfAbsent();
    WriteCondition ifExists = new WriteCondition.IfExists();
    WriteCondition ifCommitX = new WriteCondition.IfCommit(Set.of("x"));
    assertRejected(ifExists, "Expected a dataset but found none at flights");
    assertRejected(ifCommitX, "Expected one of the commits x but found none at flights");
    VersionSummary first = datasets.put(FLIGHTS, body(1), BodyFormat.STREAM, ifAbsent).summary();
    String found = "commit " + first.commitId() + " in version 1";
    assertRejected(ifAbsent, "Expected no dataset but found " + found + " at flights");
    assertRejected(ifCommitX, "Expected one of the commits x but found " + found + " at flights");
    WriteCondition ifFirst = new WriteCondition.IfCommit(Set.of("x", first.commitId()));
    datasets.put(FLIGHTS, body(1), BodyFormat.STREAM, ifFirst);
    assertThatThrownBy(() -> datasets.delete(FLIGHTS, ifFirst))
        .isInstanceOf(PreconditionFailedException.class);
    datasets.put(FLIGHTS, body(1), BodyFormat.STREAM, ifExists);
    datasets.delete(FLIGHTS, ifExists);
    assertRejected(ifExists, "Expected a dataset but found none at flights");
    datasets.put(FLIGHTS, body(1), BodyFormat.STREAM, ifAbsent);
  }

  @Test
  void doesNotReadTheBodyIfTheConditionFails() {
    ByteSource body =
        destination -> {
          throw new AssertionError("The body was read");
        };
    assertThatThrownBy(
            () -> datasets.put(FLIGHTS, body, BodyFormat.STREAM, new WriteCondition.IfExists()))
        .isInstanceOf(PreconditionFailedException.class);
  }

  /// A process finds the latest version of a dataset that it has not seen yet by listing the
  /// manifests.
  @Test
  void listsTheManifestsOnceBeforeTheBody() throws IOException {
    put(FLIGHTS, 1);
    AtomicInteger listings = new AtomicInteger();
    BlobStore counted =
        new UnreliableStore(store) {
          @Override
          public List<String> list(String prefix, @Nullable String after, int limit)
              throws IOException {
            listings.incrementAndGet();
            return super.list(prefix, after, limit);
          }

          @Override
          public boolean isRemote() {
            return true;
          }
        };
    ByteSource body = body(2);
    AtomicInteger before = new AtomicInteger();
    ByteSource observed =
        destination -> {
          before.compareAndSet(0, listings.get());
          return body.read(destination);
        };
    WriteCondition ifLatest =
        new WriteCondition.ByLatest(latest ->
            new WriteCondition.IfCommit(Set.of(Objects.requireNonNull(latest).commitId())));
    try (Datasets other = new Datasets(counted, DatasetOptions.DEFAULT)) {
      IdempotencyKey key = new IdempotencyKey("k");
      other.append(
          FLIGHTS,
          UploadData.Source.of(observed, BodyFormat.STREAM),
          ifLatest,
          UploadOptions.KEEP,
          key);
    }
    assertThat(before).hasValue(1);
  }

  @Test
  void checksTheConditionAgainAfterTheBody() throws IOException {
    VersionSummary first = put(FLIGHTS, 1).summary();
    ByteSource body = body(2);
    AtomicInteger reads = new AtomicInteger();
    ByteSource slow =
        destination -> {
          if (reads.getAndIncrement() == 0) {
            put(FLIGHTS, 3);
          }
          return body.read(destination);
        };
    WriteCondition ifFirst = new WriteCondition.IfCommit(Set.of(first.commitId()));
    assertThatThrownBy(() -> datasets.put(FLIGHTS, slow, BodyFormat.STREAM, ifFirst))
        .isInstanceOf(PreconditionFailedException.class);
    assertThat(datasets.summary(reference("flights")).file().rows()).isEqualTo(3);
    assertThat(DatasetTestFolder.dataKeys(store)).hasSize(2);
    assertNoTemporaryFiles();
  }

  @Test
  void keepsEveryConcurrentWrite() throws Exception {
    int threads = 8;
    int writes = 10;
    List<Callable<List<Long>>> writers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      writers.add(() -> {
        List<Long> written = new ArrayList<>();
        for (int j = 0; j < writes; j++) {
          written.add(put(FLIGHTS, 1).summary().version());
        }
        return written;
      });
    }
    List<Long> all = new ArrayList<>();
    try (var executor = Executors.newFixedThreadPool(threads)) {
      for (Future<List<Long>> result : executor.invokeAll(writers)) {
        assertThat(result.get()).isSorted();
        all.addAll(result.get());
      }
    }
    List<Long> expected = LongStream.rangeClosed(1, threads * writes).boxed().toList();
    assertThat(all).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(versions(DatasetLists.versions(datasets, FLIGHTS, null, 1000)))
        .isEqualTo(expected.reversed());
  }

  @Test
  void onlyOneOfManyWritersReplacesAVersion() throws Exception {
    VersionSummary first = put(FLIGHTS, 1).summary();
    WriteCondition ifFirst = new WriteCondition.IfCommit(Set.of(first.commitId()));
    List<Callable<WriteResult>> writers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      writers.add(() -> datasets.put(FLIGHTS, body(2), BodyFormat.STREAM, ifFirst));
    }
    int won = 0;
    try (var executor = Executors.newFixedThreadPool(8)) {
      for (Future<WriteResult> result : executor.invokeAll(writers)) {
        try {
          assertThat(result.get().summary().version()).isEqualTo(2);
          won++;
        } catch (ExecutionException e) {
          assertThat(e).hasCauseInstanceOf(PreconditionFailedException.class);
        }
      }
    }
    assertThat(won).isEqualTo(1);
    // The losers deleted their data.
    assertThat(DatasetTestFolder.dataKeys(store)).hasSize(2);
  }

  @Test
  void leavesNothingOfAFailedUpload() throws IOException {
    byte[] stream = SampleStreams.stream(5);
    byte[] truncated = Arrays.copyOf(stream, stream.length - 20);
    assertThatThrownBy(() -> datasets.put(FLIGHTS, source(truncated), BodyFormat.STREAM, NONE))
        .isInstanceOf(TruncatedInputException.class);
    ByteSource broken =
        destination -> {
          throw new IOException("connection reset");
        };
    assertThatThrownBy(() -> datasets.put(FLIGHTS, broken, BodyFormat.STREAM, NONE))
        .isInstanceOf(IOException.class)
        .hasMessage("connection reset");
    assertThat(store.list("", null, 9)).isEmpty();
    assertNoTemporaryFiles();
  }

  /// A crash between the data and its manifest leaves such a blob.
  @Test
  void ignoresDataWithoutAManifest() throws IOException {
    put(FLIGHTS, 1);
    String manifest = store.list("manifests/", null, 1).getFirst();
    put(FLIGHTS, 2);
    String latest = store.list("manifests/", null, 1).getFirst();
    store.delete(latest);
    open();
    assertThat(datasets.summary(reference("flights")).file().rows()).isEqualTo(1);
    store.delete(manifest);
    assertThat(DatasetLists.list(datasets, null, 9)).isEmpty();
    assertThat(datasets.isEmpty()).isTrue();
  }

  @Test
  void settlesAPutWhoseResponseWasLost() throws IOException {
    UnreliableStore unreliable = new UnreliableStore(store);
    Datasets writer = new Datasets(unreliable, DatasetOptions.DEFAULT);
    unreliable.loseNextResponse();
    WriteResult result = writer.put(FLIGHTS, body(1), BodyFormat.STREAM, NONE);
    assertThat(result.summary().version()).isEqualTo(1);
    assertThat(datasets.summary(reference("flights"))).isEqualTo(result.summary());
    unreliable.loseNextRequest();
    result = writer.put(FLIGHTS, body(2), BodyFormat.STREAM, NONE);
    assertThat(result.summary().version()).isEqualTo(2);
    unreliable.loseNextRequest();
    unreliable.beforeTheNextRetry(() -> put(FLIGHTS, 3));
    result = writer.put(FLIGHTS, body(4), BodyFormat.STREAM, NONE);
    assertThat(result.summary().version()).isEqualTo(4);
    assertThat(datasets.summary(reference("flights@3")).file().rows()).isEqualTo(3);
    assertThat(datasets.summary(reference("flights@4")).file().rows()).isEqualTo(4);
  }

  @Test
  void namesTheBrokenManifest() throws IOException {
    put(FLIGHTS, 1);
    String key = store.list("manifests/", null, 1).getFirst();
    Path file = folder.resolve(key);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1] ^= 1;
    Files.write(file, bytes);
    assertThatThrownBy(() -> datasets.open(reference("flights")))
        .isInstanceOf(DamagedBlobException.class)
        .hasMessageMatching(
            "Expected the bytes of flights@1 as they were stored but found damaged ones at byte offset [1-9][0-9]* of blob "
                + key);
  }

  private WriteResult put(DatasetName name, int... rows) throws IOException {
    return datasets.put(name, body(rows), BodyFormat.STREAM, NONE);
  }

  private void assertRejected(WriteCondition condition, String message) {
    ByteSource body =
        _ -> {
          throw new AssertionError("The body was read");
        };
    assertThatThrownBy(() -> datasets.put(FLIGHTS, body, BodyFormat.STREAM, condition))
        .isInstanceOf(PreconditionFailedException.class)
        .hasMessage(message);
  }

  private void assertNoTemporaryFiles() throws IOException {
    try (var files = Files.list(folder.resolve("tmp"))) {
      assertThat(files).isEmpty();
    }
  }

  private static ByteSource body(int... rows) {
    return source(SampleStreams.stream(rows));
  }

  private static ByteSource source(byte[] bytes) {
    return ByteSource.of(MemorySegment.ofArray(bytes));
  }

  private static DatasetReference reference(String text) {
    return DatasetReference.parse(text);
  }

  private static List<Long> versions(List<VersionSummary> summaries) {
    return summaries.stream().map(VersionSummary::version).toList();
  }
}
