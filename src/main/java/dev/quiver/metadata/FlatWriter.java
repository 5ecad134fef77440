package dev.quiver.metadata;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.quiver.memory.ByteString;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntConsumer;

/// Writes tables field by field, each named by its [Slot]. It knows nothing of Arrow.
///
/// A FlatBuffers buffer is built from its end: what a table refers to is written before the table
/// is begun, and is known by a reference, which is never 0.
final class FlatWriter {

  /// More fields than any table has; what is unused at the end of a vtable is cut off.
  private static final int FIELD_COUNT = 8;

  private final FlatBufferBuilder builder = new FlatBufferBuilder(1024);

  FlatWriter begin() {
    builder.startTable(FIELD_COUNT);
    return this;
  }

  /// A number; the default is left out.
  FlatWriter number(Slot slot, long value) {
    int index = slot.index();
    long absent = slot.defaultValue();
    switch (slot.type()) {
      case BOOL -> builder.addBoolean(index, value != 0, absent != 0);
      case INT8, UINT8 -> builder.addByte(index, (byte) value, (int) absent);
      case INT16 -> builder.addShort(index, (short) value, (int) absent);
      case INT32 -> builder.addInt(index, (int) value, (int) absent);
      case INT64 -> builder.addLong(index, value, absent);
      case OFFSET -> throw new IllegalArgumentException(slot.name() + " is not a number");
    }
    return this;
  }

  FlatWriter flag(Slot slot, boolean value) {
    return number(slot, value ? 1 : 0);
  }

  /// A reference to what was written before, or 0 to leave the field out.
  FlatWriter reference(Slot slot, int reference) {
    builder.addOffset(slot.index(), reference, 0);
    return this;
  }

  int end() {
    return builder.endTable();
  }

  int text(String text) {
    return bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  int bytes(ByteString bytes) {
    return bytes(bytes.toByteArray());
  }

  private int bytes(byte[] bytes) {
    return builder.createString(ByteBuffer.wrap(bytes));
  }

  /// A vector of references to tables.
  int tables(int[] references) {
    return builder.createVectorOfTables(references);
  }

  int int32s(List<Integer> values) {
    return vector(values.size(), Integer.BYTES, i -> builder.addInt(values.get(i)));
  }

  int int64s(List<Long> values) {
    return vector(values.size(), Long.BYTES, i -> builder.addLong(values.get(i)));
  }

  /// A vector of which `addElement` writes one element, given its index, in reverse: the last
  /// member first.
  int vector(int length, int elementByteSize, IntConsumer addElement) {
    builder.startVector(elementByteSize, length, Math.min(elementByteSize, Long.BYTES));
    for (int i = length - 1; i >= 0; i--) {
      addElement.accept(i);
    }
    return builder.endVector();
  }

  void addInt64(long value) {
    builder.addLong(value);
  }

  void addInt32(int value) {
    builder.addInt(value);
  }

  /// The buffer about the table at `root`. Nothing is written after.
  byte[] finish(int root) {
    builder.finish(root);
    return builder.sizedByteArray();
  }
}
