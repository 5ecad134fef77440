package dev.quiver.columnar;

import dev.quiver.memory.Bitmaps;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An array as it lies in memory: nothing is copied, nothing is interpreted.
///
/// The buffers are those that [Layout] lists, in its order, then the variadic ones. A validity
/// buffer of no bytes means that no slot is null, and so does a null count of 0, whatever the
/// validity buffer holds: other implementations do not look at it then. Ask [#validity], not for
/// the buffer. Values are read through [Array]. The segments live as long as whoever read them
/// says.
///
/// @param field what the array is one of; its type decides the layout
/// @param length slots
/// @param nullCount slots that are null by the array's own validity; 0 says that none is, -1 that
///   nobody counted
/// @param dictionary the values that the indices point to, when the field is dictionary-encoded;
///   null too when no dictionary was given, which is allowed while every slot is null
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

  /// An array of no slots.
  public static ArrayData empty(Field field) {
    List<MemorySegment> buffers =
        Layout.of(field).buffers().stream().map(_ -> MemorySegment.NULL).toList();
    List<ArrayData> children = field.storageChildren().stream().map(ArrayData::empty).toList();
    return new ArrayData(field, 0, 0, buffers, children, null);
  }

  public Layout layout() {
    return Layout.of(field);
  }

  /// The buffer with this role; the layout must have one.
  public MemorySegment buffer(BufferRole role) {
    return buffers.get(layout().indexOf(role));
  }

  /// The bitmap that has a zero for every null slot; of no bytes when no slot is null by the
  /// array's own validity.
  public MemorySegment validity() {
    return nullCount == 0 || !layout().hasValidity() ? MemorySegment.NULL : buffers.getFirst();
  }

  /// How many of `slotCount` slots from `offset` on are null by the array's own validity.
  public long countNulls(long offset, long slotCount) {
    if (field.storageType() instanceof ArrowType.Null) {
      return slotCount;
    }
    MemorySegment validity = validity();
    return validity.byteSize() == 0 ? 0 : slotCount - Bitmaps.countSet(validity, offset, slotCount);
  }

  /// Bytes of all buffers, those of the children included, and not those of the dictionary.
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

  /// The data buffers that follow those of the layout.
  public List<MemorySegment> variadicBuffers() {
    return buffers.subList(layout().buffers().size(), buffers.size());
  }
}
