package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.VtableSlots.*;

import dev.quiver.arrow.memory.Limits;
import java.lang.foreign.MemorySegment;

/// A check for fields that the format makes optional but some readers require. Arrow C++ rejects
/// absent index types of dictionaries, and absent vectors even if they would be empty.
///
/// [MessageEncoder] writes all of them, and its output is strict as well.
public final class MessageCompleteness {

  private static final Limits NO_LIMITS =
      Limits.of(
          Long.MAX_VALUE,
          Long.MAX_VALUE,
          Long.MAX_VALUE,
          Long.MAX_VALUE,
          Long.MAX_VALUE,
          Long.MAX_VALUE,
          Long.MAX_VALUE,
          Long.MAX_VALUE);

  private MessageCompleteness() {}

  /// Returns whether the flatbuffer passes a verifier, such as Arrow C++ has. [MessageDecoder] also
  /// accepts unaligned data, and strings without a zero byte after them.
  ///
  /// @param flatbuffer a message that [MessageDecoder] has decoded
  public static boolean isStrict(MemorySegment flatbuffer) {
    FlatBuffer buffer = new FlatBuffer(flatbuffer);
    MessageDecoder.decode(buffer, NO_LIMITS);
    return buffer.isStrict();
  }

  /// Returns whether the message has every field that some readers require.
  ///
  /// @param flatbuffer a message that [MessageDecoder] has decoded
  public static boolean isComplete(MemorySegment flatbuffer) {
    FlatTable message = new FlatBuffer(flatbuffer).root("Message");
    FlatTable header = message.requiredTable(MESSAGE_HEADER);
    return keyValuesAreComplete(message.tables(MESSAGE_CUSTOM_METADATA))
        && switch (message.constant(MESSAGE_HEADER_TYPE, HeaderCode.values())) {
          case SCHEMA -> schemaIsComplete(header);
          case DICTIONARY_BATCH -> batchIsComplete(header.requiredTable(DICTIONARY_BATCH_DATA));
          case RECORD_BATCH -> batchIsComplete(header);
          case NONE, TENSOR, SPARSE_TENSOR -> true;
        };
  }

  private static boolean schemaIsComplete(FlatTable schema) {
    return schema.has(SCHEMA_FIELDS)
        && keyValuesAreComplete(schema.tables(SCHEMA_CUSTOM_METADATA))
        && fieldsAreComplete(schema.tables(SCHEMA_FIELDS));
  }

  private static boolean fieldsAreComplete(FlatVector fields) {
    for (int i = 0; i < fields.length(); i++) {
      FlatTable field = fields.table(i);
      FlatTable dictionary = field.table(FIELD_DICTIONARY);
      if (!field.has(FIELD_NAME)
          || !field.has(FIELD_CHILDREN)
          || dictionary != null && !dictionary.has(DICTIONARY_ENCODING_INDEX_TYPE)
          || !keyValuesAreComplete(field.tables(FIELD_CUSTOM_METADATA))
          || !fieldsAreComplete(field.tables(FIELD_CHILDREN))) {
        return false;
      }
    }
    return true;
  }

  private static boolean keyValuesAreComplete(FlatVector keyValues) {
    for (int i = 0; i < keyValues.length(); i++) {
      FlatTable keyValue = keyValues.table(i);
      if (!keyValue.has(KEY_VALUE_KEY) || !keyValue.has(KEY_VALUE_VALUE)) {
        return false;
      }
    }
    return true;
  }

  private static boolean batchIsComplete(FlatTable batch) {
    return batch.has(RECORD_BATCH_NODES) && batch.has(RECORD_BATCH_BUFFERS);
  }
}
