package dev.quiver.render;

import dev.quiver.columnar.ArrayData;
import java.io.IOException;

/// Writes the slots of one array.
@FunctionalInterface
interface SlotWriter {

  void write(long slot, TextOutput output) throws IOException;

  /// How the arrays of a field are written, chosen once per schema.
  @FunctionalInterface
  interface OfField {
    SlotWriter of(ArrayData array);
  }
}
