package dev.quiver.store.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.validate.Level;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.MemoryBlobStore;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.Manifests;
import dev.quiver.store.version.StoredFile;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A manifest is cached only as long as its blob exists.
class ManifestCacheTest {

  private static final String KEY = "manifests/_a_/1";

  @TempDir private Path folder;
  private BlobStore store;
  private ManifestCache cache;

  @BeforeEach
  void open() throws IOException {
    store = FolderBlobStore.open(folder);
    cache = new ManifestCache(store);
  }

  @Test
  void cachesAManifestThatWasRead() throws IOException {
    put(KEY, "first", 1);
    assertThat(cache.get(KEY)).isNull();
    assertThat(read(KEY)).isEqualTo("first");
    assertThat(cached(KEY)).isEqualTo("first");
  }

  @Test
  void forgetsAManifestOnceItIsDeleted() throws IOException {
    put(KEY, "first", 1);
    read(KEY);
    store.delete(KEY);
    assertThat(cache.get(KEY)).isNull();
    assertThatThrownBy(() -> cache.open(KEY)).isInstanceOf(NoSuchBlobException.class);
  }

  /// After a restore, another file of the same size may have the key.
  @Test
  void forgetsAManifestOnceItsBlobIsReplaced() throws IOException {
    put(KEY, "first", 1);
    read(KEY);
    // A second link prevents the file system from reusing the inode.
    assertThat(store.link("manifests/_a_/kept", folder.resolve(KEY))).isTrue();
    store.delete(KEY);
    put(KEY, "other", 1);
    assertThat(cache.get(KEY)).isNull();
    assertThat(read(KEY)).isEqualTo("other");
    assertThat(cached(KEY)).isEqualTo("other");
  }

  /// Without an identity, checking a cached manifest would need a request to the store.
  @Test
  void cachesNothingWithoutABlobIdentity() throws IOException {
    BlobStore memory = new MemoryBlobStore(folder);
    memory.putIfAbsent(KEY, manifest("first", 1));
    ManifestCache uncached = new ManifestCache(memory);
    uncached.open(KEY).close();
    assertThat(uncached.get(KEY)).isNull();
  }

  /// The cache has no room for two manifests of 30,000 extents.
  @Test
  void evictsTheLeastRecentlyUsedManifests() throws IOException {
    List<String> keys = List.of("manifests/_a_/1", "manifests/_b_/1", "manifests/_c_/1");
    put(keys.get(0), "small", 1);
    put(keys.get(1), "large", 30_000);
    put(keys.get(2), "other", 30_000);
    read(keys.get(1));
    read(keys.get(0));
    assertThat(cached(keys.get(1))).isEqualTo("large");
    read(keys.get(2));
    assertThat(cache.get(keys.get(0))).isNull();
    assertThat(cache.get(keys.get(1))).isNull();
    assertThat(cached(keys.get(2))).isEqualTo("other");
  }

  private String read(String key) throws IOException {
    try (Catalog.OpenManifest open = cache.open(key)) {
      return open.summary().commitId();
    }
  }

  private String cached(String key) throws IOException {
    return Objects.requireNonNull(cache.get(key)).summary().commitId();
  }

  private void put(String key, String commitId, int extentCount) throws IOException {
    assertThat(store.putIfAbsent(key, manifest(commitId, extentCount))).isTrue();
  }

  private static MemorySegment manifest(String commitId, int extentCount) {
    VersionSummary summary =
        new VersionSummary(
            new DatasetName("a"),
            1,
            commitId,
            VersionKind.UPLOAD,
            1,
            Instant.parse("2026-11-20T09:00:00.123Z"),
            new StoredFile(20, 2, 1000, Codec.ZSTD, false, Level.VALUES, 120, 800, 190),
            null);
    List<BlobExtent> extents =
        IntStream.range(0, extentCount)
            .mapToObj(i -> new BlobExtent("data/_a_/" + "x".repeat(50) + i, i, 10L * i))
            .toList();
    MemorySegment tail = MemorySegment.ofArray(new byte[300]);
    return Manifests.write(summary, extents, tail);
  }
}
