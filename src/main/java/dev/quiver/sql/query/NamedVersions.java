package dev.quiver.sql.query;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.SqlException.Invalid;
import dev.quiver.sql.execution.SqlException.Reason;
import dev.quiver.sql.syntax.StatementHints;
import dev.quiver.sql.syntax.SyntaxTree;
import dev.quiver.sql.syntax.SyntaxTree.Use;
import dev.quiver.store.VisibleDatasets;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.DatasetNotFoundException;
import dev.quiver.store.version.DatasetReference;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/// The versions that the names in a statement stand for. Shared by threads.
final class NamedVersions {

  private static final int QUOTE_LENGTH = 100;

  private final Limit limit;

  /// @param limit the limit on the datasets in a statement
  NamedVersions(Limit limit) {
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
  private static Snapshot resolve(String sql, String name, Use use, VisibleDatasets visible)
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

  private static Invalid unknown(String sql, String name, Use use, VisibleDatasets visible) {
    String near = visible.nearest(name);
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
