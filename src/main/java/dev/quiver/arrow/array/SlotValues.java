package dev.quiver.arrow.array;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The Java values of a future array, with checks that name the slot.
record SlotValues(Field field, List<? extends @Nullable Object> values) {

  /// A placeholder for the missing value below a null list or struct and in an unselected union
  /// child. It becomes null if the child is nullable, otherwise zero.
  static final Object FILLER = new Object();

  @FunctionalInterface
  interface SlotWriter {
    void write(int slot, Object value);
  }

  int size() {
    return values.size();
  }

  boolean isNull(int slot) {
    Object value = values.get(slot);
    require(value != null || field.nullable(), "a value", null, slot);
    return value == null || value == FILLER && field.nullable();
  }

  /// Passes each slot that has a value to `writer`.
  void forEachValue(SlotWriter writer) {
    for (int slot = 0; slot < values.size(); slot++) {
      Object value = values.get(slot);
      if (value != null && value != FILLER) {
        try {
          writer.write(slot, value);
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(e.getMessage() + at(slot), e);
        }
      }
    }
  }

  /// Returns the bytes of each slot, text as UTF-8; a null slot has no bytes.
  byte[][] bytes() {
    boolean text = field.type() instanceof ArrowType.Text;
    byte[][] bytes = new byte[values.size()][];
    Arrays.fill(bytes, new byte[0]);
    forEachValue((slot, value) ->
        bytes[slot] = text ? FixedWidthEncoder.utf8(value) : FixedWidthEncoder.bytes(value));
    return bytes;
  }

  /// Returns the list of each slot; a null slot has an empty list.
  List<List<?>> lists() {
    List<List<?>> lists = new ArrayList<>(Collections.nCopies(values.size(), List.of()));
    forEachValue(
        (slot, value) -> lists.set(slot, FixedWidthEncoder.expect(List.class, "a list", value)));
    return lists;
  }

  /// Returns the `size` values of one slot; fillers if the slot is null.
  List<? extends @Nullable Object> tuple(int slot, int size) {
    Object value = values.get(slot);
    if (value == null || value == FILLER) {
      return Collections.nCopies(size, FILLER);
    }
    List<?> tuple = expect(List.class, "a list of " + size + " values", slot);
    require(tuple.size() == size, "a list of " + size + " values", tuple, slot);
    return tuple;
  }

  <T> T expect(Class<T> type, String expected, int slot) {
    Object value = values.get(slot);
    require(type.isInstance(value), expected, value, slot);
    return type.cast(Objects.requireNonNull(value));
  }

  void require(boolean holds, String expected, @Nullable Object found, int slot) {
    if (!holds) {
      throw new IllegalArgumentException("Expected " + expected + " but found " + found + at(slot));
    }
  }

  private String at(int slot) {
    return " at slot " + slot + " of " + field;
  }

  /// Returns the value in a form whose `equals` compares the data.
  static @Nullable Object comparable(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case byte[] bytes -> ByteString.of(bytes);
      case Byte number -> number.longValue();
      case Short number -> number.longValue();
      case Integer number -> number.longValue();
      case Float number -> number.doubleValue();
      case List<?> list -> list.stream().map(SlotValues::comparable).toList();
      case UnionValue(int typeId, Object inner) -> new UnionValue(typeId, comparable(inner));
      default -> value;
    };
  }
}
