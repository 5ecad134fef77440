package dev.quiver.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.RecordedLog;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.store.Datasets;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.catalog.Retention;
import dev.quiver.store.log.Jobs;
import dev.quiver.store.log.UploadStore;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.write.DatasetOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/// The schedule of garbage collections, and their metrics. `GarbageCollectorTest` covers the choice
/// of garbage.
class GarbageCollectionScheduleTest {

  /// The key of a blob begun in the year 1970.
  private static final String OLD = "data/_flights_/00000000000000000000000000.arrow";

  /// The manifest of another dataset, which is not read.
  private static final String OTHER = StoreKeys.manifest(new DatasetName("other"), 1);

  @TempDir Path folder;
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final RecordedLog log = new RecordedLog(GarbageCollectionSchedule.class);

  @AfterEach
  void endLog() {
    log.close();
  }

  @Test
  void collectsEachQuarterOfTheGracePeriod() {
    assertThat(GarbageCollectionSchedule.period(Duration.ofHours(24)))
        .isEqualTo(Duration.ofHours(6));
    assertThat(GarbageCollectionSchedule.period(Duration.ofMinutes(1)))
        .isEqualTo(Duration.ofSeconds(15));
    assertThat(GarbageCollectionSchedule.firstDelay(Duration.ofHours(6)))
        .isEqualTo(Duration.ofMinutes(5));
    assertThat(GarbageCollectionSchedule.firstDelay(Duration.ofHours(1)))
        .isEqualTo(Duration.ofMinutes(5));
    assertThat(GarbageCollectionSchedule.firstDelay(Duration.ofMinutes(36)))
        .isEqualTo(Duration.ofMinutes(3));
  }

  @Test
  void countsDeletedVersionsAndBlobs() throws IOException {
    GarbageCollectionSchedule schedule = schedule();
    put(OTHER);
    put(OLD);
    collect(schedule);
    assertThat(count("blobs")).as("before the start").isZero();
    schedule.start();
    collect(schedule);
    collect(schedule);
    schedule.stop();
    assertThat(count("blobs")).isEqualTo(1);
    assertThat(count("versions")).isZero();
    assertThat(count("failures")).isZero();
    assertThat(folder.resolve(OLD)).doesNotExist();
    assertThat(schedule.isRunning()).isFalse();
    put(OLD);
    collect(schedule);
    assertThat(count("blobs")).as("after the stop").isEqualTo(1);
    schedule.start();
    collect(schedule);
    collect(schedule);
    schedule.stop();
    assertThat(count("blobs")).as("after the next start").isEqualTo(2);
  }

  @Test
  void continuesAfterAFailedCollection() throws IOException {
    GarbageCollectionSchedule schedule = schedule();
    schedule.start();
    // A link to itself cannot be listed.
    Path data = folder.resolve("data");
    Files.createSymbolicLink(data, data);
    collect(schedule);
    assertThat(count("failures")).isEqualTo(1);
    Files.delete(data);
    put(OTHER);
    put(OLD);
    collect(schedule);
    collect(schedule);
    schedule.stop();
    assertThat(count("blobs")).isEqualTo(1);
    assertThat(count("failures")).isEqualTo(1);
    assertThat(log.messages()).anyMatch(line -> line.startsWith("Garbage collection failed: "));
    assertThat(log.hasStackTraces()).isFalse();
  }

  @Test
  void rejectsAnUploadTimeThatExceedsTheGracePeriod() {
    assertThat(properties(Map.of("quiver.limits.upload-seconds", "43200")).retentionPolicy())
        .isEqualTo(retention(1, Duration.ofHours(24), Duration.ofHours(24)));
    assertThatThrownBy(() -> properties(Map.of("quiver.limits.upload-seconds", "43201")))
        .rootCause()
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Expected at most half of quiver.storage.grace-period, 43200 s, but found 43201 s at"
                + " quiver.limits.upload-seconds");
    assertThatThrownBy(() -> properties(Map.of("quiver.storage.grace-period", "1h")))
        .rootCause()
        .hasMessageContaining("1800 s, but found 21600 s");
    assertThat(
            properties(
                    Map.of(
                        "quiver.storage.grace-period", "2d",
                        "quiver.retention.count", "5",
                        "quiver.retention.age", "30d"))
                .retentionPolicy())
        .isEqualTo(retention(5, Duration.ofDays(30), Duration.ofDays(2)));
  }

  private static Retention retention(int count, Duration age, Duration gracePeriod) {
    return new Retention(count, age, gracePeriod, "quiver.storage.grace-period");
  }

  private GarbageCollectionSchedule schedule() throws IOException {
    BlobStore store = FolderBlobStore.open(folder);
    QuiverProperties properties = properties(Map.of());
    return new GarbageCollectionSchedule(
        new Datasets(store, DatasetOptions.DEFAULT),
        new Jobs(store, properties.jobs().options()),
        new UploadStore(store),
        registry,
        properties);
  }

  private static void collect(GarbageCollectionSchedule schedule) {
    Cancellation.when(() -> !schedule.isRunning()).carried(schedule::collect).run();
  }

  private void put(String key) throws IOException {
    Files.createDirectories(folder.resolve(key).getParent());
    Files.createFile(folder.resolve(key));
  }

  private double count(String name) {
    return registry.get("quiver.garbage." + name).counter().count();
  }

  private static QuiverProperties properties(Map<String, String> configuration) {
    return new Binder(new MapConfigurationPropertySource(configuration))
        .bindOrCreate("quiver", QuiverProperties.class);
  }
}
