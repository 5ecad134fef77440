package dev.quiver.sql.query;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.execution.ResultStream;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.worker.Parameter;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.Lineage;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The rows of a statement as an IPC stream, which is read once. The worker waits for the reader.
/// Used by one thread.
public final class ResultRows implements ByteSource, AutoCloseable {

  private final ResultStream stream;
  private final Lineage lineage;

  /// Runs a statement, and waits for the schema of its result.
  ///
  /// @param query closed when the rows are read or this is closed, or if this fails
  /// @param progress counts the rows that are read of the versions
  ResultRows(
      Query query, String sql, List<Parameter> parameters, Limits limits, ReadProgress progress)
      throws IOException {
    try {
      this.lineage = lineage(query, sql, parameters);
      this.stream = query.stream(parameters, limits, progress);
    } catch (IOException | RuntimeException | Error e) {
      try (query) {
        throw e;
      }
    }
  }

  private static Lineage lineage(Query query, String sql, List<Parameter> parameters) {
    Map<String, String> values = new LinkedHashMap<>();
    parameters.forEach(parameter -> values.put(parameter.name(), parameter.text()));
    List<DatasetReference> reads =
        query.versions().values().stream().map(VersionSummary::reference).distinct().toList();
    return new Lineage(sql, values, reads);
  }

  public Schema schema() {
    return stream.schema();
  }

  /// Returns the statement, its parameters, and the versions that it reads.
  public Lineage lineage() {
    return lineage;
  }

  /// @throws SqlException if the statement fails
  @Override
  public long read(MemorySegment destination) throws IOException {
    return stream.read(destination);
  }

  /// Ends the statement, if it still runs.
  @Override
  public void close() throws IOException {
    stream.close();
  }
}
