package dev.quiver.dataset;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.Schema;
import dev.quiver.ipc.EncapsulatedMessage;
import dev.quiver.ipc.EncodedBody;
import dev.quiver.ipc.MessageReader;
import dev.quiver.ipc.MessageWriter;
import dev.quiver.memory.ByteSink;
import dev.quiver.memory.Padding;
import dev.quiver.metadata.Block;
import dev.quiver.metadata.BodyCompression;
import dev.quiver.metadata.CompressionType;
import dev.quiver.metadata.Footer;
import dev.quiver.metadata.MessageCompleteness;
import dev.quiver.metadata.MessageHeader;
import dev.quiver.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.metadata.MetadataVersion;
import dev.quiver.validate.Level;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes the one form in which data is stored, and remembers what its footer needs.
///
/// ```
/// File --> "ARROW1" 00 00 Schema Dictionary* RecordBatch* EndOfStream
///          Footer FooterByteSize:int32 "ARROW1"
/// ```
///
/// Each id has one dictionary. Everything before the footer starts on a multiple of 8. Metadata
/// that is V5, complete and strict is copied as it came, byte for byte, together with its body when
/// that is canonical.
final class CanonicalWriter implements ByteSink {

  private static final int ALIGNMENT = 8;

  private final MessageWriter messages;
  private final List<Block> dictionaries = new ArrayList<>();
  private final List<Block> recordBatches = new ArrayList<>();
  private final CumulativeRows rows = new CumulativeRows();
  private @Nullable CompressionType codec;
  private int schemaMetaDataLength;

  CanonicalWriter(ByteSink sink) throws IOException {
    this.messages = new MessageWriter(sink);
    messages.writeFileHeader();
  }

  int batchCount() {
    return rows.batchCount();
  }

  /// Bytes written so far.
  long position() {
    return messages.position();
  }

  /// Writes part of a body whose message was begun.
  @Override
  public void write(MemorySegment source) throws IOException {
    messages.write(source);
  }

  void writeSchema(Schema schema) throws IOException {
    schemaMetaDataLength = messages.writeSchema(schema).metaDataLength();
  }

  void writeSchema(EncapsulatedMessage message) throws IOException {
    if (isCanonical(message)) {
      schemaMetaDataLength = messages.writeMetadata(padded(message.metadata()), 0).metaDataLength();
    } else {
      writeSchema(MessageReader.schemaOf(message));
    }
  }

  /// Writes everything but the body, which is canonical and is to be written next, as it came.
  void begin(EncapsulatedMessage message) throws IOException {
    MessageHeader header = message.message().header();
    long bodyLength = message.message().bodyLength();
    Block block =
        isCanonical(message)
            ? messages.writeMetadata(padded(message.metadata()), bodyLength)
            : messages.write(header, message.message().customMetadata(), bodyLength);
    remember(block, header);
  }

  /// Writes a message whose body was laid out anew.
  void write(EncapsulatedMessage message, EncodedBody body) throws IOException {
    MessageHeader header =
        message.message().header() instanceof DictionaryBatchHeader dictionary
            ? new DictionaryBatchHeader(dictionary.id(), body.header(), dictionary.delta())
            : body.header();
    Block block = messages.write(header, message.message().customMetadata(), body.byteSize());
    body.writeTo(messages);
    remember(block, header);
  }

  /// Writes a dictionary that did not come.
  void writeDictionary(long id, ArrayData values) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      EncodedBody body = EncodedBody.of(values.length(), List.of(values), null, arena);
      dictionaries.add(messages.writeDictionary(id, body));
    }
  }

  /// Writes the end of the stream, the footer, and what follows it.
  ///
  /// @param customMetadata of the footer, to which the rows are added
  /// @param level how far the data was found to be valid
  StoredFile finish(Schema schema, Metadata customMetadata, Level level) throws IOException {
    messages.writeEndOfStream();
    long footerOffset = messages.position();
    Footer footer =
        new Footer(
            MetadataVersion.V5, schema, dictionaries, recordBatches, rows.in(customMetadata));
    int footerLength = messages.writeFooter(footer);
    return new StoredFile(
        rows.total(),
        rows.batchCount(),
        messages.position(),
        codec,
        level,
        schemaMetaDataLength,
        footerOffset,
        footerLength);
  }

  private void remember(Block block, MessageHeader header) {
    switch (header) {
      case DictionaryBatchHeader _ -> dictionaries.add(block);
      case RecordBatchHeader batch -> {
        recordBatches.add(block);
        rows.add(batch.length());
        BodyCompression compression = batch.compression();
        if (codec == null && compression != null) {
          codec = compression.codec();
        }
      }
      case MessageHeader.SchemaHeader _,
          MessageHeader.TensorHeader _,
          MessageHeader.SparseTensorHeader _ ->
          throw new IllegalArgumentException("Not a message of a batch: " + header);
    }
  }

  private static boolean isCanonical(EncapsulatedMessage message) {
    return message.message().version() == MetadataVersion.V5
        && MessageCompleteness.isComplete(message.metadata())
        && MessageCompleteness.isStrict(message.metadata());
  }

  private static MemorySegment padded(MemorySegment metadata) {
    int padding = Padding.missing(metadata.byteSize(), ALIGNMENT);
    if (padding == 0) {
      return metadata;
    }
    MemorySegment padded =
        MemorySegment.ofArray(new byte[Math.toIntExact(metadata.byteSize() + padding)]);
    MemorySegment.copy(metadata, 0, padded, 0, metadata.byteSize());
    return padded;
  }
}
