package dev.quiver.query;

import dev.quiver.dataset.read.Snapshot;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.storage.LocalRange;
import dev.quiver.validate.Level;
import dev.quiver.worker.protocol.Parameter;
import dev.quiver.worker.protocol.RunRequest;
import dev.quiver.worker.protocol.StoredTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A statement that is about to run.
///
/// @param prefix the text before the statement that the client did not write
record Run(
    String prefix,
    String sql,
    List<Parameter> parameters,
    List<Map.Entry<String, Snapshot>> snapshots) {

  /// Returns the request to the worker, with the places of the stored files at this moment.
  RunRequest request() throws IOException {
    List<StoredTable> tables = new ArrayList<>();
    for (Map.Entry<String, Snapshot> entry : snapshots) {
      tables.add(table(entry.getKey(), entry.getValue()));
    }
    return new RunRequest(prefix + sql, parameters, tables);
  }

  private static StoredTable table(String name, Snapshot snapshot) throws IOException {
    VersionSummary summary = snapshot.summary();
    List<StoredTable.Extent> extents = new ArrayList<>();
    for (LocalRange range : snapshot.localRanges()) {
      extents.add(
          new StoredTable.Extent(
              range.file().toAbsolutePath().toString(), range.byteOffset(), range.byteSize()));
    }
    return new StoredTable(
        name,
        summary.file().rows(),
        summary.file().footerOffset(),
        summary.file().footerLength(),
        summary.file().level().compareTo(Level.VALUES) >= 0,
        extents);
  }
}
