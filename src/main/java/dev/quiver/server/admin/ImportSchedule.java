package dev.quiver.server.admin;

import dev.quiver.server.config.QuiverProperties;
import dev.quiver.sql.query.ForeignFiles;
import dev.quiver.store.Datasets;
import dev.quiver.store.blob.FailureLog;
import dev.quiver.store.log.AuditLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/// Imports the folder `quiver.import` periodically, beginning when the service has started.
@Component
public final class ImportSchedule implements SmartLifecycle {

  private static final Logger LOG = System.getLogger(ImportSchedule.class.getName());

  private final @Nullable FolderImport folder;
  private final Duration interval;
  private final PeriodicTask task = new PeriodicTask("import");

  ImportSchedule(
      Datasets datasets, ForeignFiles files, AuditLog audit, QuiverProperties properties) {
    this.interval = properties.importInterval();
    this.folder =
        properties.importFolder().isEmpty()
            ? null
            : new FolderImport(
                datasets,
                new ForeignImport(files, properties.limits().arrow()),
                Path.of(properties.importFolder()),
                List.of(properties.storage().path(), properties.storage().cachePath()),
                interval,
                InstantSource.system(),
                audit);
  }

  @Override
  public void start() {
    if (folder != null) {
      task.start(() -> run(folder), Duration.ZERO, interval);
    }
  }

  private static void run(FolderImport folder) {
    try {
      folder.run();
    } catch (RuntimeException | Error e) {
      FailureLog.log(LOG, Level.ERROR, "The import of the folder failed", e);
    }
  }

  @Override
  public void stop() {
    if (!task.stop()) {
      LOG.log(Level.WARNING, "An import is still running while the service stops");
    }
  }

  @Override
  public boolean isRunning() {
    return task.isRunning();
  }
}
