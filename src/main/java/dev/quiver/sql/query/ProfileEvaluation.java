package dev.quiver.sql.query;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Slices;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.statistics.ColumnProfile;
import dev.quiver.arrow.statistics.ColumnProfilers;
import dev.quiver.arrow.statistics.ProfiledColumn;
import dev.quiver.sql.execution.SqlOptions;
import dev.quiver.sql.execution.StatementTime;
import dev.quiver.store.read.RowMatches;
import dev.quiver.store.read.Snapshot;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Supplier;

/// The calculation of the statistics of columns, in groups of columns that fit the memory. Several
/// threads work on each group, and only its columns are read.
final class ProfileEvaluation {

  /// The maximum number of threads, each of which has tables of its own.
  private static final int THREADS_MAXIMUM = 4;

  private final SqlOptions options;
  private final Snapshot snapshot;
  private final RowMatches rows;
  private final List<ProfiledColumn> columns;
  private final Cancellation cancellation = Cancellation.current();
  private final int threadCount = Math.min(THREADS_MAXIMUM, CpuPool.PROCESS.count());

  private final StatementTime.Running time;

  /// Starts its time.
  ///
  /// @param rows to count
  ProfileEvaluation(
      SqlOptions options, Snapshot snapshot, RowMatches rows, List<ProfiledColumn> columns) {
    this.options = options;
    this.snapshot = snapshot;
    this.rows = rows;
    this.columns = columns;
    this.time = StatementTime.of(options.conditionTimeout()).begin();
  }

  List<ColumnProfile> profiles() throws IOException {
    List<ColumnProfile> profiles = new ArrayList<>();
    while (profiles.size() < columns.size()) {
      int from = profiles.size();
      profiles.addAll(profiles(columns.subList(from, endOfGroup(from))));
    }
    return profiles;
  }

  /// Returns the end of the largest group that fits the memory, of one column at least.
  private int endOfGroup(int from) {
    long rowCount = rows.count();
    long left = options.conditionMemory().maximum() / threadCount;
    int to = from;
    do {
      left -= columns.get(to).heapByteSizeMaximum(rowCount);
      to++;
    } while (to < columns.size() && left >= columns.get(to).heapByteSizeMaximum(rowCount));
    return to;
  }

  private List<ColumnProfile> profiles(List<ProfiledColumn> group) throws IOException {
    ColumnProfilers all = ColumnProfilers.of(group);
    while (all.needsPass()) {
      all.endPass(pass(all::forPart));
    }
    return all.profiles();
  }

  /// Reads all rows.
  ///
  /// @return the profilers of the threads, which have all rows together
  private List<ColumnProfilers> pass(Supplier<ColumnProfilers> profilers) throws IOException {
    check();
    List<ColumnProfilers> all = new ArrayList<>();
    for (int i = 0; i < threadCount; i++) {
      all.add(profilers.get());
    }
    BlockingQueue<ColumnProfilers> idle = new ArrayBlockingQueue<>(threadCount, false, all);
    snapshot
        .select(all.getFirst().columnIndices(), rows)
        .forEachSlice(
            (batch, from, to, _) -> {
              add(batch, from, to, idle);
              return true;
            },
            _ -> {
              check();
              return true;
            });
    return all;
  }

  private void add(RecordBatch batch, long from, long to, BlockingQueue<ColumnProfilers> idle)
      throws IOException {
    ColumnProfilers profilers;
    try {
      profilers = idle.take();
    } catch (InterruptedException e) {
      throw EvaluationTurns.interrupted(e);
    }
    try (Arena arena = Arena.ofConfined()) {
      profilers.add(Slices.rows(batch, from, to, arena).columns());
      options
          .conditionMemory()
          .check(profilers.heapByteSize(), "bytes of counted values", InputLocation.UNKNOWN);
    } finally {
      idle.add(profilers);
    }
  }

  /// Checks whether the calculation may go on.
  private void check() {
    time.check();
    cancellation.throwIfRequested();
  }
}
