package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.ArrayData;

/// A matcher of the values of arrays of one layout. Used by one thread.
interface SlotMatcher {

  /// Clears the bits of slots whose value does not pass.
  ///
  /// @param selected a bit for each of the first `length` slots; set bits are valid slots
  void retain(ArrayData array, long length, long[] selected);
}
