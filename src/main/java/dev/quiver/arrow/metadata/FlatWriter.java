package dev.quiver.arrow.metadata;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.quiver.arrow.memory.ByteString;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntConsumer;

/// A writer of FlatBuffers tables, independent of Arrow. It writes tables field by field, each
/// identified by its [Slot].
///
/// A FlatBuffers buffer is built from its end. The parts of a table are written before the table
/// begins, and are identified by a reference, which is never 0.
final class FlatWriter {

  /// More fields than any table has; unused entries at the end of a vtable are trimmed.
  private static final int FIELD_COUNT = 8;

  private static final int BYTE_SIZE = 1024;

  private final FlatBufferBuilder builder;

  FlatWriter() {
    this(BYTE_SIZE);
  }

  /// @param byteSize the approximate size of the buffer, which doubles as often as needed
  FlatWriter(int byteSize) {
    this.builder = new FlatBufferBuilder(Math.max(BYTE_SIZE, byteSize));
  }

  FlatWriter begin() {
    builder.startTable(FIELD_COUNT);
    return this;
  }

  /// Writes a number unless it is the default.
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

  /// Writes a reference to an earlier part; 0 omits the field.
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

  /// Writes a vector of references to tables.
  int tables(int[] references) {
    return builder.createVectorOfTables(references);
  }

  int int32s(List<Integer> values) {
    return vector(values.size(), Integer.BYTES, i -> builder.addInt(values.get(i)));
  }

  int int64s(List<Long> values) {
    return vector(values.size(), Long.BYTES, i -> builder.addLong(values.get(i)));
  }

  /// Writes a vector. `addElement` writes the element at the given index in reverse: the last
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

  /// Returns the buffer with the table at `root`. No writes may follow.
  byte[] finish(int root) {
    builder.finish(root);
    return builder.sizedByteArray();
  }
}
