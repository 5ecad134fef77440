package dev.quiver.arrow.text;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;

/// Slots that refer to a value elsewhere.
final class IndirectValues {

  private IndirectValues() {}

  /// Returns a writer of slots that are indices into a dictionary. The dictionary may be absent if
  /// all slots are null.
  static SlotWriter.OfField dictionary(SlotWriter.OfField values, PreparedText nullText) {
    return array -> {
      ArrayData dictionary = array.dictionary();
      if (dictionary == null) {
        return (_, output) -> output.put(nullText);
      }
      SlotWriter writer = values.of(dictionary);
      FixedWidthWindow indices = FixedWidthWindow.of(array);
      return (slot, output) -> writer.write(indices.get(slot), output);
    };
  }

  /// Returns a writer of run-end-encoded slots.
  static SlotWriter.OfField runs(SlotWriter.OfField values) {
    return array -> {
      SlotWriter writer = values.of(array.children().getLast());
      Array.RunEndEncoded runs = (Array.RunEndEncoded) Array.of(array);
      return (slot, output) -> writer.write(runs.run(slot), output);
    };
  }
}
