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
  }
}
