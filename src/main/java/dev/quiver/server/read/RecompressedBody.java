package dev.quiver.server.read;

import dev.quiver.arrow.ipc.TruncationPoints;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.server.transfer.StreamingBody;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.read.RecompressedMessages;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Messages that are recompressed while they are sent.
record RecompressedBody(RecompressedMessages messages, Part part) implements StreamingBody {

  /// Writes some of the messages as a file or a stream.
  interface Part {
    void write(RecompressedMessages messages, ByteSink sink) throws IOException;
  }

  @Override
  public void writeTo(BlobSink sink) throws IOException {
    part.write(messages, sink);
  }

  @Override
  public TruncationPoints truncationPoints() {
    return messages::lastWithinBody;
  }

  @Override
  public MemorySegment afterFailure(long position) throws IOException {
    return messages.unfinishedMessage(position);
  }
}
