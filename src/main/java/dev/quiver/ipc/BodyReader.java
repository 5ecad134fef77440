package dev.quiver.ipc;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.BufferLayout;
import dev.quiver.columnar.BufferRole;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.Layout;
import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.memory.InputException;
import dev.quiver.memory.Limits;
import dev.quiver.memory.LittleEndian;
import dev.quiver.memory.MalformedInputException;
import dev.quiver.memory.Place;
import dev.quiver.memory.UnsupportedInputException;
import dev.quiver.metadata.FieldNode;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.metadata.MetadataVersion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/// Turns the nodes and buffers of one body into arrays: it walks the fields, parents before
/// children, and takes what [Layout] says each needs.
///
/// Buffers that are not compressed stay where they are in the body. That buffers lie in the body,
/// and that there are as many as the schema needs, is checked here; whether they hold what the
/// format says is for validation.
final class BodyReader {

  private final RecordBatchHeader header;
  private final MetadataVersion version;
  private final Iterator<FieldNode> nodes;
  private final Iterator<Long> variadicBufferCounts;
  private final BodyBuffers buffers;
  private final Dictionaries dictionaries;
  private int nodeCount;

  private BodyReader(
      RecordBatchHeader header,
      MetadataVersion version,
      MemorySegment body,
      Dictionaries dictionaries,
      SegmentAllocator allocator,
      Limits limits) {
    this.header = header;
    this.version = version;
    this.nodes = header.nodes().iterator();
    this.variadicBufferCounts = header.variadicBufferCounts().iterator();
    this.buffers = new BodyBuffers(header, body, allocator, limits);
    this.dictionaries = dictionaries;
  }

  /// The columns of a batch, or the one column of a dictionary.
  static List<ArrayData> readColumns(
      List<Field> fields,
      RecordBatchHeader header,
      MetadataVersion version,
      MemorySegment body,
      Dictionaries dictionaries,
      SegmentAllocator allocator,
      Limits limits) {
    BodyReader reader = new BodyReader(header, version, body, dictionaries, allocator, limits);
    List<ArrayData> columns = new ArrayList<>(fields.size());
    for (Field field : fields) {
      columns.add(reader.read(field, field.name()));
    }
    reader.requireEnd();
    return columns;
  }

  static RecordBatch readBatch(
      Schema schema,
      RecordBatchHeader header,
      MetadataVersion version,
      Metadata customMetadata,
      MemorySegment body,
      Dictionaries dictionaries,
      SegmentAllocator allocator,
      Limits limits) {
    List<ArrayData> columns =
        readColumns(schema.fields(), header, version, body, dictionaries, allocator, limits);
    return new RecordBatch(schema, header.length(), columns, customMetadata);
  }

  private ArrayData read(Field field, String path) {
    try {
      return readArray(field, path);
    } catch (InputException e) {
      throw e.within(Place.field(path));
    }
  }

  private ArrayData readArray(Field field, String path) {
    if (version == MetadataVersion.V4 && field.storageType() instanceof ArrowType.Union) {
      throw new UnsupportedInputException(
          "a union in metadata version V5",
          "one in V4, which has a validity buffer",
          Place.UNKNOWN);
    }
    FieldNode node = nextNode();
    Layout layout = Layout.of(field);
    List<MemorySegment> own = new ArrayList<>(layout.buffers().size());
    for (BufferLayout buffer : layout.buffers()) {
      own.add(buffers.next(neededByteSize(buffer, layout, own, node.length())));
    }
    if (layout.variadic()) {
      for (long remaining = nextVariadicBufferCount(); remaining > 0; remaining--) {
        own.add(buffers.next(0));
      }
    }
    List<ArrayData> children = new ArrayList<>(field.storageChildren().size());
    for (Field child : field.storageChildren()) {
      children.add(read(child, path + "." + child.name()));
    }
    ArrayData dictionary =
        field.dictionary() == null ? null : dictionaries.get(field.dictionary().id());
    return new ArrayData(field, node.length(), node.nullCount(), own, children, dictionary);
  }

  /// What the array needs of a buffer; of bytes that offsets delimit, what the last offset says.
  private static long neededByteSize(
      BufferLayout buffer, Layout layout, List<MemorySegment> before, long length) {
    if (buffer.role() != BufferRole.DATA || layout.indexOf(BufferRole.OFFSETS) < 0) {
      try {
        return buffer.minimumByteSize(length);
      } catch (ArithmeticException e) {
        return 0;
      }
    }
    int offsetsIndex = layout.indexOf(BufferRole.OFFSETS);
    MemorySegment offsets = before.get(offsetsIndex);
    long byteWidth = layout.buffers().get(offsetsIndex).bitWidth() >>> 3;
    // Division, since a forged length times the width may overflow.
    if (length >= offsets.byteSize() / byteWidth) {
      return 0;
    }
    long last =
        byteWidth == Long.BYTES
            ? LittleEndian.getInt64(offsets, length << 3)
            : LittleEndian.getInt32(offsets, length << 2);
    return Math.max(0, last);
  }

  private FieldNode nextNode() {
    if (!nodes.hasNext()) {
      throw new MalformedInputException(
          "more field nodes, as the schema needs",
          "only " + nodeCount,
          Place.detail("RecordBatch.nodes"));
    }
    nodeCount++;
    return nodes.next();
  }

  private long nextVariadicBufferCount() {
    if (!variadicBufferCounts.hasNext()) {
      throw new MalformedInputException(
          "a count of data buffers for every view array",
          "only " + header.variadicBufferCounts().size(),
          Place.detail("RecordBatch.variadicBufferCounts"));
    }
    return variadicBufferCounts.next();
  }

  private void requireEnd() {
    if (nodes.hasNext()) {
      throw new MalformedInputException(
          nodeCount + " field nodes, as the schema needs",
          Integer.toString(header.nodes().size()),
          Place.detail("RecordBatch.nodes"));
    }
    if (variadicBufferCounts.hasNext()) {
      throw new MalformedInputException(
          "a count of data buffers for every view array and no more",
          Integer.toString(header.variadicBufferCounts().size()),
          Place.detail("RecordBatch.variadicBufferCounts"));
    }
    buffers.requireEnd();
  }
}
