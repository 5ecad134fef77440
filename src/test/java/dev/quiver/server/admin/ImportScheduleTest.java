package dev.quiver.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.server.config.QuiverProperties;
import dev.quiver.sql.execution.TestWorkers;
import dev.quiver.sql.query.TestQueries;
import dev.quiver.store.DatasetLists;
import dev.quiver.store.Datasets;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.log.AuditLog;
import dev.quiver.store.write.DatasetOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/// The import of a folder while the service runs. `FolderImportTest` covers the choice of files,
/// the client suite a whole service.
class ImportScheduleTest {

  @TempDir private Path folder;
  private Datasets datasets;

  @BeforeEach
  void openStore() throws IOException {
    datasets = new Datasets(FolderBlobStore.open(folder.resolve("store")), DatasetOptions.DEFAULT);
  }

  @Test
  @Timeout(60)
  void importsFilesWhileItRuns() throws Exception {
    Path files = Files.createDirectory(folder.resolve("files"));
    ImportSchedule schedule =
        schedule(Map.of("quiver.import", files.toString(), "quiver.import-interval", "1ms"));
    schedule.start();
    assertThat(schedule.isRunning()).isTrue();
    Files.write(files.resolve("a.arrows"), FolderImportTest.stream(3));
    while (DatasetLists.list(datasets, null, 1).isEmpty()) {
      Thread.onSpinWait();
    }
    schedule.stop();

    assertThat(schedule.isRunning()).isFalse();
    assertThat(DatasetLists.list(datasets, null, 10))
        .singleElement()
        .satisfies(summary -> {
          assertThat(summary.name()).hasToString("a");
          assertThat(summary.file().rows()).isEqualTo(3);
        });
  }

  @Test
  void importsNothingWithoutAFolder() throws IOException {
    ImportSchedule schedule = schedule(Map.of());
    schedule.start();
    schedule.stop();
    assertThat(datasets.isEmpty()).isTrue();
  }

  @Test
  void rejectsAnIntervalBelowAMillisecond() {
    assertThatThrownBy(() -> schedule(Map.of("quiver.import-interval", "0s")))
        .rootCause()
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected 1ms or more but found PT0S at quiver.import-interval");
  }

  private ImportSchedule schedule(Map<String, String> configuration) {
    QuiverProperties properties =
        new Binder(new MapConfigurationPropertySource(configuration))
            .bindOrCreate("quiver", QuiverProperties.class);
    return new ImportSchedule(
        datasets,
        TestQueries.unavailable(datasets, TestWorkers.options(Duration.ofSeconds(30)), "not here")
            .files(),
        new AuditLog(null, 1, 1, false),
        properties);
  }
}
