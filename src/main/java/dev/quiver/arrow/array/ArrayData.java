package dev.quiver.arrow.array;

import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Layout;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// An array in memory, neither copied nor interpreted.
///
/// The buffers that [Layout] lists, in its order, then the variadic ones. No slot is null if the
/// validity buffer has no bytes or the null count is 0; like other implementations, ignore the
/// validity buffer then. So call [#validity] instead of reading that buffer, and read values
/// through [Array]. The supplier of the segments determines their lifetime.
///
/// @param field the field of the array; its type determines the layout
/// @param length slots
/// @param nullCount slots that are null by the array's own validity: 0 if none, -1 if not counted
/// @param dictionary the values that the indices refer to. Null if the field is not
///   dictionary-encoded, or if every slot is null and the dictionary is unknown.
public record ArrayData(
    Field field,
    long length,
    long nullCount,
    List<MemorySegment> buffers,
    List<ArrayData> children,
    @Nullable ArrayData dictionary) {

  public ArrayData {
    buffers = List.copyOf(buffers);
    children = List.copyOf(children);
  }

  /// Returns an array without slots.
  public static ArrayData empty(Field field) {
    List<MemorySegment> buffers =
        Layout.of(field).buffers().stream().map(_ -> MemorySegment.NULL).toList();
    List<ArrayData> children = field.storageChildren().stream().map(ArrayData::empty).toList();
    return new ArrayData(field, 0, 0, buffers, children, null);
  }

  public Layout layout() {
    return Layout.of(field);
  }

  /// Returns the buffer with this role, which the layout must have.
  public MemorySegment buffer(BufferRole role) {
    return buffers.get(layout().indexOf(role));
  }

  /// Returns the bitmap with a zero for every null slot. It is empty if the array's own validity
  /// marks no slot as null.
  public MemorySegment validity() {
    return nullCount == 0 || !layout().hasValidity() ? MemorySegment.NULL : buffers.getFirst();
  }

  /// Returns how many of the `slotCount` slots from `offset` on are null by the array's own
  /// validity.
  public long countNulls(long offset, long slotCount) {
    if (field.storageType() instanceof ArrowType.Null) {
      return slotCount;
    }
    MemorySegment validity = validity();
    return validity.byteSize() == 0 ? 0 : slotCount - Bitmaps.countSet(validity, offset, slotCount);
  }

  /// Returns the bytes of all buffers, including the children's but not the dictionary's.
  public long byteSize() {
    long byteSize = 0;
    for (MemorySegment buffer : buffers) {
      byteSize = Math.addExact(byteSize, buffer.byteSize());
    }
    for (ArrayData child : children) {
      byteSize = Math.addExact(byteSize, child.byteSize());
    }
    return byteSize;
  }

  /// Returns the same array with other segments for its buffers, its children's and its dictionary.
  public ArrayData withBuffers(UnaryOperator<MemorySegment> replacement) {
    return new ArrayData(
        field,
        length,
        nullCount,
        buffers.stream().map(replacement).toList(),
        children.stream().map(child -> child.withBuffers(replacement)).toList(),
        dictionary == null ? null : dictionary.withBuffers(replacement));
  }

  /// Returns the data buffers after the buffers of the layout.
  public List<MemorySegment> variadicBuffers() {
    return buffers.subList(layout().buffers().size(), buffers.size());
  }
}
