package dev.quiver.query.file;

import dev.quiver.columnar.Schema;
import dev.quiver.input.Limits;
import dev.quiver.memory.ByteSource;
import dev.quiver.parallel.PermitQueue;
import dev.quiver.query.execution.ResultStream;
import dev.quiver.query.execution.SpooledFile;
import dev.quiver.query.execution.WorkerLease;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The rows of a file of another format as an IPC stream, which is read once. Used by one thread.
public final class ForeignRows implements ByteSource, AutoCloseable {

  private final ResultStream stream;
  private final List<String> warnings;
  private final WorkerLease lease;
  private final SpooledFile file;
  private final PermitQueue places;
  private boolean closed;

  /// Waits for the first bytes.
  ///
  /// @param lease given back when the rows are read or this is closed, like the file and its place
  ForeignRows(
      ByteSource rows,
      List<String> warnings,
      Limits limits,
      WorkerLease lease,
      SpooledFile file,
      PermitQueue places)
      throws IOException {
    this.stream = ResultStream.of(rows, limits);
    this.warnings = List.copyOf(warnings);
    this.lease = lease;
    this.file = file;
    this.places = places;
  }

  public Schema schema() {
    return stream.schema();
  }

  /// Returns sentences about what the rows lack of the file.
  public List<String> warnings() {
    return warnings;
  }

  @Override
  public long read(MemorySegment destination) throws IOException {
    long count = closed ? -1 : stream.source().read(destination);
    if (count < 0) {
      // A response that is read slowly must not hold the worker.
      close();
    }
    return count;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (SpooledFile _ = file) {
      lease.close();
    } finally {
      places.release();
    }
  }
}
