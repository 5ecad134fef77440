package dev.quiver.render;

import dev.quiver.columnar.ArrayData;
import dev.quiver.memory.Bitmaps;
import java.lang.foreign.MemorySegment;

/// Null slots, by an array's own validity.
final class Nulls {

  private Nulls() {}

  /// Writes `nullText` for null slots, and others as `values` does.
  static SlotWriter.OfField handled(SlotWriter.OfField values, byte[] nullText) {
    return array -> handled(array, values.of(array), nullText);
  }

  private static SlotWriter handled(ArrayData array, SlotWriter values, byte[] nullText) {
    MemorySegment validity = array.validity();
    return validity.byteSize() == 0
        ? values
        : (slot, output) -> {
          if (Bitmaps.get(validity, slot)) {
            values.write(slot, output);
          } else {
            output.put(nullText);
          }
        };
  }
}
