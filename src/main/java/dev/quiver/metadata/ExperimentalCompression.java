package dev.quiver.metadata;

import dev.quiver.columnar.KeyValue;
import dev.quiver.columnar.Metadata;
import dev.quiver.input.InputLocation;
import dev.quiver.input.UnsupportedInputException;
import dev.quiver.memory.ByteString;
import dev.quiver.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import java.util.List;
import java.util.Locale;

/// How release 0.17 announced what `RecordBatch.compression` announces since: by an entry in the
/// custom metadata of a V4 message. The buffers are compressed as they are today.
final class ExperimentalCompression {

  private static final String KEY = "ARROW:experimental_compression";

  private ExperimentalCompression() {}

  /// The message as it would be written since, without the entry; one that has none as it is.
  static Message modernised(Message message) {
    ByteString codec = message.customMetadata().get(KEY);
    if (codec == null) {
      return message;
    }
    return switch (message.header()) {
      case RecordBatchHeader batch when batch.compression() == null ->
          modernised(message, compressed(batch, codec));
      case DictionaryBatchHeader batch when batch.data().compression() == null ->
          modernised(
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

  private static Message modernised(Message message, MessageHeader header) {
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

  /// Arrow C++ does not look at the case either.
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
