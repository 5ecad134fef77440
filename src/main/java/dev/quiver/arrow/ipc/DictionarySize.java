package dev.quiver.arrow.ipc;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;

/// Limits on the memory of dictionaries.
final class DictionarySize {

  private DictionarySize() {}

  /// Checks a delta to slots without bytes, such as in a struct without children. Once one of them
  /// is null, each takes a bit, however few bytes were received.
  ///
  /// @param before the values that the delta extends
  /// @param receivedByteSize bytes of all received buffers, including the delta's
  static void checkExtended(
      ArrayData before,
      ArrayData delta,
      long receivedByteSize,
      Limits limits,
      InputLocation place) {
    long validityByteSize = extendedValidity(before, delta);
    limits.dictionaryBytes().check(validityByteSize, "bytes of a dictionary", place);
    limits
        .decompressionRatio()
        .check(
            validityByteSize / Math.max(1, receivedByteSize),
            "bytes of validity per byte of an extended dictionary",
            place);
  }

  /// Returns the maximum bytes of validity, saturated at `Long.MAX_VALUE`.
  private static long extendedValidity(ArrayData before, ArrayData delta) {
    long byteSize =
        mayHaveNulls(before) || mayHaveNulls(delta)
            ? Bitmaps.byteSize(before.length()) + Bitmaps.byteSize(delta.length())
            : 0;
    for (int i = 0; i < before.children().size(); i++) {
      long child = extendedValidity(before.children().get(i), delta.children().get(i));
      byteSize = child > Long.MAX_VALUE - byteSize ? Long.MAX_VALUE : byteSize + child;
    }
    return byteSize;
  }

  private static boolean mayHaveNulls(ArrayData array) {
    return array.layout().hasValidity()
        && array.nullCount() != 0
        && array.validity().byteSize() != 0;
  }
}
