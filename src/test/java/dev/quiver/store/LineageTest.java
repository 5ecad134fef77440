package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.formats.UploadData;
import dev.quiver.server.Streams;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.catalog.VersionListing;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.IdempotencyKey;
import dev.quiver.store.version.Lineage;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.version.WriteResult;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The statements that computed the rows of versions, in a folder.
class LineageTest {

  private static final DatasetName NAME = new DatasetName("computed");
  private static final Lineage FIRST = lineage("SELECT 1");
  private static final Lineage SECOND = lineage("SELECT 2");

  @TempDir private Path folder;
  private Datasets datasets;

  private static Lineage lineage(String sql) {
    return new Lineage(sql, Map.of("p", "1"), List.of(DatasetReference.parse("other@3")));
  }

  @BeforeEach
  void open() throws IOException {
    BlobStore store = FolderBlobStore.open(folder);
    datasets = new Datasets(store, DatasetOptions.DEFAULT);
  }

  private static ByteSource body() throws IOException {
    return ByteSource.of(MemorySegment.ofArray(Streams.numbers(0, 2)));
  }

  private WriteResult put(@Nullable Lineage lineage) throws IOException {
    UploadOptions options = UploadOptions.DEFAULT.withLineage(() -> lineage);
    return datasets.put(
        NAME,
        UploadData.Source.of(body(), BodyFormat.STREAM),
        new WriteCondition.None(),
        options,
        /* key= */ null);
  }

  private WriteResult append(@Nullable Lineage lineage, @Nullable IdempotencyKey key)
      throws IOException {
    UploadOptions options = UploadOptions.DEFAULT.withLineage(() -> lineage);
    return datasets.append(
        NAME,
        UploadData.Source.of(body(), BodyFormat.STREAM),
        new WriteCondition.None(),
        options,
        key);
  }

  /// Lists the lineages of all versions, compactions included, newest first, from the store.
  private List<@Nullable Lineage> lineages() throws IOException {
    try (Datasets fresh = new Datasets(FolderBlobStore.open(folder), DatasetOptions.DEFAULT)) {
      return fresh.versions(NAME, null, 10, /* compactions= */ true).stream()
          .<@Nullable Lineage>map(VersionListing.Entry::lineage)
          .toList();
    }
  }

  @Test
  void eachVersionHasItsOwn() throws IOException {
    assertThat(put(FIRST).lineage()).isEqualTo(FIRST);
    assertThat(append(SECOND, null).lineage()).isEqualTo(SECOND);
    assertThat(append(null, null).lineage()).isNull();
    assertThat(put(SECOND).lineage()).isEqualTo(SECOND);
    assertThat(put(null).lineage()).isNull();
    assertThat(lineages()).containsExactly(null, SECOND, null, SECOND, FIRST);
    try (Snapshot snapshot = datasets.open(new DatasetReference(NAME, 2L))) {
      assertThat(snapshot.lineage()).isEqualTo(SECOND);
    }
  }

  @Test
  void compactionKeepsTheLineage() throws IOException {
    put(FIRST);
    append(SECOND, null);
    assertThat(datasets.compact(NAME, new WriteCondition.None()).summary().kind())
        .isEqualTo(VersionKind.COMPACTION);
    assertThat(lineages()).containsExactly(SECOND, SECOND, FIRST);
    append(null, null);
    datasets.compact(NAME, new WriteCondition.None());
    assertThat(lineages().getFirst()).isNull();
  }

  @Test
  void deleteAndNewDatasetHaveNone() throws IOException {
    put(FIRST);
    datasets.delete(NAME, new WriteCondition.None());
    put(null);
    assertThat(lineages()).containsExactly((Lineage) null);
  }

  @Test
  void retryHasTheLineageOfTheFirstWrite() throws IOException {
    IdempotencyKey key = new IdempotencyKey("key");
    append(FIRST, key);
    append(null, null);
    assertThat(append(SECOND, key).lineage()).isEqualTo(FIRST);
    assertThat(lineages()).hasSize(2);
  }
}
