package dev.quiver.sql.execution;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.arrow.statistics.Predicate;
import dev.quiver.arrow.validate.Level;
import dev.quiver.sql.worker.DamagedRange;
import dev.quiver.sql.worker.Leading;
import dev.quiver.sql.worker.Parameter;
import dev.quiver.sql.worker.PassedColumn;
import dev.quiver.sql.worker.RunRequest;
import dev.quiver.sql.worker.StoredTable;
import dev.quiver.sql.worker.StoredTable.Numbering;
import dev.quiver.store.blob.LocalRange;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// A statement that is about to run.
///
/// @param prefix the text before the client's
/// @param sql the text of the client
/// @param suffix the text after it
/// @param counted whether the statement uses no column of the snapshots
/// @param batches the batches of the only snapshot that the statement may read; null for all of all
/// @param predicate selects the rows of these batches that the statement may need; null for all
/// @param leading the rows of the only snapshot that the statement may need, without a predicate;
///   null for all
/// @param numbering numbers the rows of these batches, or null
/// @param passed the origin of each column of the result; empty if unknown
public record Run(
    String prefix,
    String sql,
    String suffix,
    List<Parameter> parameters,
    List<Map.Entry<String, Snapshot>> snapshots,
    boolean counted,
    int @Nullable [] batches,
    @Nullable Predicate predicate,
    @Nullable Leading leading,
    @Nullable Numbering numbering,
    List<PassedColumn> passed)
    implements RequestSource {

  private static final long[] ALL_ROWS = {};

  /// The maximum number of checksums that a worker gets, in 16 MiB. Several blocks have one in
  /// common if there are more.
  private static final long BLOCK_COUNT_MAXIMUM = 1 << 20;

  /// A statement of the client alone.
  public Run(
      String prefix,
      String sql,
      List<Parameter> parameters,
      List<Map.Entry<String, Snapshot>> snapshots,
      boolean counted,
      int @Nullable [] batches,
      @Nullable Predicate predicate) {
    this(
        prefix, sql, "", parameters, snapshots, counted, batches, predicate, null, null, List.of());
  }

  /// Returns the same statement with the origins of the columns of its result.
  public Run passing(List<PassedColumn> columns) {
    return new Run(
        prefix,
        sql,
        suffix,
        parameters,
        snapshots,
        counted,
        batches,
        predicate,
        leading,
        numbering,
        columns);
  }

  /// Returns the same statement, which needs only some rows, or all if null.
  public Run leading(@Nullable Leading rows) {
    return new Run(
        prefix,
        sql,
        suffix,
        parameters,
        snapshots,
        counted,
        batches,
        predicate,
        rows,
        numbering,
        passed);
  }

  /// Returns the request to the worker, with the places of the stored files at this moment.
  @Override
  public RunRequest request() throws IOException {
    List<List<LocalRange>> ranges = new ArrayList<>();
    for (Map.Entry<String, Snapshot> entry : snapshots) {
      ranges.add(entry.getValue().localRanges());
    }
    long blockCount =
        ranges.stream().flatMap(List::stream).mapToLong(range -> range.checksums().count()).sum();
    int joined = Math.toIntExact(Math.ceilDiv(blockCount, BLOCK_COUNT_MAXIMUM));
    List<StoredTable> tables = new ArrayList<>();
    for (int i = 0; i < ranges.size(); i++) {
      Map.Entry<String, Snapshot> entry = snapshots.get(i);
      tables.add(
          table(entry.getKey(), entry.getValue(), extents(ranges.get(i), Math.max(1, joined))));
    }
    return new RunRequest(
        prefix + sql + suffix,
        /* threadCount= */ Integer.MAX_VALUE,
        parameters,
        tables,
        /* schema= */ MemorySegment.NULL,
        passed);
  }

  /// Returns the failure of this statement whose worker found damaged bytes. If they belong to a
  /// local copy, it is fetched again by the next statement.
  public RuntimeException damage(DamagedRange range) {
    try {
      for (Map.Entry<String, Snapshot> entry : snapshots) {
        if (entry.getKey().equals(range.table())) {
          entry.getValue().requireIntact(range.blob(), range.byteOffset());
        }
      }
    } catch (IOException e) {
      return new UncheckedIOException(e);
    }
    return new OverloadedException(
        "Expected the bytes of a dataset as they were stored but found a damaged copy, which was replaced, so try again");
  }

  /// @param joined the number of blocks that have one checksum
  private static List<StoredTable.Extent> extents(List<LocalRange> ranges, int joined) {
    List<StoredTable.Extent> extents = new ArrayList<>();
    for (LocalRange range : ranges) {
      extents.add(
          new StoredTable.Extent(
              range.blob(),
              range.file().toAbsolutePath().toString(),
              range.byteOffset(),
              range.byteSize(),
              joined == 1 ? range.checksums() : range.checksums().joined(joined)));
    }
    return extents;
  }

  private StoredTable table(String name, Snapshot snapshot, List<StoredTable.Extent> extents)
      throws IOException {
    VersionSummary summary = snapshot.summary();
    return new StoredTable(
        name,
        rowCount(snapshot),
        summary.file().footerOffset(),
        summary.file().footerLength(),
        summary.file().level().compareTo(Level.VALUES) >= 0,
        extents,
        counted,
        batches,
        predicate,
        leading,
        numbering,
        ByteString.EMPTY,
        counted
            ? new int[0]
            : snapshot.microsecondColumns(Cancellation.current()::throwIfRequested));
  }

  /// Returns the maximum number of rows that the statement may read. The engine relies on it.
  private long rowCount(Snapshot snapshot) throws IOException {
    int[] read = batches;
    if (read == null) {
      return snapshot.summary().file().rows();
    }
    long rowCount = 0;
    for (int i = 0; i < read.length; i++) {
      long[] rows = numbering == null ? ALL_ROWS : numbering.rows()[i];
      rowCount +=
          rows.length == 0
              ? snapshot.rowsBefore(read[i] + 1) - snapshot.rowsBefore(read[i])
              : LongStream.of(rows).map(Long::bitCount).sum();
    }
    return rowCount;
  }
}
