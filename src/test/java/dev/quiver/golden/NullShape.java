package dev.quiver.golden;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.type.ArrowType;

/// The pattern of nulls in an array's own validity.
enum NullShape {
  /// No slots.
  EMPTY(0.3),
  /// No nulls, since the field is not nullable.
  NOT_NULLABLE(0),
  /// No nulls, although the field is nullable.
  NONE(0),
  SOME(0.4),
  ALL(1);

  /// The share of a field's values to make null for this shape, from 0 to 1.
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
