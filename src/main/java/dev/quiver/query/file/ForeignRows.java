package dev.quiver.query.file;

import dev.quiver.columnar.Schema;
import dev.quiver.input.InputLocation;
import dev.quiver.input.Limits;
import dev.quiver.ipc.Framing;
import dev.quiver.memory.ByteSource;
import dev.quiver.memory.LittleEndian;
import dev.quiver.metadata.MessageDecoder;
import dev.quiver.metadata.MessageHeader.SchemaHeader;
import dev.quiver.parallel.PermitQueue;
import dev.quiver.query.execution.SpooledFile;
import dev.quiver.query.execution.WorkerLease;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The rows of a file of another format as an IPC stream, which is read once. Used by one thread.
public final class ForeignRows implements ByteSource, AutoCloseable {

  private final ByteSource stream;
  private final Schema schema;
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
    MemorySegment message = schemaMessage(rows, limits);
    MemorySegment metadata = message.asSlice(Framing.PREFIX_BYTE_SIZE);
    this.schema = ((SchemaHeader) MessageDecoder.decode(metadata, limits).header()).schema();
    this.stream = ByteSource.joined(message, rows);
    this.warnings = List.copyOf(warnings);
    this.lease = lease;
    this.file = file;
    this.places = places;
  }

  /// Reads the first message, which is that of a worker.
  private static MemorySegment schemaMessage(ByteSource rows, Limits limits) throws IOException {
    MemorySegment prefix = MemorySegment.ofArray(new byte[Framing.PREFIX_BYTE_SIZE]);
    rows.readFully(prefix);
    int byteSize = LittleEndian.getInt32(prefix, Integer.BYTES);
    if (byteSize < 0) {
      throw new IOException("Expected a schema of a worker but found a size of " + byteSize);
    }
    limits.metadataBytes().check(byteSize, "bytes of a schema", InputLocation.UNKNOWN);
    MemorySegment message = MemorySegment.ofArray(new byte[Framing.PREFIX_BYTE_SIZE + byteSize]);
    message.copyFrom(prefix);
    rows.readFully(message.asSlice(Framing.PREFIX_BYTE_SIZE));
    return message;
  }

  public Schema schema() {
    return schema;
  }

  /// Returns sentences about what the rows lack of the file.
  public List<String> warnings() {
    return warnings;
  }

  @Override
  public long read(MemorySegment destination) throws IOException {
    long count = closed ? -1 : stream.read(destination);
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
