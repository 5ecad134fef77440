package dev.quiver.sql.query;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.NearestName;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.SqlException.Invalid;
import dev.quiver.sql.execution.SqlException.Reason;
import dev.quiver.sql.syntax.StatementHints;
import dev.quiver.sql.syntax.SyntaxTree;
import dev.quiver.sql.syntax.SyntaxTree.Use;
import dev.quiver.store.Datasets;
import dev.quiver.store.VisibleDatasets;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetNotFoundException;
import dev.quiver.store.version.DatasetReference;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The versions that the names in a statement stand for. Shared by threads.
final class NamedVersions {

  /// The number of near names that may belong to deleted datasets.
  private static final int CANDIDATES = 10;

  private static final int QUOTE_LENGTH = 100;

  private final Datasets datasets;
  private final Limit limit;

  /// Lets one statement at a time look for a near name among all names.
  private final Lock searching = new ReentrantLock();

  /// @param limit the limit on the datasets in a statement
  NamedVersions(Datasets datasets, Limit limit) {
    this.datasets = datasets;
    this.limit = limit;
  }

  /// Opens the latest version of each name, or the one that it names.
  ///
  /// @param visible the datasets that the principal of the statement may read
  /// @throws SqlException if a name is unknown; it tells the nearest one
  SequencedMap<String, Snapshot> open(String sql, SyntaxTree tree, VisibleDatasets visible)
      throws IOException {
    Map<String, Use> names = tree.datasets();
    limit.check(names.size(), "datasets in a statement", InputLocation.UNKNOWN);
    SequencedMap<String, Snapshot> snapshots = new LinkedHashMap<>();
    try {
      for (Map.Entry<String, Use> use : names.entrySet()) {
        snapshots.put(use.getKey(), resolve(sql, use.getKey(), use.getValue(), visible));
      }
      return snapshots;
    } catch (IOException | RuntimeException | Error e) {
      Query.closeAll(snapshots.values());
      throw e;
    }
  }

  /// Opens the version that a name stands for.
  private Snapshot resolve(String sql, String name, Use use, VisibleDatasets visible)
      throws IOException {
    DatasetReference reference;
    try {
      reference = DatasetReference.parse(name);
    } catch (IllegalArgumentException e) {
      throw unknown(sql, name, use, visible);
    }
    try {
      return visible.open(reference);
    } catch (DatasetNotFoundException | DatasetGoneException e) {
      throw unknown(sql, name, use, visible);
    }
  }

  /// Returns the name of a dataset that was most likely meant, or null if absent.
  private @Nullable String nearest(String misspelt, VisibleDatasets visible) throws IOException {
    if (misspelt.length() > DatasetName.LENGTH_MAXIMUM) {
      return null;
    }
    NearestName nearest = new NearestName(misspelt, CANDIDATES);
    searching.lock();
    try {
      visible.names(nearest::add);
    } finally {
      searching.unlock();
    }
    for (String candidate : nearest.names()) {
      if (NearestName.near(misspelt, List.of(candidate)) == null) {
        continue;
      }
      try {
        datasets.summary(DatasetReference.parse(candidate));
        return candidate;
      } catch (IllegalArgumentException | DatasetNotFoundException | DatasetGoneException e) {
        // It was deleted.
      }
    }
    return null;
  }

  private Invalid unknown(String sql, String name, Use use, VisibleDatasets visible)
      throws IOException {
    String near = nearest(name, visible);
    return new Invalid(
        Reason.UNKNOWN_DATASET,
        "Expected the name of a dataset but found %s%s"
            .formatted(
                Excerpt.of(name, QUOTE_LENGTH), near == null ? "" : "; the nearest is " + near),
        sql,
        use.position(),
        use.length(),
        StatementHints.dataset(name, near, new VisibleNames(visible)));
  }
}
