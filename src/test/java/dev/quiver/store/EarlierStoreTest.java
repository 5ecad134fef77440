package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.formats.UploadData;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.catalog.Retention;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DamagedBlobException;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.EarlierStores;
import dev.quiver.store.version.IdempotencyKey;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.version.WriteResult;
import dev.quiver.store.write.CompactionPolicy;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A store of the release before is read, appended to and compacted. Its versions stay as they
/// were, and the next ones have the format of this release.
class EarlierStoreTest {

  private static final DatasetReference LATEST = new DatasetReference(DatasetTestFolder.NAME, null);

  private static final DatasetReference LOG = new DatasetReference(new DatasetName("log"), null);

  @TempDir private Path folder;

  @Test
  void continuesAStoreOfFormatTwo() throws IOException {
    BlobStore store = FolderBlobStore.open(folder);
    VersionSummary before;
    byte[] bytesBefore;
    try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT)) {
      append(datasets, 0, null);
      before = append(datasets, 3, "k").summary();
      bytesBefore = bytes(datasets, LATEST);
    }
    EarlierStores.convert(store);
    try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT)) {
      assertThat(datasets.summary(LATEST)).isEqualTo(before);
      assertThat(bytes(datasets, LATEST)).isEqualTo(bytesBefore);
      assertThat(append(datasets, 3, "k").summary()).isEqualTo(before);
      VersionSummary appended = append(datasets, 6, null).summary();
      assertThat(appended.version()).isEqualTo(before.version() + 1);
      assertThat(formatVersion(store, before)).isEqualTo(2);
      assertThat(formatVersion(store, appended)).isEqualTo(3);
      assertThat(append(datasets, 3, "k").summary()).isEqualTo(before);
      assertThat(bytes(datasets, new DatasetReference(DatasetTestFolder.NAME, before.version())))
          .isEqualTo(bytesBefore);
      try (Snapshot snapshot = datasets.open(LATEST)) {
        // Data of before has no sums, and nothing is read to compute them.
        assertThat(snapshot.checksums().file()).isNull();
        assertThat(snapshot.summary().file().rows()).isEqualTo(9);
      }
      VersionSummary compacted =
          datasets.compact(DatasetTestFolder.NAME, new WriteCondition.None()).summary();
      assertThat(compacted.commitId()).isEqualTo(appended.commitId());
      CRC32C checksum = new CRC32C();
      checksum.update(bytes(datasets, LATEST));
      try (Snapshot snapshot = datasets.open(LATEST)) {
        assertThat(snapshot.checksums().file()).isEqualTo((int) checksum.getValue());
      }
    }
  }

  /// The scrubber adds checksums, once; from then on, reads are checked, and garbage collection
  /// keeps them.
  @Test
  void dataOfBeforeGetsChecksums() throws IOException {
    BlobStore store = FolderBlobStore.open(folder);
    try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT)) {
      append(datasets, 0, null);
      append(datasets, 3, null);
    }
    EarlierStores.convert(store);
    List<String> data = DatasetTestFolder.dataKeys(store);
    for (String key : data) {
      store.delete(StoreKeys.sidecar(key));
    }
    Path file = folder.resolve(data.getLast());
    byte[] whole = Files.readAllBytes(file);
    byte[] flipped = whole.clone();
    flipped[whole.length / 2] ^= 1;
    Files.write(file, flipped);
    try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT)) {
      assertThat(bytes(datasets, LATEST)).isNotEmpty();
    }
    Files.write(file, whole);
    try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT)) {
      assertThat(datasets.checks().scrub(_ -> {}).damages()).isZero();
    }
    assertThat(data).allSatisfy(key -> assertThat(store.exists(StoreKeys.sidecar(key))).isTrue());
    Files.write(file, flipped);
    try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT)) {
      assertThatThrownBy(() -> bytes(datasets, LATEST)).isInstanceOf(DamagedBlobException.class);
      assertThat(datasets.checks().scrub(_ -> {}).damages()).isEqualTo(1);
    }
  }

  /// The store has 22 appends with idempotency keys, two compactions among them, and a deleted
  /// dataset. It was written on 2026-11-23.
  @Test
  void continuesAStoreThatTheLastReleaseOfFormatTwoWrote() throws Exception {
    List<String> expected = unpack("/stores/format-2.zip");
    BlobStore store = FolderBlobStore.open(folder);
    TestClock clock = new TestClock();
    clock.advance(Duration.between(clock.instant(), Instant.parse("2026-11-23T01:00:00Z")));
    StoragePolicy policy =
        new StoragePolicy(Retention.DEFAULT, CompactionPolicy.NEVER, Duration.ZERO);
    try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT, policy, clock)) {
      assertThat(versions(datasets)).isEqualTo(expected);
      assertThatThrownBy(() -> datasets.open(DatasetReference.parse("deleted")))
          .isInstanceOf(DatasetGoneException.class);
      byte[] first = bytes(datasets, DatasetReference.parse("log@1"));
      assertThat(appendFile(datasets, first, "key-5").version()).isEqualTo(6);
      assertThat(appendFile(datasets, first, "another-key").version()).isEqualTo(25);
      datasets.compact(LOG.name(), new WriteCondition.None());
      assertThat(datasets.summary(LOG).version()).isEqualTo(26);
      assertThat(datasets.summary(LOG).file().rows()).isEqualTo(23);
      assertThat(appendFile(datasets, first, "key-5").version()).isEqualTo(6);
      assertThat(versions(datasets)).isEqualTo(expected);
    }
  }

  private static VersionSummary appendFile(Datasets datasets, byte[] file, String key)
      throws IOException {
    return datasets
        .append(
            LOG.name(),
            UploadData.Source.of(ByteSource.of(MemorySegment.ofArray(file)), BodyFormat.FILE),
            new WriteCondition.None(),
            UploadOptions.DEFAULT,
            new IdempotencyKey(key))
        .summary();
  }

  /// Returns a line for each version of the log: its reference, ETag, and the SHA-256 of its file.
  private static List<String> versions(Datasets datasets) throws Exception {
    List<String> versions = new ArrayList<>();
    for (int version = 1; version <= 24; version++) {
      DatasetReference reference = new DatasetReference(LOG.name(), (long) version);
      VersionSummary summary = datasets.summary(reference);
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes(datasets, reference));
      versions.add(
          "%s %s.%d %s"
              .formatted(reference, summary.commitId(), version, HexFormat.of().formatHex(digest)));
    }
    return versions;
  }

  /// Unpacks a store, and returns the lines that describe its versions.
  private List<String> unpack(String resource) throws IOException {
    List<String> expected = List.of();
    try (ZipInputStream zip =
        new ZipInputStream(
            Objects.requireNonNull(EarlierStoreTest.class.getResourceAsStream(resource)))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        byte[] content = zip.readAllBytes();
        if (entry.getName().equals("expected.txt")) {
          expected = new String(content, StandardCharsets.UTF_8).lines().toList();
        } else {
          Path file = folder.resolve(entry.getName());
          Files.createDirectories(Objects.requireNonNull(file.getParent()));
          Files.write(file, content);
        }
      }
    }
    return expected;
  }

  private static int formatVersion(BlobStore store, VersionSummary summary) throws IOException {
    return EarlierStores.formatVersion(
        store, StoreKeys.manifest(summary.name(), summary.version()));
  }

  private static byte[] bytes(Datasets datasets, DatasetReference reference) throws IOException {
    try (Snapshot snapshot = datasets.open(reference)) {
      return DatasetTestFolder.read(snapshot, snapshot.file());
    }
  }

  private static WriteResult append(Datasets datasets, long first, @Nullable String key)
      throws IOException {
    return datasets.append(
        DatasetTestFolder.NAME,
        UploadData.Source.of(
            ByteSource.of(MemorySegment.ofArray(AppendCostTest.stream(first, 3))),
            BodyFormat.STREAM),
        new WriteCondition.None(),
        UploadOptions.DEFAULT,
        key == null ? null : new IdempotencyKey(key));
  }
}
