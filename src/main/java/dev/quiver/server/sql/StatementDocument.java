package dev.quiver.server.sql;

import dev.quiver.sql.query.ReadProgress;
import dev.quiver.sql.query.ReadProgress.Rows;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The progress of a statement as a JSON document.
///
/// @param state `waiting` until a worker runs the statement, `running` until its response is
///   complete, or `unknown`
/// @param progress the part of the rows that is read, from 0 to 1, or null if unknown
/// @param rowsRead the rows of the record batches that were read, or null if unknown
/// @param rowsTotal the rows of all record batches that the statement may need, or null if unknown
/// @param seconds since the statement arrived, or null if unknown
record StatementDocument(
    String id,
    String state,
    @Nullable Double progress,
    @Nullable Long rowsRead,
    @Nullable Long rowsTotal,
    @Nullable Double seconds) {

  private static final double MILLIS_PER_SECOND = 1e3;

  /// A statement that does not run, or of which the client may not know.
  static StatementDocument unknown(String id) {
    return new StatementDocument(id, "unknown", null, null, null, null);
  }

  static StatementDocument of(String id, ReadProgress progress, Duration age) {
    Rows rows = progress.rows();
    String state = rows == null ? "waiting" : "running";
    double seconds = age.toMillis() / MILLIS_PER_SECOND;
    return rows == null || !rows.isCounted()
        ? new StatementDocument(id, state, null, null, null, seconds)
        : new StatementDocument(id, state, rows.fraction(), rows.read(), rows.total(), seconds);
  }
}
