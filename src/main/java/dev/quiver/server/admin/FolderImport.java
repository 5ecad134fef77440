package dev.quiver.server.admin;

import dev.quiver.arrow.ipc.UnsupportedFormatException;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.arrow.validate.InvalidDataException;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.Format;
import dev.quiver.server.admin.FolderFiles.Found;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.store.Datasets;
import dev.quiver.store.blob.FailureLog;
import dev.quiver.store.log.AuditEvent;
import dev.quiver.store.log.AuditLog;
import dev.quiver.store.version.SourceFile;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.write.ImportResult;
import dev.quiver.store.write.RowSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Imports the files of a folder as datasets, and again whenever they are new or changed.
///
/// The folder is polled: system notifications miss changes from other machines, and some changes of
/// many at once. Used by one thread.
final class FolderImport {

  private static final Logger LOG = System.getLogger(FolderImport.class.getName());

  private final Datasets datasets;
  private final ForeignImport foreign;
  private final Path folder;
  private final List<Path> excluded;
  private final Duration interval;
  private final InstantSource clock;
  private final AuditLog audit;

  /// The files of the last scan, imported or not.
  private SortedMap<String, Found> last = new TreeMap<>();

  private boolean isFirst = true;

  /// Files that are finished until they change.
  private final Map<String, SourceFile> done = new HashMap<>();

  /// The log messages of the last scan, so that each is logged once.
  private Map<String, String> lastWarnings = Map.of();

  /// @param foreign the import of files of other formats
  /// @param excluded folders to skip
  /// @param interval the time for which a file must be unchanged
  FolderImport(
      Datasets datasets,
      ForeignImport foreign,
      Path folder,
      List<Path> excluded,
      Duration interval,
      InstantSource clock,
      AuditLog audit) {
    this.datasets = datasets;
    this.foreign = foreign;
    this.folder = folder;
    this.excluded = excluded;
    this.interval = interval;
    this.clock = clock;
    this.audit = audit;
  }

  /// Scans the folder once and imports new and changed files, until the [Cancellation] is
  /// requested.
  void run() {
    Cancellation cancellation = Cancellation.current();
    Map<String, String> warnings = new HashMap<>();
    try {
      FolderFiles listing = FolderFiles.of(folder, real(excluded));
      listing.rejected().forEach((path, why) -> warn(warnings, path, notImported(path, why)));
      for (Found found : listing.files().values()) {
        if (!cancellation.isRequested()) {
          examine(found, warnings);
        }
      }
      done.keySet().retainAll(listing.files().keySet());
      last = listing.files();
      isFirst = false;
    } catch (IllegalArgumentException e) {
      warn(warnings, "", notImported("The folder " + folder, String.valueOf(e.getMessage())));
    } catch (IOException e) {
      warn(warnings, "", notImported("The folder " + folder, e.toString()));
    }
    lastWarnings = warnings;
  }

  private void examine(Found found, Map<String, String> warnings) {
    String path = found.file().path();
    if (found.file().equals(done.get(path))) {
      String warning = lastWarnings.get(path);
      if (warning != null) {
        warnings.put(path, warning);
      }
    } else if (isSettled(found.file())) {
      importFile(found, warnings);
    }
  }

  /// Returns whether a file seems to be complete. In the first scan, its age decides, so that it is
  /// imported without waiting for a second scan. Later scans compare it with the previous one, so
  /// the clocks of the machines need not agree.
  private boolean isSettled(SourceFile file) {
    if (isFirst) {
      Instant before = clock.instant().minus(interval);
      return !file.modifiedAt().isAfter(before);
    }
    Found before = last.get(file.path());
    return before != null && before.file().equals(file);
  }

  private void importFile(Found found, Map<String, String> warnings) {
    String path = found.file().path();
    try {
      ImportResult result = importFile(found);
      switch (result) {
        case ImportResult.Imported imported -> {
          done.put(path, found.file());
          logImport(path, imported);
          audit(imported.written().summary(), found.file().byteSize());
        }
        case ImportResult.Unchanged() -> done.put(path, found.file());
        case ImportResult.Older(var newest) -> {
          done.put(path, found.file());
          warn(warnings, path, notImported(path, older(newest)));
        }
        case ImportResult.Changed() -> {}
      }
    } catch (CancelledException e) {
      // The service stops.
    } catch (InputException
        | InvalidDataException
        | UnsupportedFormatException
        | ForeignDataException
        | SqlException e) {
      done.put(path, found.file());
      warn(warnings, path, notImported(path, String.valueOf(e.getMessage())));
    } catch (IOException | UncheckedIOException | OverloadedException e) {
      // Retried in the next scan.
      warn(warnings, path, notImported(path, e.toString()));
    } catch (RuntimeException e) {
      done.put(path, found.file());
      FailureLog.log(LOG, Level.ERROR, notImported(path, e.toString()), e);
    }
  }

  private ImportResult importFile(Found found) throws IOException {
    Format format = found.format();
    RowSource rows = format.family() == Format.Family.ARROW ? null : foreign.reader(format);
    return datasets.importFile(found.name(), found.listed(), rows);
  }

  private void audit(VersionSummary summary, long byteSize) {
    audit.write(
        new AuditEvent(
            clock.instant(),
            /* requestId= */ null,
            "import",
            /* client= */ null,
            "import",
            summary.name().value(),
            summary.version(),
            byteSize,
            /* status= */ null));
  }

  private static void logImport(String path, ImportResult.Imported imported) {
    VersionSummary summary = imported.written().summary();
    LOG.log(
        Level.INFO,
        "%s was imported as dataset %s, version %d: %d rows, %s"
            .formatted(
                shown(path),
                summary.name(),
                summary.version(),
                summary.file().rows(),
                imported.linked() ? "linked" : "copied"));
    for (String warning : imported.written().warnings()) {
      LOG.log(Level.WARNING, "%s: %s".formatted(shown(path), warning));
    }
    if (imported.damaged() > 0) {
      LOG.log(
          Level.WARNING,
          "Version %d of dataset %s and appends to it are damaged: the version is a link to %s, which was changed in place. To replace an imported file, move another one over it"
              .formatted(imported.damaged(), summary.name(), shown(path)));
    }
  }

  private static String older(VersionSummary newest) {
    return "dataset %s was %s at %s, after the file changed"
        .formatted(
            newest.name(),
            newest.kind() == VersionKind.DELETE ? "deleted" : "written",
            newest.committedAt());
  }

  private static String notImported(String path, String why) {
    return shown(path) + " is not imported: " + why;
  }

  /// Replaces control characters, so that a path cannot forge log lines.
  private static String shown(String path) {
    return path.replaceAll("\\p{Cntrl}", "?");
  }

  /// Logs a message about a file, unless the last scan logged the same one.
  private void warn(Map<String, String> warnings, String path, String warning) {
    warnings.put(path, warning);
    if (!warning.equals(lastWarnings.get(path))) {
      LOG.log(Level.WARNING, warning);
    }
  }

  /// Returns the real paths of folders, and the normalized path of a missing one.
  private static List<Path> real(List<Path> folders) {
    return folders.stream().map(FolderImport::real).toList();
  }

  private static Path real(Path folder) {
    try {
      return folder.toRealPath();
    } catch (IOException e) {
      return folder.toAbsolutePath().normalize();
    }
  }
}
