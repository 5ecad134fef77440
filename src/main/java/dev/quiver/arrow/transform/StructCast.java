package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A cast of structs, whose fields belong together by their names.
///
/// The children of a null struct are not values, and are cast as nulls.
///
/// @param children the index of each child of `to` among those of the array, or -1 if absent
/// @param casts of each child of `to`
record StructCast(Field to, List<Integer> children, List<Cast> casts) implements Cast {

  static @Nullable Cast of(Field from, Field to) {
    FieldPairs pairs = FieldPairs.of(to.children(), from.children());
    List<Integer> children = new ArrayList<>();
    List<Cast> casts = new ArrayList<>();
    for (int i = 0; i < to.children().size(); i++) {
      Field child = to.children().get(i);
      int index = pairs.uploadedPosition(i);
      Cast cast =
          index == FieldPairs.NONE
              ? ExactCasts.nulls(child)
              : ExactCasts.ofNullable(from.children().get(index), child);
      if (cast == null) {
        return null;
      }
      children.add(index);
      casts.add(cast);
    }
    return pairs.extra().length > 0 ? null : new StructCast(to, children, casts);
  }

  @Override
  public ArrayData apply(ArrayData array, SegmentAllocator allocator) {
    List<ArrayData> cast = new ArrayList<>();
    for (int i = 0; i < casts.size(); i++) {
      int index = children.get(i);
      // A cast to nulls looks at the length alone.
      ArrayData child =
          index == FieldPairs.NONE ? array : masked(array, array.children().get(index), allocator);
      ArrayData result = casts.get(i).apply(child, allocator);
      cast.add(to.children().get(i).nullable() ? result : withoutNulls(array, child, result));
    }
    return new ArrayData(to, array.length(), array.nullCount(), array.buffers(), cast, null);
  }

  /// Returns a child that is null where the struct is.
  private static ArrayData masked(ArrayData struct, ArrayData child, SegmentAllocator allocator) {
    MemorySegment parent = struct.validity();
    if (parent.byteSize() == 0 || !child.layout().hasValidity()) {
      return child;
    }
    MemorySegment own = child.validity();
    long byteSize = Bitmaps.byteSize(child.length());
    MemorySegment validity = allocator.allocate(byteSize, Long.BYTES);
    for (long i = 0; i < byteSize; i++) {
      byte bits = parent.get(LittleEndian.INT8, i);
      validity.set(
          LittleEndian.INT8,
          i,
          own.byteSize() == 0 ? bits : (byte) (bits & own.get(LittleEndian.INT8, i)));
    }
    List<MemorySegment> buffers = new ArrayList<>(child.buffers());
    buffers.set(0, validity);
    return new ArrayData(
        child.field(), child.length(), -1, buffers, child.children(), child.dictionary());
  }

  /// Returns a child of a field that is not nullable.
  private ArrayData withoutNulls(ArrayData struct, ArrayData child, ArrayData result) {
    Array structs = Array.of(struct);
    Array slots = Array.of(child);
    for (long i = 0; i < struct.length(); i++) {
      if (!structs.isNull(i) && ExactCasts.isNull(slots, i)) {
        throw InvalidCastException.withoutValue("a value", "null", to);
      }
    }
    if (!result.layout().hasValidity()) {
      return result;
    }
    List<MemorySegment> buffers = new ArrayList<>(result.buffers());
    buffers.set(0, MemorySegment.NULL);
    return new ArrayData(
        result.field(), result.length(), 0, buffers, result.children(), result.dictionary());
  }
}
