package dev.quiver.sql.execution;

import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.metadata.MessageDecoder;
import dev.quiver.arrow.metadata.MessageHeader.SchemaHeader;
import dev.quiver.arrow.type.Schema;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A result as an IPC stream whose schema is known, which is read once. Used by one thread.
public final class ResultStream implements ByteSource, Closeable {

  private final Schema schema;
  private final ByteSource source;
  private final Closeable run;
  private boolean closed;

  private ResultStream(Schema schema, ByteSource source, Closeable run) {
    this.schema = schema;
    this.source = source;
    this.run = run;
  }

  /// Waits for the first message of the worker.
  ///
  /// @param limits on the schema
  /// @param run closed once the result is read to its end, since a reader that then takes its time
  ///   must not hold a worker, or by [#close]; not closed if this fails
  public static ResultStream of(ByteSource rows, Limits limits, Closeable run) throws IOException {
    MemorySegment prefix = MemorySegment.ofArray(new byte[Framing.PREFIX_BYTE_SIZE]);
    rows.readFully(prefix);
    int byteSize = LittleEndian.getInt32(prefix, Integer.BYTES);
    if (byteSize < 0) {
      throw new IOException("Expected a schema of a worker but found a size of " + byteSize);
    }
    limits.metadataBytes().check(byteSize, "bytes of a schema", InputLocation.UNKNOWN);
    MemorySegment message = MemorySegment.ofArray(new byte[Framing.PREFIX_BYTE_SIZE + byteSize]);
    message.copyFrom(prefix);
    MemorySegment metadata = message.asSlice(Framing.PREFIX_BYTE_SIZE);
    rows.readFully(metadata);
    Schema schema = ((SchemaHeader) MessageDecoder.decode(metadata, limits).header()).schema();
    return new ResultStream(schema, ByteSource.joined(message, rows), run);
  }

  public Schema schema() {
    return schema;
  }

  /// Reads the whole stream, the schema included.
  ///
  /// @throws SqlException if the statement fails
  @Override
  public long read(MemorySegment destination) throws IOException {
    long count = closed ? -1 : source.read(destination);
    if (count < 0) {
      close();
    }
    return count;
  }

  /// Ends the statement, if it still runs.
  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      run.close();
    }
  }
}
