package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Concatenation;
import dev.quiver.arrow.array.SlotRanges;
import dev.quiver.arrow.array.Take;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.SegmentAllocator;
import java.util.Collections;
import java.util.List;

/// A cast of indices into a dictionary to its values, which are then cast.
///
/// @param plain the field of the values
/// @param values the cast of the values. Only those that a slot has are cast
record DictionaryDecoding(Field plain, Cast values) implements Cast {

  @Override
  public ArrayData apply(ArrayData array, SegmentAllocator allocator) {
    return values.apply(decoded(array, allocator), allocator);
  }

  private ArrayData decoded(ArrayData array, SegmentAllocator allocator) {
    ArrayData dictionary = array.dictionary();
    if (dictionary == null) {
      return NullArrays.of(plain.withNullable(true), array.length(), allocator);
    }
    Array.DictionaryEncoded slots = (Array.DictionaryEncoded) Array.of(array);
    long nullSlot = dictionary.length();
    boolean hasNulls = array.countNulls(0, array.length()) > 0;
    SlotRanges taken = new SlotRanges(allocator);
    for (long i = 0; i < array.length(); i++) {
      taken.add(slots.isNull(i) ? nullSlot : slots.index(i), 1);
    }
    try {
      return Take.take(
          hasNulls ? withNull(dictionary, allocator) : dictionary, taken, allocator, allocator);
    } catch (IllegalArgumentException e) {
      throw InvalidCastException.tooLarge("at most 2 GiB of values in a record batch", plain);
    }
  }

  /// Returns an array with one slot more, which is null.
  static ArrayData withNull(ArrayData array, SegmentAllocator allocator) {
    ArrayData last =
        new ArrayBuilder(allocator).array(array.field(), Collections.singletonList(null));
    return Concatenation.concatenate(List.of(array, last), allocator);
  }
}
