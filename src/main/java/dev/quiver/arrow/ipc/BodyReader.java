package dev.quiver.arrow.ipc;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.BufferLayout;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.FieldPath;
import dev.quiver.arrow.type.Layout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/// A reader that turns the nodes and buffers of one body into arrays. It walks the fields, parents
/// before children, and consumes what [Layout] prescribes for each.
///
/// Uncompressed little-endian buffers stay in place in the body. This class checks that buffers lie
/// in the body and that their number matches the schema. Validation checks their content.
final class BodyReader {

  private final RecordBatchHeader header;
  private final LegacyValidityBuffers legacyValidity;
  private final boolean swaps;
  private final Iterator<FieldNode> nodes;
  private final Iterator<Long> variadicBufferCounts;
  private final BodyBuffers buffers;
  private final Dictionaries dictionaries;
  private int nodeCount;

  /// @param legacyValidity the arrays whose obsolete validity buffer is skipped
  /// @param swaps whether the body is big-endian
  BodyReader(
      RecordBatchHeader header,
      LegacyValidityBuffers legacyValidity,
      boolean swaps,
      BodyBuffers buffers,
      Dictionaries dictionaries) {
    this.header = header;
    this.legacyValidity = legacyValidity;
    this.swaps = swaps;
    this.nodes = header.nodes().iterator();
    this.variadicBufferCounts = header.variadicBufferCounts().iterator();
    this.buffers = buffers;
    this.dictionaries = dictionaries;
  }

  /// Returns the columns of a batch, or the single column of a dictionary.
  List<ArrayData> readColumns(List<Field> fields) {
    List<ArrayData> columns = new ArrayList<>(fields.size());
    for (Field field : fields) {
      columns.add(read(field, FieldPath.of(field)));
    }
    requireEnd();
    return columns;
  }

  private ArrayData read(Field field, FieldPath path) {
    try {
      return readArray(field, path);
    } catch (InputException e) {
      throw e.place().field() == null ? e.within(InputLocation.field(path.toString())) : e;
    }
  }

  private ArrayData readArray(Field field, FieldPath path) {
    FieldNode node = legacyValidity.concerns(field) ? nextWithoutNulls(field) : nextNode();
    Layout layout = Layout.of(field);
    List<MemorySegment> own = new ArrayList<>(layout.buffers().size());
    for (BufferLayout buffer : layout.buffers()) {
      long needed = neededByteSize(buffer, layout, own, node.length());
      own.add(
          swaps ? buffers.nextSwapped(needed, buffer, field.storageType()) : buffers.next(needed));
    }
    if (layout.variadic()) {
      for (long remaining = nextVariadicBufferCount(); remaining > 0; remaining--) {
        own.add(buffers.next(0));
      }
    }
    List<ArrayData> children = new ArrayList<>(field.storageChildren().size());
    for (Field child : field.storageChildren()) {
      children.add(read(child, path.child(child)));
    }
    ArrayData dictionary =
        field.dictionary() == null ? null : dictionaries.get(field.dictionary().id());
    return new ArrayData(field, node.length(), node.nullCount(), own, children, dictionary);
  }

  /// Returns the size that the array needs of a buffer. For bytes that offsets delimit, that is the
  /// last offset.
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
    // Division avoids overflow: a forged length times the width may exceed a long.
    if (length >= offsets.byteSize() / byteWidth) {
      return 0;
    }
    long last =
        byteWidth == Long.BYTES
            ? LittleEndian.getInt64(offsets, length << 3)
            : LittleEndian.getInt32(offsets, length << 2);
    return Math.max(0, last);
  }

  /// Returns the next node of an array with a validity buffer that V5 abolished. The buffer is
  /// skipped, so no slot may be null by it.
  private FieldNode nextWithoutNulls(Field field) {
    FieldNode node = nextNode();
    MemorySegment validity = buffers.next(Bitmaps.byteSize(node.length()));
    long nullCount = node.nullCount();
    if (nullCount == -1 && node.length() >>> 3 < validity.byteSize()) {
      nullCount = node.length() - Bitmaps.countSet(validity, node.length());
    }
    if (nullCount > 0) {
      throw new UnsupportedInputException(
          "no nulls in %s itself, only in its children, even in metadata version V4"
              .formatted(field.storageType()),
          nullCount + " nulls",
          InputLocation.detail("RecordBatch.nodes"));
    }
    return new FieldNode(node.length(), 0);
  }

  private FieldNode nextNode() {
    if (!nodes.hasNext()) {
      throw new MalformedInputException(
          "more field nodes for the schema",
          "only " + nodeCount,
          InputLocation.detail("RecordBatch.nodes"));
    }
    nodeCount++;
    return nodes.next();
  }

  private long nextVariadicBufferCount() {
    if (!variadicBufferCounts.hasNext()) {
      throw new MalformedInputException(
          "a data buffer count for every view array",
          "only " + header.variadicBufferCounts().size(),
          InputLocation.detail("RecordBatch.variadicBufferCounts"));
    }
    return variadicBufferCounts.next();
  }

  private void requireEnd() {
    if (nodes.hasNext()) {
      throw new MalformedInputException(
          nodeCount + " field nodes for the schema",
          Integer.toString(header.nodes().size()),
          InputLocation.detail("RecordBatch.nodes"));
    }
    if (variadicBufferCounts.hasNext()) {
      throw new MalformedInputException(
          "exactly one data buffer count per view array",
          Integer.toString(header.variadicBufferCounts().size()),
          InputLocation.detail("RecordBatch.variadicBufferCounts"));
    }
    buffers.requireEnd();
  }
}
