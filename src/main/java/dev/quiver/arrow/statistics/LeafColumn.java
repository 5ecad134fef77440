package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.FieldPath;
import dev.quiver.arrow.type.Layout;
import dev.quiver.arrow.type.Schema;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A column, or a path from a column through structs to a field of another type.
///
/// The leaf columns of a schema are numbered in its order. Their number does not depend on names,
/// index types or metadata, so it is the same in all batches of a version.
///
/// @param indices the index of the column, then of a child in each struct
/// @param field the field at the end of the path
public record LeafColumn(FieldPath path, List<Integer> indices, Field field) {

  /// The maximum number of leaf columns with statistics: the first ones of the schema.
  public static final int COUNT_MAXIMUM = 1_000;

  public LeafColumn {
    indices = List.copyOf(indices);
  }

  /// Returns the first [#COUNT_MAXIMUM] leaf columns of a schema.
  public static List<LeafColumn> of(Schema schema) {
    List<LeafColumn> leaves = new ArrayList<>();
    for (int i = 0; i < schema.fields().size() && leaves.size() < COUNT_MAXIMUM; i++) {
      Field column = schema.fields().get(i);
      add(column, FieldPath.of(column), List.of(i), leaves);
    }
    return leaves;
  }

  /// Returns the field of the values: without dictionary and runs.
  public Field values() {
    return values(field);
  }

  static Field values(Field field) {
    return field.dictionary() != null
        ? field.withDictionary(null)
        : field.type() instanceof ArrowType.RunEndEncoded
            ? values(field.children().getLast())
            : field;
  }

  /// Returns whether a field has the slots of its children.
  static boolean isBranch(Field field) {
    return field.storageType() instanceof ArrowType.Struct;
  }

  /// Returns an array of two slots, the minimum and the maximum. A slot without a bound is null.
  /// Text, with that of JSON, has the layout of `utf8`, and binary values other than UUIDs have the
  /// layout of `binary`.
  public ArrayData bounds(ColumnStatistics statistics) {
    Field field = values();
    ArrowType type =
        switch (field.type()) {
          case ArrowType.LargeUtf8(), ArrowType.Utf8View() -> new ArrowType.Utf8();
          case ArrowType.FixedSizeBinary _ when field.isUuid() -> field.type();
          case ArrowType.LargeBinary(), ArrowType.BinaryView(), ArrowType.FixedSizeBinary _ ->
              new ArrowType.Binary();
          default -> field.type();
        };
    Layout layout = Layout.of(type);
    List<byte[]> bounds = List.of(bytes(statistics.minimum()), bytes(statistics.maximum()));
    byte[] first = bounds.getFirst();
    byte[] second = bounds.getLast();
    List<MemorySegment> buffers = new ArrayList<>();
    buffers.add(
        MemorySegment.ofArray(
            new byte[] {
              (byte)
                  ((statistics.minimum() == null ? 0 : 1) | (statistics.maximum() == null ? 0 : 2))
            }));
    if (type instanceof ArrowType.Bool) {
      int bits = (first.length == 0 ? 0 : first[0]) | (second.length == 0 ? 0 : second[0] << 1);
      buffers.add(MemorySegment.ofArray(new byte[] {(byte) bits}));
    } else if (layout.indexOf(BufferRole.OFFSETS) >= 0) {
      MemorySegment offsets = MemorySegment.ofArray(new byte[3 * Integer.BYTES]);
      LittleEndian.setInt32(offsets, 4, first.length);
      LittleEndian.setInt32(offsets, 8, first.length + second.length);
      buffers.add(offsets);
      buffers.add(MemorySegment.ofArray(concatenated(first, second)));
    } else {
      int byteWidth = (int) (layout.buffers().get(1).bitWidth() >>> 3);
      buffers.add(
          MemorySegment.ofArray(
              concatenated(Arrays.copyOf(first, byteWidth), Arrays.copyOf(second, byteWidth))));
    }
    Field values = Field.of(field.name(), true, type);
    return new ArrayData(
        field.isUuid() ? values.withMetadata(field.metadata()) : values,
        2,
        -1,
        buffers,
        List.of(),
        null);
  }

  private static byte[] bytes(ColumnStatistics.@Nullable Bound bound) {
    return bound == null ? new byte[0] : bound.value().toByteArray();
  }

  private static byte[] concatenated(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static void add(
      Field field, FieldPath path, List<Integer> indices, List<LeafColumn> leaves) {
    if (!isBranch(field)) {
      leaves.add(new LeafColumn(path, indices, field));
      return;
    }
    for (int i = 0; i < field.children().size() && leaves.size() < COUNT_MAXIMUM; i++) {
      Field child = field.children().get(i);
      List<Integer> childIndices = new ArrayList<>(indices);
      childIndices.add(i);
      add(child, path.child(child), childIndices, leaves);
    }
  }
}
