package dev.quiver.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.RecordedLog;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.Datasets;
import dev.quiver.store.InterruptedStore;
import dev.quiver.store.SampleStreams;
import dev.quiver.store.version.Damage;
import dev.quiver.store.write.DatasetOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/// Passes over the store, and their metrics. `FlippedBitsTest` covers what they find.
class ScrubScheduleTest {

  @TempDir Path folder;
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final RecordedLog log = new RecordedLog(ScrubSchedule.class);

  @AfterEach
  void endLog() {
    log.close();
  }

  private double value(String name) {
    return Objects.requireNonNull(registry.find("quiver.scrub." + name).meter())
        .measure()
        .iterator()
        .next()
        .getValue();
  }

  private static QuiverProperties properties() {
    Map<String, String> keys = Map.of("quiver.scrub.bytes-per-second", "1GB");
    return new Binder(new MapConfigurationPropertySource(keys))
        .bindOrCreate("quiver", QuiverProperties.class);
  }

  @Test
  void tellsWhatAPassFoundUntilTheNextOne() throws IOException {
    DatasetTestFolder data = new DatasetTestFolder(folder);
    data.put(SampleStreams.stream(100));
    Path blob = folder.resolve(data.dataKeys().getFirst());
    byte[] whole = Files.readAllBytes(blob);
    byte[] flipped = whole.clone();
    flipped[whole.length / 2] ^= 1;
    Files.write(blob, flipped);
    ScrubSchedule schedule = new ScrubSchedule(data.datasets, registry, properties());
    schedule.start();
    assertThat(value("last.pass")).isZero();
    run(schedule);
    assertThat(value("damages")).isEqualTo(1);
    assertThat(value("bytes")).isGreaterThan(whole.length);
    assertThat(value("last.pass")).isPositive();
    Files.write(blob, whole);
    run(schedule);
    assertThat(value("damages")).isZero();
    schedule.stop();
    Files.write(blob, flipped);
    run(schedule);
    assertThat(value("damages")).as("after the stop").isZero();
    assertThat(value("failures")).isZero();
  }

  @Test
  void countsAPassThatFails() throws IOException {
    DatasetTestFolder data = new DatasetTestFolder(folder);
    data.put(SampleStreams.stream(1));
    ScrubSchedule schedule = new ScrubSchedule(data.datasets, registry, properties());
    Path manifests = folder.resolve("manifests");
    Files.move(manifests, folder.resolve("elsewhere"));
    // A link to itself cannot be listed.
    Files.createSymbolicLink(manifests, manifests);
    schedule.run();
    assertThat(value("failures")).isEqualTo(1);
  }

  @Test
  void aStoreThatIsLostDuringAPassIsNoDamage() throws IOException {
    DatasetTestFolder data = new DatasetTestFolder(folder.resolve("store"));
    data.put(SampleStreams.stream(100));
    data.put(SampleStreams.stream(100));
    InterruptedStore store = new InterruptedStore(data.store);
    RecordedLog damages = new RecordedLog(Damage.class);
    boolean isLost = true;
    for (int operation = 0; isLost; operation++) {
      store.interrupt(
          operation, () -> Files.move(folder.resolve("store"), folder.resolve("elsewhere")));
      ScrubSchedule schedule =
          new ScrubSchedule(
              new Datasets(store, DatasetOptions.DEFAULT), new SimpleMeterRegistry(), properties());
      assertThatCode(schedule::run).doesNotThrowAnyException();
      isLost = store.wasInterrupted();
      if (isLost) {
        Files.move(folder.resolve("elsewhere"), folder.resolve("store"));
      }
      assertThat(isLost || operation > 3).isTrue();
    }
    damages.close();
    assertThat(log.messages())
        .anyMatch(line ->
            line.startsWith("The check of the store failed: Expected a folder of the store"))
        .allMatch(line ->
            line.startsWith("The check of the store failed: ") || line.endsWith(" 0 damages"));
    assertThat(log.hasStackTraces()).isFalse();
    assertThat(damages.messages()).isEmpty();
  }

  @Test
  void aPassEndsWithTheService() {
    ScrubRate rate = Cancellation.when(() -> true).call(() -> new ScrubRate(1));
    assertThatThrownBy(() -> rate.await(1)).isInstanceOf(CancelledException.class);
  }

  private static void run(ScrubSchedule schedule) {
    Cancellation.when(() -> !schedule.isRunning()).carried(schedule::run).run();
  }
}
