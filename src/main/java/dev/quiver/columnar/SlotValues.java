package dev.quiver.columnar;

import dev.quiver.memory.ByteString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The Java values that are to become an array, with the checks that name the slot.
record SlotValues(Field field, List<? extends @Nullable Object> values) {

  /// Stands for no value at all below a null list or struct and in a child that a union does not
  /// select: null when the child may be, else zero.
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

  /// Writes the slots that have a value.
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

  /// The slots' bytes, none where there is no value: text as UTF-8.
  byte[][] bytes() {
    boolean text =
        field.type() instanceof ArrowType.Utf8
            || field.type() instanceof ArrowType.LargeUtf8
            || field.type() instanceof ArrowType.Utf8View;
    byte[][] bytes = new byte[values.size()][];
    Arrays.fill(bytes, new byte[0]);
    forEachValue((slot, value) ->
        bytes[slot] = text ? FixedWidthEncoder.utf8(value) : FixedWidthEncoder.bytes(value));
    return bytes;
  }

  /// The slots' lists, empty where there is no value.
  List<List<?>> lists() {
    List<List<?>> lists = new ArrayList<>(Collections.nCopies(values.size(), List.of()));
    forEachValue(
        (slot, value) -> lists.set(slot, FixedWidthEncoder.expect(List.class, "a list", value)));
    return lists;
  }

  /// The `size` values of one slot; fillers where there is none.
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

  /// The value in a form whose `equals` is that of the data.
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
