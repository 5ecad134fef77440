package dev.quiver.store;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.formats.UploadData;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.catalog.Retention;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.IdempotencyKey;
import dev.quiver.store.version.Manifest;
import dev.quiver.store.version.ManifestFormat;
import dev.quiver.store.version.RememberedKeys;
import dev.quiver.store.version.Section;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.version.WriteResult;
import dev.quiver.store.write.CompactionPolicy;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The bytes that small appends with idempotency keys leave in the store, which is all that they
/// wrote, since nothing is collected.
class KeyedAppendCostTest {

  private static final int COUNT = 1500;
  private static final StoragePolicy NO_COMPACTION =
      new StoragePolicy(Retention.DEFAULT, CompactionPolicy.NEVER, Duration.ZERO);

  @TempDir private Path folder;

  @Tag("long")
  @Test
  void keyedAppendsWriteLittleMoreThanTheirData() throws IOException {
    BlobStore store = FolderBlobStore.open(folder);
    try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT)) {
      WriteResult recent = append(datasets, body(0), 0);
      for (int i = 1; i < COUNT; i++) {
        recent = append(datasets, body(i), i);
      }
      assertThat(append(datasets, body(COUNT - 1), COUNT - 1).summary())
          .isEqualTo(recent.summary());
      assertThat(append(datasets, body(0), COUNT - 900).summary().version())
          .isLessThan(recent.summary().version());
      assertThat(datasets.summary(new DatasetReference(DatasetTestFolder.NAME, null)).file().rows())
          .isEqualTo(3L * COUNT);
    }
    Map<String, Long> byteSizes = store.byteSizes("", null, 100_000);
    long data = total(byteSizes, "data/", ".arrow");
    assertThat(total(byteSizes, "data/", "")).isBetween(data, 2 * data);
    assertThat(total(byteSizes, "manifests/", "")).isLessThan(4_000_000);
    assertThat(total(byteSizes, "data/", ".keys")).isLessThan(1 << 20);
  }

  /// No write looks for keys before a delete, which must succeed where no blob can be put.
  @Test
  void aDeleteRemembersNoKeys() throws IOException {
    BlobStore store = FolderBlobStore.open(folder);
    try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT, NO_COMPACTION)) {
      for (int i = 0; i < 40; i++) {
        append(datasets, body(i), i);
      }
      assertThat(manifest(store, 40).keys().blobs()).isNotEmpty();
      assertThat(manifest(store, 40).keys().recent()).isNotEmpty();
      datasets.delete(DatasetTestFolder.NAME, new WriteCondition.None());
      assertThat(manifest(store, 41).keys()).isEqualTo(RememberedKeys.NONE);
      assertThat(manifest(store, 41).blobKeys()).isEmpty();
      assertThat(append(datasets, body(0), 0).summary().version()).isEqualTo(42);
    }
  }

  /// A write asks for its key before it reads the body, and again when it commits.
  @Test
  void aKeyedAppendReadsEachBlobOfKeysOnce() throws IOException {
    List<String> opened = new CopyOnWriteArrayList<>();
    BlobStore store =
        new UnreliableStore(FolderBlobStore.open(folder)) {
          @Override
          public Blob open(String key) throws IOException {
            opened.add(key);
            return super.open(key);
          }
        };
    try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT, NO_COMPACTION)) {
      for (int i = 0; i < 90; i++) {
        append(datasets, body(i), i);
      }
      Set<String> blobs =
          manifest(store, 90).keys().blobs().stream().map(Section::blob).collect(toSet());
      assertThat(blobs).hasSizeGreaterThan(1);
      opened.clear();
      append(datasets, body(90), 90);
      assertThat(opened.stream().filter(key -> key.endsWith(".keys")))
          .containsExactlyInAnyOrderElementsOf(blobs);
    }
  }

  private static Manifest manifest(BlobStore store, long version) throws IOException {
    String key = StoreKeys.manifest(DatasetTestFolder.NAME, version);
    try (Blob blob = store.open(key)) {
      return ManifestFormat.read(key, blob);
    }
  }

  private static long total(Map<String, Long> byteSizes, String prefix, String suffix) {
    return byteSizes.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(prefix) && entry.getKey().endsWith(suffix))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private static WriteResult append(Datasets datasets, byte[] body, int key) throws IOException {
    return datasets.append(
        DatasetTestFolder.NAME,
        UploadData.Source.of(ByteSource.of(MemorySegment.ofArray(body)), BodyFormat.STREAM),
        new WriteCondition.None(),
        UploadOptions.DEFAULT,
        new IdempotencyKey("key-" + key));
  }

  private static byte[] body(long first) throws IOException {
    return AppendCostTest.stream(first, 3);
  }
}
