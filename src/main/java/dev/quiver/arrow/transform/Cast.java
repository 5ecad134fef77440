package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.ArrayData;
import java.lang.foreign.SegmentAllocator;

/// A conversion of arrays of one field to arrays of another.
public interface Cast {

  /// Returns the same values in the type of the other field. Memory that stays the same is shared.
  ///
  /// @param array valid, of the field that this casts from
  /// @param allocator for other memory
  /// @throws InvalidCastException if a value has no equal one in that type
  ArrayData apply(ArrayData array, SegmentAllocator allocator);
}
