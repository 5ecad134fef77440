package dev.quiver.ipc;

import static dev.quiver.ipc.Framing.BODY_ALIGNMENT;

import dev.quiver.memory.Padding;
import dev.quiver.metadata.Buffer;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import java.util.ArrayList;
import java.util.List;

/// Where the buffers of a body that we lay out lie: one after the other, each to start on a
/// multiple of 64 bytes.
///
/// @param header nodes and buffers as the body will have them
/// @param byteSize bytes of the body, padding included
public record BodyLayout(RecordBatchHeader header, long byteSize) {

  /// Lays out the buffers of a header anew, as long as they are.
  ///
  /// @param header whose nodes, compression and counts hold for the new body too
  public static BodyLayout of(RecordBatchHeader header) {
    List<Buffer> buffers = new ArrayList<>(header.buffers().size());
    long offset = 0;
    for (Buffer buffer : header.buffers()) {
      buffers.add(new Buffer(offset, buffer.length()));
      offset = Padding.padded(Math.addExact(offset, buffer.length()), BODY_ALIGNMENT);
    }
    return new BodyLayout(
        new RecordBatchHeader(
            header.length(),
            header.nodes(),
            buffers,
            header.compression(),
            header.variadicBufferCounts()),
        offset);
  }
}
