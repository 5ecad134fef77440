package dev.quiver.web;

import dev.quiver.dataset.RecompressedMessages;
import dev.quiver.memory.ByteSink;
import dev.quiver.storage.BlobSink;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Messages whose bodies are brought into another codec while they are sent.
record RecompressedBody(RecompressedMessages messages, Part part) implements StreamedBody {

  /// What of the messages is sent, and as what.
  interface Part {
    void write(RecompressedMessages messages, ByteSink sink) throws IOException;
  }

  @Override
  public void writeTo(BlobSink sink) throws IOException {
    part.write(messages, sink);
  }

  /// Within the last body that is whole. Where that was sent before, what is to be sent lies within
  /// one message, which ends a stream as well.
  @Override
  public SafeCuts cuts() {
    return position -> messages.lastBodyEnd() - 1;
  }

  @Override
  public MemorySegment afterFailure(long position) throws IOException {
    return messages.unfinishedMessage(position);
  }
}
