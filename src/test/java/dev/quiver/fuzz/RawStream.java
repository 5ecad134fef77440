package dev.quiver.fuzz;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyCodecs;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.memory.Padding;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.BodyCompression;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.MessageHeader;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// A builder of streams and files with arbitrary messages, consistent or not.
final class RawStream {

  private final Bytes bytes = new Bytes();
  private final MessageWriter messages = new MessageWriter(bytes);
  private final Schema schema;
  private final List<Block> dictionaries = new ArrayList<>();
  private final List<Block> batches = new ArrayList<>();

  private RawStream(Schema schema, boolean file) {
    this.schema = schema;
    try {
      if (file) {
        messages.writeFileHeader();
      }
      messages.writeSchema(schema);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static RawStream of(Schema schema) {
    return new RawStream(schema, false);
  }

  static RawStream file(Schema schema) {
    return new RawStream(schema, true);
  }

  RawStream batch(Body body) {
    batches.add(message(body.header, body.bytes.length, body.bytes));
    return this;
  }

  RawStream dictionary(long id, boolean delta, Body body) {
    DictionaryBatchHeader header = new DictionaryBatchHeader(id, body.header, delta);
    dictionaries.add(message(header, body.bytes.length, body.bytes));
    return this;
  }

  /// Adds a message without a body that declares this body length.
  RawStream declaring(MessageHeader header, long bodyLength) {
    message(header, bodyLength, new byte[0]);
    return this;
  }

  /// Adds bytes between messages.
  RawStream bytes(byte[] between) {
    try {
      messages.write(MemorySegment.ofArray(between));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /// Repeats the last Block of a dictionary in the footer.
  RawStream dictionaryBlocks(int count) {
    dictionaries.addAll(Collections.nCopies(count, dictionaries.getLast()));
    return this;
  }

  /// Returns the bytes so far.
  byte[] truncated() {
    return bytes.toByteArray();
  }

  byte[] end() {
    return bytes.int32(-1).int32(0).toByteArray();
  }

  /// Returns the Blocks of the record batches so far.
  List<Block> batches() {
    return batches;
  }

  /// Ends a file with these Blocks in its footer.
  byte[] end(List<Block> recordBatches) {
    try {
      messages.writeEndOfStream();
      messages.writeFooter(
          new Footer(MetadataVersion.V5, schema, dictionaries, recordBatches, Metadata.EMPTY));
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Block message(MessageHeader header, long bodyLength, byte[] body) {
    try {
      Block block = messages.write(header, Metadata.EMPTY, bodyLength);
      messages.write(MemorySegment.ofArray(body));
      return block;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The header of a record batch or dictionary batch, and its body.
  record Body(RecordBatchHeader header, byte[] bytes) {

    /// Returns a body with contiguous buffers.
    static Body of(long rows, List<FieldNode> nodes, byte[]... buffers) {
      return of(rows, nodes, Codec.NONE, List.of(), buffers);
    }

    static Body of(
        long rows,
        List<FieldNode> nodes,
        Codec codec,
        List<Long> variadicBufferCounts,
        byte[]... buffers) {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      List<Buffer> locations = new ArrayList<>();
      for (byte[] buffer : buffers) {
        locations.add(new Buffer(body.size(), buffer.length));
        body.writeBytes(buffer);
        body.writeBytes(new byte[Padding.missing(body.size(), 8)]);
      }
      return at(rows, nodes, codec, variadicBufferCounts, locations, body.toByteArray());
    }

    /// Returns a body with buffers at arbitrary positions.
    static Body at(
        long rows,
        List<FieldNode> nodes,
        Codec codec,
        List<Long> variadicBufferCounts,
        List<Buffer> buffers,
        byte[] body) {
      BodyCompression compression = BodyCodecs.compression(codec);
      return new Body(
          new RecordBatchHeader(rows, nodes, buffers, compression, variadicBufferCounts), body);
    }
  }
}
