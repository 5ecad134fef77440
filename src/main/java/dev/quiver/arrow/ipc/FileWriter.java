package dev.quiver.arrow.ipc;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;

/// A writer of record batches as a file: the stream between the magic and a footer.
///
/// Without [#close], the file has no footer and is unreadable. See the columnar specification, *IPC
/// file format*.
public final class FileWriter {

  private final MessageWriter messages;
  private final Schema schema;
  private final BatchWriter batches;

  /// Writes the magic and the schema.
  ///
  /// @param codec the codec of all bodies
  public FileWriter(ByteSink sink, Schema schema, Codec codec) throws IOException {
    this.messages = new MessageWriter(sink);
    this.schema = schema;
    messages.writeFileHeader();
    this.batches = new BatchWriter(messages, schema, codec, /* replacesDictionaries= */ false);
  }

  /// Writes a batch. Before the first one, writes the dictionaries that it refers to.
  ///
  /// @throws IllegalArgumentException if a batch refers to other dictionaries than the first
  public void write(RecordBatch batch) throws IOException {
    batches.write(batch);
  }

  /// Writes the end of the stream and the footer.
  ///
  /// @param customMetadata the metadata of the footer
  public void close(Metadata customMetadata) throws IOException {
    messages.writeEndOfStream();
    messages.writeFooter(
        new Footer(
            MetadataVersion.V5,
            schema,
            batches.dictionaryBlocks(),
            batches.batchBlocks(),
            customMetadata));
  }
}
