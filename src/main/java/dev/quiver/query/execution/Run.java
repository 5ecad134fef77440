package dev.quiver.query.execution;

import dev.quiver.dataset.read.Snapshot;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.memory.ByteString;
import dev.quiver.predicate.Predicate;
import dev.quiver.storage.LocalRange;
import dev.quiver.validate.Level;
import dev.quiver.worker.protocol.Parameter;
import dev.quiver.worker.protocol.RunRequest;
import dev.quiver.worker.protocol.StoredTable;
import dev.quiver.worker.protocol.StoredTable.Numbering;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// A statement that is about to run.
///
/// @param prefix the text before that of the client
/// @param sql the text of the client
/// @param suffix the text after it
/// @param counted whether the statement uses no column of the snapshots
/// @param batches the batches of the only snapshot that the statement may read; null for all of all
/// @param predicate selects the rows of these batches that the statement may need; null for all
/// @param numbering numbers the rows of these batches, or null
public record Run(
    String prefix,
    String sql,
    String suffix,
    List<Parameter> parameters,
    List<Map.Entry<String, Snapshot>> snapshots,
    boolean counted,
    int @Nullable [] batches,
    @Nullable Predicate predicate,
    @Nullable Numbering numbering) {

  private static final long[] ALL_ROWS = {};

  /// A statement of the client alone.
  public Run(
      String prefix,
      String sql,
      List<Parameter> parameters,
      List<Map.Entry<String, Snapshot>> snapshots,
      boolean counted,
      int @Nullable [] batches,
      @Nullable Predicate predicate) {
    this(prefix, sql, "", parameters, snapshots, counted, batches, predicate, null);
  }

  /// Returns the request to the worker, with the places of the stored files at this moment.
  public RunRequest request() throws IOException {
    List<StoredTable> tables = new ArrayList<>();
    for (Map.Entry<String, Snapshot> entry : snapshots) {
      tables.add(table(entry.getKey(), entry.getValue()));
    }
    return new RunRequest(
        prefix + sql + suffix, parameters, tables, /* schema= */ MemorySegment.NULL);
  }

  private StoredTable table(String name, Snapshot snapshot) throws IOException {
    VersionSummary summary = snapshot.summary();
    List<StoredTable.Extent> extents = new ArrayList<>();
    for (LocalRange range : snapshot.localRanges()) {
      extents.add(
          new StoredTable.Extent(
              range.file().toAbsolutePath().toString(), range.byteOffset(), range.byteSize()));
    }
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
        numbering,
        ByteString.EMPTY);
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
