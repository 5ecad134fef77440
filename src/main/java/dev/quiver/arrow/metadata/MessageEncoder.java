package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.VtableSlots.MESSAGE_BODY_LENGTH;
import static dev.quiver.arrow.metadata.VtableSlots.MESSAGE_CUSTOM_METADATA;
import static dev.quiver.arrow.metadata.VtableSlots.MESSAGE_HEADER;
import static dev.quiver.arrow.metadata.VtableSlots.MESSAGE_HEADER_TYPE;
import static dev.quiver.arrow.metadata.VtableSlots.MESSAGE_VERSION;

import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.SchemaHeader;
import dev.quiver.arrow.metadata.MessageHeader.SparseTensorHeader;
import dev.quiver.arrow.metadata.MessageHeader.TensorHeader;

/// An encoder of table `Message` of Message.fbs, the metadata of an encapsulated message.
public final class MessageEncoder {

  private MessageEncoder() {}

  /// Returns the flatbuffer, without prefix and padding. The same message gives the same bytes.
  ///
  /// The version is V5, regardless of the message's own, so its body must have the buffers of V5.
  ///
  /// @throws IllegalArgumentException if the message is a tensor, whose header is not retained
  public static byte[] encode(Message message) {
    FlatWriter writer = new FlatWriter();
    int header = writeHeader(writer, message.header());
    int metadata = KeyValueWriter.writeAll(writer, message.customMetadata());
    return writer.finish(
        writer
            .begin()
            .number(MESSAGE_VERSION, VersionReader.code(MetadataVersion.V5))
            .number(MESSAGE_HEADER_TYPE, headerCode(message.header()).ordinal())
            .reference(MESSAGE_HEADER, header)
            .number(MESSAGE_BODY_LENGTH, message.bodyLength())
            .reference(MESSAGE_CUSTOM_METADATA, metadata)
            .end());
  }

  private static int writeHeader(FlatWriter writer, MessageHeader header) {
    return switch (header) {
      case SchemaHeader(var schema) -> SchemaWriter.write(writer, schema);
      case DictionaryBatchHeader batch -> RecordBatchHeaderWriter.writeDictionary(writer, batch);
      case RecordBatchHeader batch -> RecordBatchHeaderWriter.write(writer, batch);
      case TensorHeader _, SparseTensorHeader _ ->
          throw new IllegalArgumentException(
              "Expected a schema or batch but found a tensor, which cannot be written");
    };
  }

  private static HeaderCode headerCode(MessageHeader header) {
    return switch (header) {
      case SchemaHeader _ -> HeaderCode.SCHEMA;
      case DictionaryBatchHeader _ -> HeaderCode.DICTIONARY_BATCH;
      case RecordBatchHeader _ -> HeaderCode.RECORD_BATCH;
      case TensorHeader _ -> HeaderCode.TENSOR;
      case SparseTensorHeader _ -> HeaderCode.SPARSE_TENSOR;
    };
  }
}
