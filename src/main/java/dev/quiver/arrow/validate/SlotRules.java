package dev.quiver.arrow.validate;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.FieldPath;

/// Rules for the slots of one array, excluding its children.
interface SlotRules {

  /// Returns whether any of the rules concerns the array.
  boolean concern(ArrayData array);

  /// Checks an array that the rules concern.
  ///
  /// @param observed the slots to check, null or not
  void check(ArrayData array, FieldPath path, ObservedRange observed);
}
