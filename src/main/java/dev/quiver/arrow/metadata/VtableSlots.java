package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.Slot.Type.BOOL;
import static dev.quiver.arrow.metadata.Slot.Type.INT16;
import static dev.quiver.arrow.metadata.Slot.Type.INT32;
import static dev.quiver.arrow.metadata.Slot.Type.INT64;
import static dev.quiver.arrow.metadata.Slot.Type.INT8;
import static dev.quiver.arrow.metadata.Slot.Type.OFFSET;
import static dev.quiver.arrow.metadata.Slot.Type.UINT8;

/// The tables and structs of `format/*.fbs` in use, field by field.
///
/// Readers and writers share them; a test compares them with the files.
final class VtableSlots {

  // Message.fbs, table Message
  static final Slot MESSAGE_VERSION = new Slot("Message.version", 0, INT16);
  static final Slot MESSAGE_HEADER_TYPE = new Slot("Message.header_type", 1, UINT8);
  static final Slot MESSAGE_HEADER = new Slot("Message.header", 2, OFFSET);
  static final Slot MESSAGE_BODY_LENGTH = new Slot("Message.bodyLength", 3, INT64);
  static final Slot MESSAGE_CUSTOM_METADATA = new Slot("Message.custom_metadata", 4, OFFSET);

  // Message.fbs, table RecordBatch
  static final Slot RECORD_BATCH_LENGTH = new Slot("RecordBatch.length", 0, INT64);
  static final Slot RECORD_BATCH_NODES = new Slot("RecordBatch.nodes", 1, OFFSET);
  static final Slot RECORD_BATCH_BUFFERS = new Slot("RecordBatch.buffers", 2, OFFSET);
  static final Slot RECORD_BATCH_COMPRESSION = new Slot("RecordBatch.compression", 3, OFFSET);
  static final Slot RECORD_BATCH_VARIADIC_BUFFER_COUNTS =
      new Slot("RecordBatch.variadicBufferCounts", 4, OFFSET);

  // Message.fbs, table DictionaryBatch
  static final Slot DICTIONARY_BATCH_ID = new Slot("DictionaryBatch.id", 0, INT64);
  static final Slot DICTIONARY_BATCH_DATA = new Slot("DictionaryBatch.data", 1, OFFSET);
  static final Slot DICTIONARY_BATCH_IS_DELTA = new Slot("DictionaryBatch.isDelta", 2, BOOL);

  // Message.fbs, table BodyCompression
  static final Slot BODY_COMPRESSION_CODEC = new Slot("BodyCompression.codec", 0, INT8);
  static final Slot BODY_COMPRESSION_METHOD = new Slot("BodyCompression.method", 1, INT8);

  // Message.fbs, struct FieldNode
  static final int FIELD_NODE_LENGTH = 0;
  static final int FIELD_NODE_NULL_COUNT = 8;
  static final int FIELD_NODE_BYTE_SIZE = 16;

  // File.fbs, table Footer
  static final Slot FOOTER_VERSION = new Slot("Footer.version", 0, INT16);
  static final Slot FOOTER_SCHEMA = new Slot("Footer.schema", 1, OFFSET);
  static final Slot FOOTER_DICTIONARIES = new Slot("Footer.dictionaries", 2, OFFSET);
  static final Slot FOOTER_RECORD_BATCHES = new Slot("Footer.recordBatches", 3, OFFSET);
  static final Slot FOOTER_CUSTOM_METADATA = new Slot("Footer.custom_metadata", 4, OFFSET);

  // File.fbs, struct Block; four bytes of padding follow metaDataLength
  static final int BLOCK_OFFSET = 0;
  static final int BLOCK_META_DATA_LENGTH = 8;
  static final int BLOCK_BODY_LENGTH = 16;
  static final int BLOCK_BYTE_SIZE = 24;

  // Schema.fbs, table Schema
  static final Slot SCHEMA_ENDIANNESS = new Slot("Schema.endianness", 0, INT16);
  static final Slot SCHEMA_FIELDS = new Slot("Schema.fields", 1, OFFSET);
  static final Slot SCHEMA_CUSTOM_METADATA = new Slot("Schema.custom_metadata", 2, OFFSET);
  static final Slot SCHEMA_FEATURES = new Slot("Schema.features", 3, OFFSET);

