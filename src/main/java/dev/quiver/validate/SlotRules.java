package dev.quiver.validate;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.FieldPath;

/// Rules on the slots of one array, leaving its children alone.
interface SlotRules {

  /// Whether any of the rules concerns the array.
  boolean concern(ArrayData array);

  /// Checks an array that the rules concern.
  ///
  /// @param observed the slots to look at, whether null or not
  void check(ArrayData array, FieldPath path, ObservedRange observed);
}
