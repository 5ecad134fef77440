package dev.quiver.store.read;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.ipc.DictionaryFields;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.transform.ListedArray;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The approximate size of rows without any encoding: buffers are decompressed, and dictionaries
/// and runs are replaced by their values.
///
/// It depends on the stored data alone, not on the library that has compressed it. Only metadata is
/// read, and the sizes of compressed buffers.
public final class PlainRowSize {

  /// The position, the size and the first bytes of a text or a list in the memory of an engine.
  private static final double VARIABLE_BYTE_SIZE = 16;

  private final SelectedMessages messages;
  private final Map<Long, Double> valueByteSizes = new HashMap<>();

  /// Reads the sizes of the dictionaries.
  PlainRowSize(SelectedMessages messages) throws IOException {
    this.messages = messages;
    DictionaryFields fields = DictionaryFields.of(messages.schema());
    List<Block> blocks = messages.dictionaries();
    for (int i = 0; i < blocks.size(); i++) {
      DictionaryBatchHeader header = messages.dictionary(i);
      Field values = fields.values(header.id());
      if (values != null) {
        double byteSize = byteSize(List.of(values), header.data(), blocks.get(i));
        valueByteSizes.put(header.id(), byteSize / Math.max(1, header.data().length()));
      }
    }
  }

  /// Returns the mean size of a row in the batch whose rows are the largest.
  long maximum(WantedWork work) throws IOException {
    double maximum = 0;
    for (int i = 0; i < messages.batchCount(); i++) {
      work.beginBatch(/* isDecoded= */ false);
      RecordBatchHeader header = (RecordBatchHeader) messages.message(i).message().header();
      double byteSize = byteSize(messages.schema().fields(), header, messages.block(i));
      maximum = Math.max(maximum, byteSize / Math.max(1, header.length()));
    }
    return (long) maximum;
  }

  private double byteSize(List<Field> fields, RecordBatchHeader header, Block block)
      throws IOException {
    List<ListedArray> arrays = ListedArray.of(fields, header);
    double byteSize = 0;
    for (int i = 0; i < arrays.size(); i++) {
      byteSize += byteSize(fields.get(i), arrays.get(i), header, block);
    }
    return byteSize;
  }

  private double byteSize(Field field, ListedArray array, RecordBatchHeader header, Block block)
      throws IOException {
    long length = array.node().length();
    DictionaryEncoding dictionary = field.dictionary();
    if (dictionary != null) {
      return length * valueByteSizes.getOrDefault(dictionary.id(), 0.0);
    }
    if (field.type() instanceof ArrowType.RunEndEncoded) {
      ListedArray values = array.children().getLast();
      double byteSize = byteSize(field.children().getLast(), values, header, block);
      return length * (byteSize / Math.max(1, values.node().length()));
    }
    double byteSize = length * fixedByteSize(field.type());
    for (Buffer buffer : array.buffers()) {
      byteSize += messages.uncompressedByteSize(header, buffer, block);
    }
    for (int i = 0; i < array.children().size(); i++) {
      byteSize += byteSize(field.children().get(i), array.children().get(i), header, block);
    }
    return byteSize;
  }

  /// Returns the mean size of a row of a batch in memory.
  public static long of(RecordBatch batch) {
    double byteSize = 0;
    for (ArrayData column : batch.columns()) {
      byteSize += byteSize(column);
    }
    return (long) (byteSize / Math.max(1, batch.length()));
  }

  private static double byteSize(ArrayData array) {
    ArrayData dictionary = array.dictionary();
    if (dictionary != null) {
      return array.length() * (byteSize(dictionary) / Math.max(1, dictionary.length()));
    }
    if (array.field().type() instanceof ArrowType.RunEndEncoded) {
      ArrayData values = array.children().getLast();
      return array.length() * (byteSize(values) / Math.max(1, values.length()));
    }
    double byteSize = array.length() * fixedByteSize(array.field().storageType());
    for (MemorySegment buffer : array.buffers()) {
      byteSize += buffer.byteSize();
    }
    for (ArrayData child : array.children()) {
      byteSize += byteSize(child);
    }
    return byteSize;
  }

  /// Returns the bytes that a value takes beside its buffers.
  private static double fixedByteSize(ArrowType type) {
    return switch (type) {
      case ArrowType.Bool _ -> 1;
      case ArrowType.Null _ -> Integer.BYTES;
      case ArrowType.Bytes _, ArrowType.Text _, ArrowType.VariableList _, ArrowType.ViewList _ ->
          VARIABLE_BYTE_SIZE;
      default -> 0;
    };
  }
}
