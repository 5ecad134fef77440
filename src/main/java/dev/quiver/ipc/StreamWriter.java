package dev.quiver.ipc;

import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.memory.ByteSink;
import dev.quiver.metadata.CompressionType;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Writes record batches as a stream: schema, dictionaries, batches, and on [#close] its end.
///
/// Left unclosed, for instance after a failure, the stream has no end, and nobody can take it for
/// whole. See the columnar specification, *IPC streaming format*.
public final class StreamWriter {

  private final MessageWriter messages;
  private final BatchWriter batches;

  /// Writes the schema.
  ///
  /// @param codec of all bodies, or null
  public StreamWriter(ByteSink sink, Schema schema, @Nullable CompressionType codec)
      throws IOException {
    this.messages = new MessageWriter(sink);
    this.batches = new BatchWriter(messages, schema, codec);
  }

  /// Writes a batch, and before the first one the dictionaries it refers to.
  ///
  /// @throws IllegalArgumentException when a batch refers to other dictionaries than the first
  public void write(RecordBatch batch) throws IOException {
    batches.write(batch);
  }

  /// Writes the end of the stream.
  public void close() throws IOException {
    messages.writeEndOfStream();
  }
}
