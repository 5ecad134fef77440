package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.VtableSlots.MESSAGE_BODY_LENGTH;
import static dev.quiver.arrow.metadata.VtableSlots.MESSAGE_CUSTOM_METADATA;
import static dev.quiver.arrow.metadata.VtableSlots.MESSAGE_HEADER;
import static dev.quiver.arrow.metadata.VtableSlots.MESSAGE_HEADER_TYPE;
import static dev.quiver.arrow.metadata.VtableSlots.MESSAGE_VERSION;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.MessageHeader.SchemaHeader;
import dev.quiver.arrow.type.Metadata;
import java.lang.foreign.MemorySegment;

/// A decoder of table `Message` of Message.fbs, the metadata of an encapsulated message.
///
/// It distrusts the input: every number is checked when read, and amplification of small inputs is
/// limited. Padding after the flatbuffer is ignored.
public final class MessageDecoder {

  private MessageDecoder() {}

  /// @param flatbuffer the metadata without its prefix, at any alignment
  /// @throws dev.quiver.arrow.memory.InputException if the metadata is malformed, has an
  ///   unsupported version or feature, or exceeds one of `limits`
  public static Message decode(MemorySegment flatbuffer, Limits limits) {
    return decode(new FlatBuffer(flatbuffer), limits);
  }

  static Message decode(FlatBuffer buffer, Limits limits) {
    FlatTable table = buffer.root("Message");
    MetadataVersion version = VersionReader.read(table, MESSAGE_VERSION);
    long bodyLength = table.nonNegative(MESSAGE_BODY_LENGTH);
    limits
        .bodyBytes()
        .check(bodyLength, "bytes in a body", InputLocation.detail(MESSAGE_BODY_LENGTH.name()));
    MessageHeader header = readHeader(table, limits);
    if (header instanceof SchemaHeader && bodyLength != 0) {
      throw table.malformed(MESSAGE_BODY_LENGTH, "0 bytes after a schema", bodyLength);
    }
    Metadata metadata = KeyValueReader.readAll(table.tables(MESSAGE_CUSTOM_METADATA));
    Message message = new Message(version, header, bodyLength, metadata);
    return version == MetadataVersion.V4 ? ExperimentalCompression.modernized(message) : message;
  }

  private static MessageHeader readHeader(FlatTable table, Limits limits) {
    HeaderCode code = table.constant(MESSAGE_HEADER_TYPE, HeaderCode.values());
    if (code == HeaderCode.NONE) {
      throw table.malformed(MESSAGE_HEADER_TYPE, "the code of a header", "0 (NONE)");
    }
    FlatTable header = table.requiredTable(MESSAGE_HEADER);
    return switch (code) {
      case NONE, SCHEMA -> new SchemaHeader(SchemaReader.read(header, limits));
      case DICTIONARY_BATCH -> RecordBatchHeaderReader.readDictionary(header, limits);
      case RECORD_BATCH -> RecordBatchHeaderReader.read(header, limits);
      case TENSOR -> TensorReader.read(header);
      case SPARSE_TENSOR -> TensorReader.readSparse(header);
    };
  }
}
