package dev.quiver.golden;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.ArrowType;
import dev.quiver.memory.Bitmaps;

/// Which slots of an array are null by its own validity.
enum NullShape {
  /// No slots.
  EMPTY(0.3),
  /// None may be, by the field.
  NOT_NULLABLE(0),
  /// None is, though the field allows it.
  NONE(0),
  SOME(0.4),
  ALL(1);

  /// How many of a field's values to make null for this shape, from 0 to 1.
  final double nullShare;

  NullShape(double nullShare) {
    this.nullShare = nullShare;
  }

  static NullShape of(ArrayData array) {
    if (array.length() == 0) {
      return EMPTY;
    }
    if (!array.field().nullable()) {
      return NOT_NULLABLE;
    }
    long nulls =
        array.field().storageType() instanceof ArrowType.Null
            ? array.length()
            : array.validity().byteSize() == 0
                ? 0
                : array.length() - Bitmaps.countSet(array.validity(), array.length());
    return nulls == 0 ? NONE : nulls == array.length() ? ALL : SOME;
  }
}
