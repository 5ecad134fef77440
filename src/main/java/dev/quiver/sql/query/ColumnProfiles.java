package dev.quiver.sql.query;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.SharedTasks;
import dev.quiver.arrow.statistics.ColumnProfile;
import dev.quiver.arrow.statistics.ColumnProfileFormat;
import dev.quiver.arrow.statistics.ProfiledColumn;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.SqlOptions;
import dev.quiver.store.file.KeptStatistics;
import dev.quiver.store.read.RowMatches;
import dev.quiver.store.read.Snapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Statistics of the columns of a version. Statistics of all rows are calculated once and kept in
/// the store, all columns in one blob, and selected ones in one each: then no sequence of requests
/// makes more blobs than there are columns.
///
/// Requests that need the same ones at the same time share their calculation, which ends early if
/// all their clients leave. Shared by threads.
public final class ColumnProfiles {

  private static final String ALL = "all";
  private static final String CALCULATE = "calculate statistics";

  /// The length of the text of a position above which its hash takes its place.
  private static final int POSITION_LENGTH_MAXIMUM = 64;

  /// The characters of a hash, of four bits each.
  private static final int HASH_LENGTH = 32;

  private final SqlOptions options;
  private final EvaluationTurns turns;
  private final SharedTasks<String, List<ColumnProfile>> evaluations = new SharedTasks<>();
  private final LongAdder evaluationCount = new LongAdder();

  public ColumnProfiles(SqlOptions options, EvaluationTurns turns) {
    this.options = options;
    this.turns = turns;
  }

  /// Returns the statistics of columns, in their order.
  ///
  /// @param columns fields of the snapshot's schema, each once
  /// @throws SqlException if the calculation takes too long
  /// @throws CancelledException if the client leaves
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if it takes too much memory
  /// @throws dev.quiver.arrow.parallel.OverloadedException if too many evaluations wait, or wait
  ///   for too long
  public List<ColumnProfile> of(Snapshot snapshot, List<ProfiledColumn> columns)
      throws IOException {
    List<ColumnProfile> kept = kept(snapshot, columns);
    return kept == null
        ? evaluations.get(key(snapshot, columns), _ -> inTurn(snapshot, columns))
        : kept;
  }

  /// Returns the statistics of columns over some of the rows, in the order of the columns. They are
  /// not kept.
  ///
  /// @param columns fields of the snapshot's schema, each once
  /// @throws SqlException if the calculation takes too long
  /// @throws CancelledException if the client leaves
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if it takes too much memory
  /// @throws dev.quiver.arrow.parallel.OverloadedException if too many evaluations wait, or wait
  ///   for too long
  public List<ColumnProfile> of(Snapshot snapshot, RowMatches rows, List<ProfiledColumn> columns)
      throws IOException {
    return evaluations.get(
        key(snapshot, columns) + " " + rows.id(),
        _ -> turns.run(CALCULATE, () -> calculate(snapshot, rows, columns)));
  }

  private static String key(Snapshot snapshot, List<ProfiledColumn> columns) {
    return snapshot.summary().commitId()
        + columns.stream().map(ColumnProfiles::id).collect(Collectors.joining(" ", " ", ""));
  }

  private List<ColumnProfile> calculate(
      Snapshot snapshot, RowMatches rows, List<ProfiledColumn> columns) throws IOException {
    evaluationCount.increment();
    return new ProfileEvaluation(options, snapshot, rows, columns).profiles();
  }

  /// Returns the number of calculations.
  public long evaluationCount() {
    return evaluationCount.sum();
  }

  private List<ColumnProfile> inTurn(Snapshot snapshot, List<ProfiledColumn> columns)
      throws IOException {
    return turns.run(
        CALCULATE,
        () -> {
          // Another request, or another process, may have kept them since this one looked.
          List<ColumnProfile> kept = kept(snapshot, columns);
          if (kept != null) {
            return kept;
          }
          List<ColumnProfile> profiles = calculate(snapshot, allRows(snapshot), columns);
          keep(snapshot, columns, profiles);
          return profiles;
        });
  }

  private static RowMatches allRows(Snapshot snapshot) throws IOException {
    RowMatches.Builder rows = new RowMatches.Builder();
    for (int batch = 0; batch < snapshot.batchCount(); batch++) {
      rows.add(batch, snapshot.rowsBefore(batch + 1) - snapshot.rowsBefore(batch));
    }
    return rows.build("all");
  }

  private static @Nullable List<ColumnProfile> kept(Snapshot snapshot, List<ProfiledColumn> columns)
      throws IOException {
    KeptStatistics statistics = snapshot.keptStatistics();
    List<ProfiledColumn> all = ProfiledColumn.all(snapshot.schema());
    List<List<ColumnProfile>> ofAll = read(statistics, List.of(ALL), all.size());
    if (ofAll != null) {
      Map<List<Integer>, ColumnProfile> byIndices = new LinkedHashMap<>();
      for (int i = 0; i < all.size(); i++) {
        byIndices.put(all.get(i).indices(), ofAll.getFirst().get(i));
      }
      return columns.stream().map(column -> byIndices.get(column.indices())).toList();
    }
    if (columns.equals(all)) {
      return null;
    }
    List<List<ColumnProfile>> each =
        read(statistics, columns.stream().map(ColumnProfiles::id).toList(), 1);
    return each == null ? null : each.stream().map(List::getFirst).toList();
  }

  /// @param count the number of columns in each blob
  private static @Nullable List<List<ColumnProfile>> read(
      KeptStatistics statistics, List<String> ids, int count) throws IOException {
    return statistics.read(
        ids,
        ColumnProfileFormat.VERSION,
        bytes -> {
          List<ColumnProfile> profiles = ColumnProfileFormat.read(bytes);
          if (profiles.size() != count) {
            throw new IllegalArgumentException(
                "Expected statistics of %d columns but found %d".formatted(count, profiles.size()));
          }
          return profiles;
        });
  }

  private static void keep(
      Snapshot snapshot, List<ProfiledColumn> columns, List<ColumnProfile> profiles)
      throws IOException {
    Map<String, byte[]> statistics = new LinkedHashMap<>();
    if (columns.equals(ProfiledColumn.all(snapshot.schema()))) {
      statistics.put(ALL, ColumnProfileFormat.write(profiles));
    } else {
      for (int i = 0; i < columns.size(); i++) {
        statistics.put(
            id(columns.get(i)),
            ColumnProfileFormat.write(new ArrayList<>(profiles.subList(i, i + 1))));
      }
    }
    snapshot.keptStatistics().keep(statistics, ColumnProfileFormat.VERSION);
  }

  /// Returns a text that identifies a column of a schema, such as `3-0` for the first field of the
  /// fourth column.
  private static String id(ProfiledColumn column) {
    String position =
        column.indices().stream().map(String::valueOf).collect(Collectors.joining("-"));
    return position.length() <= POSITION_LENGTH_MAXIMUM
        ? position
        : Sha256.hex(position).substring(0, HASH_LENGTH);
  }
}
