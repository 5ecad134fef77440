package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A cast of structs, whose fields belong together by their names.
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
              : ExactCasts.of(from.children().get(index), child);
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
      ArrayData child = index == FieldPairs.NONE ? array : array.children().get(index);
      cast.add(casts.get(i).apply(child, allocator));
    }
    return new ArrayData(to, array.length(), array.nullCount(), array.buffers(), cast, null);
  }
}
