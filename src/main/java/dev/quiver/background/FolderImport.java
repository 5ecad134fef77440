package dev.quiver.background;

import dev.quiver.background.FolderFiles.Found;
import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.ingest.InvalidDataException;
import dev.quiver.dataset.version.SourceFile;
import dev.quiver.dataset.version.VersionKind;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.dataset.write.ImportResult;
import dev.quiver.input.InputException;
import dev.quiver.input.OverloadedException;
import dev.quiver.ipc.UnsupportedFormatException;
import java.io.IOException;
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
import java.util.function.BooleanSupplier;

/// Makes the files of a folder datasets, those that are new or changed each time it is looked at.
///
/// The folder is looked at again and again: what the system would tell of changes, it does not tell
/// of those made on another machine, nor of all when there are many. Used by one thread.
final class FolderImport {

  private static final Logger LOG = System.getLogger(FolderImport.class.getName());

  private final Datasets datasets;
  private final Path folder;
  private final List<Path> excluded;
  private final Duration interval;
  private final InstantSource clock;

  /// What was found the last time, whether it was imported or not.
  private SortedMap<String, Found> last = new TreeMap<>();

  private boolean isFirst = true;

  /// With what there is nothing more to do until it changes.
  private final Map<String, SourceFile> done = new HashMap<>();

  /// What was said the last time, so that it is said once.
  private Map<String, String> said = Map.of();

  /// @param excluded folders that are not looked at
  /// @param interval for how long a file must have been as it is
  FolderImport(
      Datasets datasets, Path folder, List<Path> excluded, Duration interval, InstantSource clock) {
    this.datasets = datasets;
    this.folder = folder;
    this.excluded = excluded;
    this.interval = interval;
    this.clock = clock;
  }

  /// Looks at the folder once, and imports what is to be imported.
  ///
  /// @param goesOn asked before each file
  void run(BooleanSupplier goesOn) {
    Map<String, String> sentences = new HashMap<>();
    try {
      FolderFiles listing = FolderFiles.of(folder, real(excluded));
      listing.leftOut().forEach((path, why) -> say(sentences, path, notImported(path, why)));
      for (Found found : listing.files().values()) {
        if (goesOn.getAsBoolean()) {
          look(found, sentences);
        }
      }
      done.keySet().retainAll(listing.files().keySet());
      last = listing.files();
      isFirst = false;
    } catch (IllegalArgumentException e) {
      say(sentences, "", notImported("The folder " + folder, String.valueOf(e.getMessage())));
    } catch (IOException e) {
      say(sentences, "", notImported("The folder " + folder, e.toString()));
    }
    said = sentences;
  }

  private void look(Found found, Map<String, String> sentences) {
    String path = found.file().path();
    if (found.file().equals(done.get(path))) {
      String sentence = said.get(path);
      if (sentence != null) {
        sentences.put(path, sentence);
      }
    } else if (isSettled(found.file())) {
      take(found, sentences);
    }
  }

  /// Whether nobody seems to be writing the file any more. At the start its age says so, so that a
  /// service that starts does not wait first; the clocks need not agree after that.
  private boolean isSettled(SourceFile file) {
    if (isFirst) {
      Instant before = clock.instant().minus(interval);
      return !file.modifiedAt().isAfter(before);
    }
    Found before = last.get(file.path());
    return before != null && before.file().equals(file);
  }

  private void take(Found found, Map<String, String> sentences) {
    String path = found.file().path();
    try {
      ImportResult result = datasets.importFile(found.name(), found.path(), found.file());
      switch (result) {
        case ImportResult.Imported imported -> {
          done.put(path, found.file());
          tell(path, imported);
        }
        case ImportResult.Unchanged() -> done.put(path, found.file());
        case ImportResult.Older(var newest) -> {
          done.put(path, found.file());
          say(sentences, path, notImported(path, older(newest)));
        }
        case ImportResult.Changed() -> {}
      }
    } catch (InputException | InvalidDataException | UnsupportedFormatException e) {
      done.put(path, found.file());
      say(sentences, path, notImported(path, String.valueOf(e.getMessage())));
    } catch (IOException | OverloadedException e) {
      // It is tried again.
      say(sentences, path, notImported(path, e.toString()));
    } catch (RuntimeException e) {
      done.put(path, found.file());
      LOG.log(Level.ERROR, notImported(path, e.toString()), e);
    }
  }

  private static void tell(String path, ImportResult.Imported imported) {
    VersionSummary summary = imported.written().summary();
    LOG.log(
        Level.INFO,
        "%s is dataset %s, version %d: %d rows, %s"
            .formatted(
                shown(path),
                summary.name(),
                summary.version(),
                summary.rows(),
                imported.linked() ? "by a link" : "as a copy"));
    for (String warning : imported.written().warnings()) {
      LOG.log(Level.WARNING, "%s: %s".formatted(shown(path), warning));
    }
    if (imported.damaged() > 0) {
      LOG.log(
          Level.WARNING,
          "Version %d of dataset %s is damaged, and what was appended to it: %s was changed in place, to which it is a link. Replace files that are imported, by moving others over them"
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

  /// A path that makes no line of its own in a log.
  private static String shown(String path) {
    return path.replaceAll("\\p{Cntrl}", "?");
  }

  /// Logs a sentence on a file unless it was the last one on it.
  private boolean say(Map<String, String> sentences, String path, String sentence) {
    sentences.put(path, sentence);
    boolean isNew = !sentence.equals(said.get(path));
    if (isNew) {
      LOG.log(Level.WARNING, sentence);
    }
    return isNew;
  }

  /// The folders that are there, without links in their paths.
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
