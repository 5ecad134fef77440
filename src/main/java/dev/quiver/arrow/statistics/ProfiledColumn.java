package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.FieldPath;
import dev.quiver.arrow.type.Layout;
import dev.quiver.arrow.type.Schema;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// A column, or a field that a path through structs leads to.
///
/// @param indices the index of the column, then of a child in each struct
/// @param field the field at the end of the path
public record ProfiledColumn(FieldPath path, List<Integer> indices, Field field) {

  /// The tables of as many values as are counted one by one.
  private static final long TABLES_BYTE_SIZE = 3 << 20;

  public ProfiledColumn {
    indices = List.copyOf(indices);
  }

  /// Returns all columns of a schema, each before the fields below it.
  public static List<ProfiledColumn> all(Schema schema) {
    SequencedMap<List<Integer>, ProfiledColumn> columns = new LinkedHashMap<>();
    for (int i = 0; i < schema.fields().size(); i++) {
      Field column = schema.fields().get(i);
      add(FieldPath.of(column), List.of(i), column, columns);
    }
    return List.copyOf(columns.values());
  }

  /// Returns the fields at some paths through structs, each before the fields below it, and each
  /// once.
  ///
  /// @param paths the index of a column, then of a child in each struct
  public static List<ProfiledColumn> at(Schema schema, List<List<Integer>> paths) {
    SequencedMap<List<Integer>, ProfiledColumn> columns = new LinkedHashMap<>();
    for (List<Integer> indices : paths) {
      Field field = schema.fields().get(indices.getFirst());
      FieldPath path = FieldPath.of(field);
      for (int index : indices.subList(1, indices.size())) {
        field = field.children().get(index);
        path = path.child(field);
      }
      add(path, indices, field, columns);
    }
    return List.copyOf(columns.values());
  }

  private static void add(
      FieldPath path,
      List<Integer> indices,
      Field field,
      SequencedMap<List<Integer>, ProfiledColumn> columns) {
    columns.putIfAbsent(indices, new ProfiledColumn(path, indices, field));
    if (isBranch(field)) {
      for (int i = 0; i < field.children().size(); i++) {
        Field child = field.children().get(i);
        List<Integer> childIndices = new ArrayList<>(indices);
        childIndices.add(i);
        add(path.child(child), childIndices, child, columns);
      }
    }
  }

  private static boolean isBranch(Field field) {
    return field.storageType() instanceof ArrowType.Struct;
  }

  /// Returns the type of the values: without dictionary and runs.
  public ArrowType valueType() {
    return values().type();
  }

  private Field values() {
    Field values = field;
    while (values.type() instanceof ArrowType.RunEndEncoded) {
      values = values.children().getLast();
    }
    return values.withDictionary(null);
  }

  /// Returns the approximate heap that the statistics of the column take at most while one thread
  /// calculates them.
  ///
  /// @param rowCount the number of rows
  public long heapByteSizeMaximum(long rowCount) {
    long tables =
        TABLES_BYTE_SIZE
            * Math.min(rowCount, ValueCounts.DISTINCT_MAXIMUM)
            / ValueCounts.DISTINCT_MAXIMUM;
    return switch (kind()) {
      case NONE -> 0;
      case BOOLEAN, INTEGER, FLOATING_POINT -> tables;
      case WIDE, BYTES, UNORDERED_BYTES -> 2 * tables + 2 * ValueCounts.BYTE_SIZE_MAXIMUM;
    };
  }

  ValueKind kind() {
    return isBranch(field) ? ValueKind.NONE : ValueKind.of(valueType());
  }

  /// Returns the array of the field.
  ///
  /// @param column the array of the column
  /// @param bitmaps receives the validity of the structs around it, and its own
  ArrayData in(ArrayData column, List<MemorySegment> bitmaps) {
    ArrayData array = column;
    bitmaps.add(array.validity());
    for (int index : indices.subList(1, indices.size())) {
      array = array.children().get(index);
      bitmaps.add(array.validity());
    }
    return array;
  }

  /// Returns the value of a number, for floating-point numbers, dates, times and durations.
  ///
  /// @param number a value of the column's [ColumnProfile.Numbers]
  public ByteString value(BigDecimal number) {
    ArrowType type = valueType();
    return NumberKeys.value(
        type,
        type instanceof ArrowType.FloatingPoint
            ? NumberKeys.key(number.doubleValue())
            : number.longValueExact());
  }

  /// Returns an array of one slot. Text, with that of JSON, is in the layout of `utf8`, and binary
  /// values other than UUIDs are in that of `binary`.
  ///
  /// @param value a value of the column's [ColumnProfile]
  public ArrayData array(ByteString value) {
    Field values = values();
    ArrowType type = values.type();
    ArrowType simple =
        switch (type) {
          case ArrowType.LargeUtf8(), ArrowType.Utf8View() -> new ArrowType.Utf8();
          case ArrowType.FixedSizeBinary _ when values.isUuid() -> type;
          case ArrowType.LargeBinary(), ArrowType.BinaryView(), ArrowType.FixedSizeBinary _ ->
              new ArrowType.Binary();
          default -> type;
        };
    List<MemorySegment> buffers = new ArrayList<>();
    buffers.add(MemorySegment.NULL);
    if (Layout.of(simple).indexOf(BufferRole.OFFSETS) >= 0) {
      MemorySegment offsets = MemorySegment.ofArray(new byte[2 * Integer.BYTES]);
      LittleEndian.setInt32(offsets, Integer.BYTES, value.byteSize());
      buffers.add(offsets);
    }
    buffers.add(MemorySegment.ofArray(value.toByteArray()));
    Field single = Field.of("value", false, simple);
    return new ArrayData(
        values.isUuid() ? single.withMetadata(values.metadata()) : single,
        1,
        0,
        buffers,
        List.of(),
        null);
  }
}
