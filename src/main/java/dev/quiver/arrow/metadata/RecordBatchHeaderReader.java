package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.VtableSlots.*;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A reader of tables `RecordBatch` and `DictionaryBatch` of Message.fbs.
///
/// It does not check that nodes and buffers match the schema and are inside the body.
final class RecordBatchHeaderReader {

  private RecordBatchHeaderReader() {}

  static RecordBatchHeader read(FlatTable table, Limits limits) {
    long length = table.nonNegative(RECORD_BATCH_LENGTH);
    limits
        .batchRows()
        .check(length, "rows in a record batch", InputLocation.detail(RECORD_BATCH_LENGTH.name()));
    return new RecordBatchHeader(
        length,
        readNodes(table.elements(RECORD_BATCH_NODES, FIELD_NODE_BYTE_SIZE)),
        readBuffers(table.elements(RECORD_BATCH_BUFFERS, BUFFER_BYTE_SIZE)),
        readCompression(table.table(RECORD_BATCH_COMPRESSION)),
        readCounts(table.elements(RECORD_BATCH_VARIADIC_BUFFER_COUNTS, Long.BYTES)));
  }

  static DictionaryBatchHeader readDictionary(FlatTable table, Limits limits) {
    return new DictionaryBatchHeader(
        table.number(DICTIONARY_BATCH_ID),
        read(table.requiredTable(DICTIONARY_BATCH_DATA), limits),
        table.flag(DICTIONARY_BATCH_IS_DELTA));
  }

  private static List<FieldNode> readNodes(FlatVector structs) {
    List<FieldNode> nodes = new ArrayList<>(structs.length());
    for (int i = 0; i < structs.length(); i++) {
      long length = structs.nonNegativeInt64(i, FIELD_NODE_LENGTH, "length");
      long nullCount = structs.int64(i, FIELD_NODE_NULL_COUNT);
      if (nullCount < -1 || nullCount > length) {
        throw structs.malformed(i, "null_count", "-1 (unknown) to " + length, nullCount);
      }
      nodes.add(new FieldNode(length, nullCount));
    }
    return nodes;
  }

  private static List<Buffer> readBuffers(FlatVector structs) {
    List<Buffer> buffers = new ArrayList<>(structs.length());
    for (int i = 0; i < structs.length(); i++) {
      long offset = structs.nonNegativeInt64(i, BUFFER_OFFSET, "offset");
      long length = structs.nonNegativeInt64(i, BUFFER_LENGTH, "length");
      if (length > Long.MAX_VALUE - offset) {
        throw structs.malformed(i, "length", "at most " + (Long.MAX_VALUE - offset), length);
      }
      buffers.add(new Buffer(offset, length));
    }
    return buffers;
  }

  private static @Nullable BodyCompression readCompression(@Nullable FlatTable table) {
    if (table == null) {
      return null;
    }
    long method = table.number(BODY_COMPRESSION_METHOD);
    if (method != 0) {
      throw table.unsupported(BODY_COMPRESSION_METHOD, "0 (BUFFER)", method);
    }
    return new BodyCompression(table.constant(BODY_COMPRESSION_CODEC, CompressionType.values()));
  }

  private static List<Long> readCounts(FlatVector numbers) {
    List<Long> counts = new ArrayList<>(numbers.length());
    for (int i = 0; i < numbers.length(); i++) {
      counts.add(numbers.nonNegativeInt64(i, 0, ""));
    }
    return counts;
  }
}
