package dev.quiver;

import dev.quiver.dataset.Datasets;
import dev.quiver.web.QuiverProperties;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/// Imports the folder `quiver.import` while the service runs: the first time once it answers, and
/// then again and again.
@Component
final class ImportSchedule implements SmartLifecycle {

  private static final Logger LOG = System.getLogger(ImportSchedule.class.getName());
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);

  private final @Nullable FolderImport folder;
  private final Duration interval;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("import").daemon().factory());
  private volatile boolean isRunning;

  ImportSchedule(Datasets datasets, QuiverProperties properties) {
    this.interval = properties.importInterval();
    if (interval.toMillis() < 1) {
      throw new IllegalArgumentException(
          "Expected 1ms or more but found %s at quiver.import-interval".formatted(interval));
    }
    this.folder =
        properties.importFolder().isEmpty()
            ? null
            : new FolderImport(
                datasets,
                Path.of(properties.importFolder()),
                List.of(properties.storage().path(), properties.storage().cachePath()),
                interval,
                InstantSource.system());
  }

  @Override
  public void start() {
    isRunning = true;
    if (folder != null) {
      executor.scheduleWithFixedDelay(
          () -> run(folder), 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void run(FolderImport imported) {
    try {
      imported.run(() -> isRunning);
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "Importing the folder failed", e);
    }
  }

  @Override
  public void stop() {
    isRunning = false;
    executor.shutdown();
    try {
      if (!executor.awaitTermination(STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.log(Level.WARNING, "A file that is being imported is not waited for");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isRunning() {
    return isRunning;
  }
}
