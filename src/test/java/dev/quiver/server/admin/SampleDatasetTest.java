package dev.quiver.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.config.QuiverProperties;
import dev.quiver.store.DatasetLists;
import dev.quiver.store.Datasets;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/// The sample dataset of a store to which nothing was ever written. `SampleFlightsTest` covers its
/// content.
class SampleDatasetTest {

  @TempDir Path folder;
  private Datasets datasets;

  @BeforeEach
  void openStore() throws IOException {
    datasets = new Datasets(FolderBlobStore.open(folder), DatasetOptions.DEFAULT);
  }

  @Test
  void writesTheSampleToAnEmptyStore() throws IOException {
    start(Map.of());

    VersionSummary sample = datasets.summary(new DatasetReference(SampleDataset.NAME, null));
    assertThat(sample.version()).isEqualTo(1);
    assertThat(sample.file().rows()).isEqualTo(31);
    assertThat(sample.file().batches()).isEqualTo(3);
  }

  @Test
  void writesNoSecondVersion() throws IOException {
    start(Map.of());
    start(Map.of());

    assertThat(DatasetLists.versions(datasets, SampleDataset.NAME, null, 10)).hasSize(1);
  }

  @Test
  void doesNotRestoreADeletedSample() throws IOException {
    start(Map.of());
    datasets.delete(SampleDataset.NAME, new WriteCondition.None());
    start(Map.of());

    assertThat(DatasetLists.list(datasets, null, 10)).isEmpty();
  }

  @Test
  void writesNoSampleIfDisabled() throws IOException {
    start(Map.of("quiver.sample", "false"));

    assertThat(datasets.isEmpty()).isTrue();
  }

  private void start(Map<String, String> configuration) {
    QuiverProperties properties =
        new Binder(new MapConfigurationPropertySource(configuration))
            .bindOrCreate("quiver", QuiverProperties.class);
    new SampleDataset(datasets, properties).afterSingletonsInstantiated();
  }
}
