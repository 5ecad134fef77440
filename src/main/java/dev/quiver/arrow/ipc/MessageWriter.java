package dev.quiver.arrow.ipc;

import static dev.quiver.arrow.ipc.Framing.ALIGNMENT;
import static dev.quiver.arrow.ipc.Framing.PREFIX_BYTE_SIZE;

import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.Padding;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.FooterEncoder;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageEncoder;
import dev.quiver.arrow.metadata.MessageHeader;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// A writer of encapsulated messages and of the fixed parts of a file. It counts the bytes.
///
/// Bodies that are copied verbatim pass through it as a sink, so positions stay correct.
public final class MessageWriter implements ByteSink {

  private final ByteSink sink;
  private Block last = new Block(0, 0, 0);
  private long position;

  public MessageWriter(ByteSink sink) {
    this.sink = sink;
  }

  /// Returns the position of the message whose metadata was written last, even if its body is
  /// incomplete. Before the first message, the block is empty.
  public Block last() {
    return last;
  }

  /// Returns the bytes written so far.
  public long position() {
    return position;
  }

  @Override
  public void write(MemorySegment source) throws IOException {
    sink.write(source);
    position += source.byteSize();
  }

  public void writeFileHeader() throws IOException {
    write(Framing.fileHeader());
  }

  public Block writeSchema(Schema schema) throws IOException {
    return write(new MessageHeader.SchemaHeader(schema), Metadata.EMPTY, 0);
  }

  public Block writeDictionary(long id, EncodedBody body) throws IOException {
    MessageHeader header = new MessageHeader.DictionaryBatchHeader(id, body.header(), false);
    Block block = write(header, Metadata.EMPTY, body.byteSize());
    body.writeTo(this);
    return block;
  }

  public Block writeRecordBatch(EncodedBody body, Metadata customMetadata) throws IOException {
    Block block = write(body.header(), customMetadata, body.byteSize());
    body.writeTo(this);
    return block;
  }

  /// Writes the prefix and metadata of a message. The body must follow.
  public Block write(MessageHeader header, Metadata customMetadata, long bodyLength)
      throws IOException {
    byte[] metadata =
        MessageEncoder.encode(new Message(MetadataVersion.V5, header, bodyLength, customMetadata));
    byte[] padded = Arrays.copyOf(metadata, (int) Padding.padded(metadata.length, ALIGNMENT));
    return writeMetadata(MemorySegment.ofArray(padded), bodyLength);
  }

  /// Writes the prefix and unchanged metadata of a message. The body must follow.
  ///
  /// @param metadata flatbuffer and padding, a multiple of 8 bytes
  public Block writeMetadata(MemorySegment metadata, long bodyLength) throws IOException {
    long offset = position;
    int byteSize = Math.toIntExact(metadata.byteSize());
    write(Framing.prefix(byteSize));
    write(metadata);
    last = new Block(offset, PREFIX_BYTE_SIZE + byteSize, bodyLength);
    return last;
  }

  public void writeEndOfStream() throws IOException {
    write(Framing.endOfStream());
  }

  /// Writes the footer, its length and the final magic of a file.
  ///
  /// @return the size of the footer itself in bytes
  public int writeFooter(Footer footer) throws IOException {
    byte[] encoded = FooterEncoder.encode(footer);
    write(MemorySegment.ofArray(encoded));
    write(Framing.fileTrailer(encoded.length));
    return encoded.length;
  }
}
