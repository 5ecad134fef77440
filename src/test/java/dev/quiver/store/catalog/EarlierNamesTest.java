package dev.quiver.store.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.server.Streams;
import dev.quiver.store.Datasets;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The names of stored datasets that are reserved now.
class EarlierNamesTest {

  @TempDir private Path folder;

  private BlobStore store;

  @BeforeEach
  void storeDatasets() throws IOException {
    store = FolderBlobStore.open(folder);
    try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT)) {
      for (String name : new String[] {"a.tsv", "a", "b.xlsx", "C.ZIP", "tsv", "gone.tsv"}) {
        ByteSource stream = ByteSource.of(MemorySegment.ofArray(Streams.numbers(0, 1)));
        datasets.put(new DatasetName(name), stream, BodyFormat.STREAM, new WriteCondition.None());
      }
    }
  }

  private EarlierNames names(int maximum) {
    return new EarlierNames(
        store,
        keys -> keys.stream().filter(key -> !key.contains("gone")).map(this::summary).toList(),
        new KnownNames(),
        maximum);
  }

  private VersionSummary summary(String key) {
    return VersionSummary.damaged(new DatasetName(StoreKeys.name(key)), 1);
  }

  @Test
  void findsReservedSuffixesInAnyCase() throws IOException {
    Files.createDirectories(folder.resolve("manifests/__.tsv_"));
    EarlierNames names = names(4);
    assertThat(names.all().contains("a.tsv")).isFalse();
    assertThat(names.find()).containsExactly("C.ZIP", "a.tsv", "b.xlsx");
    assertThat(names.all().contains("a.tsv")).isTrue();
    assertThat(names.all().contains("a")).isFalse();
    assertThat(names.all().contains("a.TSV")).isFalse();
  }

  @Test
  void keepsAtMostTheMaximum() throws IOException {
    EarlierNames names = names(2);
    assertThat(names.find()).containsExactly("C.ZIP", "a.tsv");
    assertThat(names.all().contains("b.xlsx")).isFalse();
    assertThat(names(3).find()).hasSize(3);
  }
}
