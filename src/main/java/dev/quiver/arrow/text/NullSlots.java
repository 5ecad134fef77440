package dev.quiver.arrow.text;

import dev.quiver.arrow.array.ArrayData;

/// Null slots, according to an array's own validity.
final class NullSlots {

  private NullSlots() {}

  /// Returns a writer that writes `nullText` for null slots, and other slots as `values` does.
  static SlotWriter.OfField handled(SlotWriter.OfField values, PreparedText nullText) {
    return array -> handled(array, values.of(array), nullText);
  }

  private static SlotWriter handled(ArrayData array, SlotWriter values, PreparedText nullText) {
    BitmapReader validity = BitmapReader.validity(array);
    return validity == null
        ? values
        : (slot, output) -> {
          if (validity.get(slot)) {
            values.write(slot, output);
          } else {
            output.put(nullText);
          }
        };
  }
}
