package dev.quiver.arrow.ipc;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;

/// A writer of record batches as a stream: schema, dictionaries, batches and, on [#close], the end
/// marker.
///
/// Without [#close], for instance after a failure, the missing marker shows that the stream is
/// incomplete. See the columnar specification, *IPC streaming format*.
public final class StreamWriter {

  private final MessageWriter messages;
  private final BatchWriter batches;

  /// Writes the schema.
  ///
  /// @param codec the codec of all bodies
  public StreamWriter(ByteSink sink, Schema schema, Codec codec) throws IOException {
    this.messages = new MessageWriter(sink);
    this.batches = new BatchWriter(messages, schema, codec, /* replacesDictionaries= */ true);
  }

  /// Writes a batch, and before it the dictionaries that it refers to, unless they are the same
  /// objects as in the batch before.
  public void write(RecordBatch batch) throws IOException {
    batches.write(batch);
  }

  /// Writes the end of the stream.
  public void close() throws IOException {
    messages.writeEndOfStream();
  }
}
