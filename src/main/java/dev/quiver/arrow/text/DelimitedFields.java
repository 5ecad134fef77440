package dev.quiver.arrow.text;

import dev.quiver.arrow.array.ArrayData;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Values side by side in a slot: the members of an object, or the cells of a row.
///
/// @param starts the text before each value
/// @param values the writers of valid slots
/// @param nullText the text of null slots
/// @param end the text after the last value
record DelimitedFields(
    List<PreparedText> starts,
    List<SlotWriter.OfField> values,
    PreparedText nullText,
    PreparedText end) {

  /// @param children the arrays of the fields, in order
  SlotWriter of(List<ArrayData> children) {
    PreparedText[] before = starts.toArray(PreparedText[]::new);
    SlotWriter[] writers = new SlotWriter[before.length];
    @Nullable BitmapReader[] validities = new BitmapReader[before.length];
    for (int i = 0; i < before.length; i++) {
      writers[i] = values.get(i).of(children.get(i));
      validities[i] = BitmapReader.validity(children.get(i));
    }
    return (slot, output) -> {
      for (int i = 0; i < before.length; i++) {
        output.put(before[i]);
        BitmapReader validity = validities[i];
        if (validity == null || validity.get(slot)) {
          writers[i].write(slot, output);
        } else {
          output.put(nullText);
        }
      }
      output.put(end);
    };
  }
}
