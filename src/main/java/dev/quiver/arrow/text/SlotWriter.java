package dev.quiver.arrow.text;

import dev.quiver.arrow.array.ArrayData;
import java.io.IOException;

/// A writer of the slots of one array.
@FunctionalInterface
interface SlotWriter {

  void write(long slot, TextOutput output) throws IOException;

  /// A writer of the arrays of a field, chosen once per schema.
  @FunctionalInterface
  interface OfField {
    SlotWriter of(ArrayData array);

    /// Returns a writer of `nullText` for the null slots of an array, according to its own
    /// validity, and of other slots as this one.
    default OfField orNull(PreparedText nullText) {
      return array -> {
        SlotWriter values = of(array);
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
      };
    }
  }
}
