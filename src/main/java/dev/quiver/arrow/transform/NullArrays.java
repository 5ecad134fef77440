package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferLayout;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Layout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;

/// Arrays whose slots are all null.
public final class NullArrays {

  private NullArrays() {}

  /// Returns whether [#of] makes arrays of a field.
  static boolean exist(Field field) {
    return field.nullable() && fills(field);
  }

  /// Unions and run ends have no validity of their own, and an index needs a value.
  private static boolean fills(Field field) {
    return switch (field.storageType()) {
      case ArrowType.Union _, ArrowType.RunEndEncoded() -> false;
      default ->
          (field.nullable() || field.dictionary() == null)
              && field.storageChildren().stream().allMatch(NullArrays::fills);
    };
  }

  /// @param field of which arrays [#exist]; fields within it that are not nullable have zeros
  public static ArrayData of(Field field, long length, SegmentAllocator allocator) {
    if (field.storageType() instanceof ArrowType.Null) {
      return new ArrayData(field, length, length, List.of(), List.of(), null);
    }
    Layout layout = Layout.of(field);
    List<MemorySegment> buffers = new ArrayList<>();
    for (BufferLayout buffer : layout.buffers()) {
      boolean isEmpty = buffer.role() == BufferRole.VALIDITY && !field.nullable();
      long byteSize = isEmpty ? 0 : buffer.minimumByteSize(length);
      buffers.add(
          byteSize == 0
              ? MemorySegment.NULL
              : allocator.allocate(byteSize, Long.BYTES).fill((byte) 0));
    }
    List<ArrayData> children = new ArrayList<>();
    for (Field child : field.storageChildren()) {
      long childLength =
          switch (field.storageType()) {
            case ArrowType.Struct() -> length;
            case ArrowType.FixedSizeList(int listSize) -> Math.multiplyExact(length, listSize);
            default -> 0;
          };
      children.add(childLength == 0 ? ArrayData.empty(child) : of(child, childLength, allocator));
    }
    return new ArrayData(field, length, field.nullable() ? length : 0, buffers, children, null);
  }
}
