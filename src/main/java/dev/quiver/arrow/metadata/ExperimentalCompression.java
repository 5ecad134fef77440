package dev.quiver.arrow.metadata;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import java.util.List;
import java.util.Locale;

/// The compression declaration of release 0.17: an entry in the custom metadata of a V4 message,
/// later replaced by `RecordBatch.compression`. The buffers have today's format.
final class ExperimentalCompression {

  private static final String KEY = "ARROW:experimental_compression";

  private ExperimentalCompression() {}

  /// Returns the message in its current form without the entry, or the message itself if the entry
  /// is absent.
  static Message modernized(Message message) {
    ByteString codec = message.customMetadata().get(KEY);
    if (codec == null) {
      return message;
    }
    return switch (message.header()) {
      case RecordBatchHeader batch when batch.compression() == null ->
          modernized(message, compressed(batch, codec));
      case DictionaryBatchHeader batch when batch.data().compression() == null ->
          modernized(
              message,
              new DictionaryBatchHeader(
                  batch.id(), compressed(batch.data(), codec), batch.delta()));
      case RecordBatchHeader _,
          DictionaryBatchHeader _,
          MessageHeader.SchemaHeader _,
          MessageHeader.TensorHeader _,
          MessageHeader.SparseTensorHeader _ ->
          message;
    };
  }

  private static Message modernized(Message message, MessageHeader header) {
    List<KeyValue> others =
        message.customMetadata().entries().stream()
            .filter(entry -> !entry.key().equals(KEY))
            .toList();
    return new Message(message.version(), header, message.bodyLength(), new Metadata(others));
  }

  private static RecordBatchHeader compressed(RecordBatchHeader batch, ByteString codec) {
    return new RecordBatchHeader(
        batch.length(),
        batch.nodes(),
        batch.buffers(),
        new BodyCompression(type(codec)),
        batch.variadicBufferCounts());
  }

  /// Like Arrow C++, ignores case.
  private static CompressionType type(ByteString codec) {
    return switch (codec.toString().toUpperCase(Locale.ROOT)) {
      case "LZ4" -> CompressionType.LZ4_FRAME;
      case "ZSTD" -> CompressionType.ZSTD;
      default ->
          throw new UnsupportedInputException(
              "LZ4 or ZSTD as " + KEY,
              '"' + codec.toString() + '"',
              InputLocation.detail(VtableSlots.MESSAGE_CUSTOM_METADATA.name()));
    };
  }
}
