package dev.quiver.query.execution;

import dev.quiver.columnar.Schema;
import dev.quiver.input.InputLocation;
import dev.quiver.input.Limits;
import dev.quiver.ipc.Framing;
import dev.quiver.memory.ByteSource;
import dev.quiver.memory.LittleEndian;
import dev.quiver.metadata.MessageDecoder;
import dev.quiver.metadata.MessageHeader.SchemaHeader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A result as an IPC stream whose schema is known.
///
/// @param source the whole stream, the schema included
public record ResultStream(Schema schema, ByteSource source) {

  /// Waits for the first message, which is that of a worker.
  ///
  /// @param limits on the schema
  public static ResultStream of(ByteSource rows, Limits limits) throws IOException {
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
    return new ResultStream(schema, ByteSource.joined(message, rows));
  }
}