  // Schema.fbs, table Field
  static final Slot FIELD_NAME = new Slot("Field.name", 0, OFFSET);
  static final Slot FIELD_NULLABLE = new Slot("Field.nullable", 1, BOOL);
  static final Slot FIELD_TYPE_TYPE = new Slot("Field.type_type", 2, UINT8);
  static final Slot FIELD_TYPE = new Slot("Field.type", 3, OFFSET);
  static final Slot FIELD_DICTIONARY = new Slot("Field.dictionary", 4, OFFSET);
  static final Slot FIELD_CHILDREN = new Slot("Field.children", 5, OFFSET);
  static final Slot FIELD_CUSTOM_METADATA = new Slot("Field.custom_metadata", 6, OFFSET);

  // Schema.fbs, table DictionaryEncoding
  static final Slot DICTIONARY_ENCODING_ID = new Slot("DictionaryEncoding.id", 0, INT64);
  static final Slot DICTIONARY_ENCODING_INDEX_TYPE =
      new Slot("DictionaryEncoding.indexType", 1, OFFSET);
  static final Slot DICTIONARY_ENCODING_IS_ORDERED =
      new Slot("DictionaryEncoding.isOrdered", 2, BOOL);
  static final Slot DICTIONARY_ENCODING_DICTIONARY_KIND =
      new Slot("DictionaryEncoding.dictionaryKind", 3, INT16);

  // Schema.fbs, table KeyValue
  static final Slot KEY_VALUE_KEY = new Slot("KeyValue.key", 0, OFFSET);
  static final Slot KEY_VALUE_VALUE = new Slot("KeyValue.value", 1, OFFSET);

  // Schema.fbs, struct Buffer
  static final int BUFFER_OFFSET = 0;
  static final int BUFFER_LENGTH = 8;
  static final int BUFFER_BYTE_SIZE = 16;

  // Schema.fbs, the types that have parameters
  static final Slot INT_BIT_WIDTH = new Slot("Int.bitWidth", 0, INT32);
  static final Slot INT_IS_SIGNED = new Slot("Int.is_signed", 1, BOOL);
  static final Slot FLOATING_POINT_PRECISION = new Slot("FloatingPoint.precision", 0, INT16);
  static final Slot DECIMAL_PRECISION = new Slot("Decimal.precision", 0, INT32);
  static final Slot DECIMAL_SCALE = new Slot("Decimal.scale", 1, INT32);
  static final Slot DECIMAL_BIT_WIDTH = new Slot("Decimal.bitWidth", 2, INT32, 128);
  static final Slot DATE_UNIT = new Slot("Date.unit", 0, INT16, 1);
  static final Slot TIME_UNIT = new Slot("Time.unit", 0, INT16, 1);
  static final Slot TIME_BIT_WIDTH = new Slot("Time.bitWidth", 1, INT32, 32);
  static final Slot TIMESTAMP_UNIT = new Slot("Timestamp.unit", 0, INT16);
  static final Slot TIMESTAMP_TIMEZONE = new Slot("Timestamp.timezone", 1, OFFSET);
  static final Slot INTERVAL_UNIT = new Slot("Interval.unit", 0, INT16);
  static final Slot UNION_MODE = new Slot("Union.mode", 0, INT16);
  static final Slot UNION_TYPE_IDS = new Slot("Union.typeIds", 1, OFFSET);
  static final Slot FIXED_SIZE_BINARY_BYTE_WIDTH = new Slot("FixedSizeBinary.byteWidth", 0, INT32);
  static final Slot FIXED_SIZE_LIST_LIST_SIZE = new Slot("FixedSizeList.listSize", 0, INT32);
  static final Slot MAP_KEYS_SORTED = new Slot("Map.keysSorted", 0, BOOL);
  static final Slot DURATION_UNIT = new Slot("Duration.unit", 0, INT16, 1);

  private VtableSlots() {}
}
