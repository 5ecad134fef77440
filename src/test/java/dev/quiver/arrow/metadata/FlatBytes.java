package dev.quiver.arrow.metadata;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A writer of FlatBuffers buffers, valid or not, from a tree.
///
/// It shares only [Slot] with the writer under test. Every table has its own vtable right before
/// it, each part is written once even if shared, and nothing is aligned.
final class FlatBytes {

  sealed interface Part permits Table, Text, Tables, Numbers {}

  /// A table: numbers are inline, parts are references.
  static final class Table implements Part {
    private final TreeMap<Integer, Value> fields = new TreeMap<>();
    private int vtableSizeError;
    private int tableSizeError;
    private int vtableOffsetError;

    Table put(Slot slot, long number) {
      fields.put(slot.index(), new Value(slot.type().byteSize(), number, null));
      return this;
    }

    Table put(Slot slot, Part part) {
      fields.put(slot.index(), new Value(4, 0, part));
      return this;
    }

    Table without(Slot slot) {
      fields.remove(slot.index());
      return this;
    }

    /// Makes the vtable declare this many bytes more than it has.
    Table vtableSizeError(int byteSize) {
      vtableSizeError = byteSize;
      return this;
    }

    /// Makes the vtable declare this many bytes more than the table has.
    Table tableSizeError(int byteSize) {
      tableSizeError = byteSize;
      return this;
    }

    /// Makes the table point this many bytes before its vtable.
    Table vtableOffsetError(int byteSize) {
      vtableOffsetError = byteSize;
      return this;
    }
  }

  private record Value(int byteSize, long number, @Nullable Part part) {}

  /// A string that declares `lengthError` bytes more than it has.
  record Text(byte[] bytes, int lengthError) implements Part {}

  /// A vector of references to tables that declares `lengthError` elements more than it has.
  record Tables(List<Table> tables, int lengthError) implements Part {}

  /// A vector of `length` scalars or structs.
  record Numbers(long length, byte[] bytes) implements Part {}

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Map<Part, Integer> positions = new IdentityHashMap<>();
  private final Map<Integer, Part> references = new TreeMap<>();
  private final Deque<Part> pending = new ArrayDeque<>();
  private final Set<Part> queued = Collections.newSetFromMap(new IdentityHashMap<>());

  private FlatBytes() {}

  static Table table() {
    return new Table();
  }

  static Text text(String text) {
    return new Text(text.getBytes(StandardCharsets.UTF_8), 0);
  }

  static Text bytes(int... bytes) {
    byte[] array = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      array[i] = (byte) bytes[i];
    }
    return new Text(array, 0);
  }

  static Tables tables(Table... tables) {
    return new Tables(List.of(tables), 0);
  }

  static Numbers int32s(int... values) {
    ByteBuffer buffer = littleEndian(4 * values.length);
    for (int value : values) {
      buffer.putInt(value);
    }
    return new Numbers(values.length, buffer.array());
  }

  /// Returns elements of `count` 64-bit numbers each.
  static Numbers int64s(int count, long... values) {
    ByteBuffer buffer = littleEndian(8 * values.length);
    for (long value : values) {
      buffer.putLong(value);
    }
    return new Numbers(values.length / count, buffer.array());
  }

  static MemorySegment build(Table root) {
    FlatBytes bytes = new FlatBytes();
    bytes.refer(root);
    while (!bytes.pending.isEmpty()) {
      bytes.write(bytes.pending.remove());
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes.out.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
    bytes.references.forEach(
        (at, part) -> buffer.putInt(at, requireNonNull(bytes.positions.get(part)) - at));
    return MemorySegment.ofArray(buffer.array());
  }

  private void write(Part part) {
    switch (part) {
      case Table table -> writeTable(table);
      case Text(byte[] bytes, int lengthError) -> {
        begin(part);
        number(bytes.length + lengthError, 4);
        out.writeBytes(bytes);
      }
      case Tables(List<Table> tables, int lengthError) -> {
        begin(part);
        number(tables.size() + lengthError, 4);
        tables.forEach(this::refer);
      }
      case Numbers(long length, byte[] bytes) -> {
        begin(part);
        number(length, 4);
        out.writeBytes(bytes);
      }
    }
  }

  private void writeTable(Table table) {
    int slotCount = table.fields.isEmpty() ? 0 : table.fields.lastKey() + 1;
    int[] offsets = new int[slotCount];
    int tableSize = 4;
    for (Map.Entry<Integer, Value> field : table.fields.entrySet()) {
      offsets[field.getKey()] = tableSize;
      tableSize += field.getValue().byteSize();
    }
    int vtable = out.size();
    number(4 + 2L * slotCount + table.vtableSizeError, 2);
    number(tableSize + table.tableSizeError, 2);
    for (int offset : offsets) {
      number(offset, 2);
    }
    begin(table);
    number(out.size() - vtable + table.vtableOffsetError, 4);
    for (Value value : table.fields.values()) {
      if (value.part() == null) {
        number(value.number(), value.byteSize());
      } else {
        refer(value.part());
      }
    }
  }

  private void begin(Part part) {
    positions.put(part, out.size());
  }

  private void refer(Part part) {
    if (queued.add(part)) {
      pending.add(part);
    }
    references.put(out.size(), part);
    number(0, 4);
  }

  private void number(long value, int byteSize) {
    for (int i = 0; i < byteSize; i++) {
      out.write((int) (value >>> (8 * i)));
    }
  }

  private static ByteBuffer littleEndian(int byteSize) {
    return ByteBuffer.allocate(byteSize).order(ByteOrder.LITTLE_ENDIAN);
  }
}
