package dev.quiver.arrow.ipc;

import static dev.quiver.arrow.ipc.Framing.BODY_ALIGNMENT;

import dev.quiver.arrow.memory.Padding;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import java.util.ArrayList;
import java.util.List;

/// The layout of a body that we write: its buffers in a row, each at a multiple of 64 bytes.
///
/// @param header the nodes and buffers of the new body
/// @param byteSize bytes of the body, padding included
public record BodyLayout(RecordBatchHeader header, long byteSize) {

  /// Returns a new layout for the buffers of a header, keeping their lengths.
  ///
  /// @param header its nodes, compression and counts apply to the new body too
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
