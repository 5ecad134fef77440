package dev.quiver.web.representation;

import dev.quiver.dataset.read.RecompressedMessages;
import dev.quiver.memory.ByteSink;
import dev.quiver.storage.BlobSink;
import dev.quiver.web.response.StreamingBody;
import dev.quiver.web.response.TruncationPoints;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Messages whose bodies are brought into another codec while they are sent.
record RecompressedBody(RecompressedMessages messages, Part part) implements StreamingBody {

  /// What of the messages is sent, and as what.
  interface Part {
    void write(RecompressedMessages messages, ByteSink sink) throws IOException;
  }

  @Override
  public void writeTo(BlobSink sink) throws IOException {
    part.write(messages, sink);
  }

  @Override
  public TruncationPoints cuts() {
    return messages::lastWithinBody;
  }

  @Override
  public MemorySegment afterFailure(long position) throws IOException {
    return messages.unfinishedMessage(position);
  }
}
