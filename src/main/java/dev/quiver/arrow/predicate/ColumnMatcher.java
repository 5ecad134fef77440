package dev.quiver.arrow.predicate;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A matcher of the slots of one field, null or not.
///
/// @param values the test of slots that are not null, or null if all pass
/// @param passesNulls whether null slots pass
/// @param isNullType whether all slots are null
record ColumnMatcher(@Nullable SlotMatcher values, boolean passesNulls, boolean isNullType) {

  /// The test of values without an order, of which none passes if only null does.
  private static final SlotMatcher NONE = (_, _, selected) -> Arrays.fill(selected, 0);

  /// Returns the test of a field.
  ///
  /// @param keys the keys of its values' type, or null if they have no order
  /// @param set the keys of values that pass
  static ColumnMatcher of(
      Field field,
      @Nullable ValueKeys<?> keys,
      RangeSet<?> set,
      boolean passesAll,
      boolean passesNulls,
      BlockMemory memory,
      RangeMatchers matchers) {
    boolean isNullType = field.storageType() instanceof ArrowType.Null;
    if (field.dictionary() != null) {
      ColumnMatcher values =
          of(field.withDictionary(null), keys, set, passesAll, passesNulls, memory, matchers);
      return new ColumnMatcher(new DictionaryMatcher(values, memory), passesNulls, false);
    }
    if (field.type() instanceof ArrowType.RunEndEncoded) {
      ColumnMatcher values =
          of(field.children().getLast(), keys, set, passesAll, passesNulls, memory, matchers);
      return new ColumnMatcher(new RunMatcher(values), passesNulls, false);
    }
    SlotMatcher values =
        passesAll ? null : keys == null ? NONE : slotMatcher(keys, set, memory, matchers);
    return new ColumnMatcher(values, passesNulls, isNullType);
  }

  @SuppressWarnings("unchecked")
  private static SlotMatcher slotMatcher(
      ValueKeys<?> keys, RangeSet<?> set, BlockMemory memory, RangeMatchers matchers) {
    return switch (keys) {
      case ValueKeys.Binaries _ ->
          new BinaryMatcher((RangeSet<UnsignedBytes>) set, memory, matchers);
      case ValueKeys.Booleans _ -> new BoolMatcher((RangeSet<BigInteger>) set);
      case ValueKeys.FloatingPoints numbers ->
          new NumberMatcher(
              numbers, numbers.byteWidth(), (RangeSet<BigInteger>) set, memory, matchers);
      case ValueKeys.Integers integers ->
          integers.byteWidth() <= Long.BYTES
              ? new NumberMatcher(
                  integers, integers.byteWidth(), (RangeSet<BigInteger>) set, memory, matchers)
              : new WideMatcher(
                  integers.byteWidth() * Byte.SIZE, (RangeSet<BigInteger>) set, memory, matchers);
    };
  }

  /// Clears the bits of the slots that do not pass.
  ///
  /// @param parents the validity of structs around the array
  void retain(ArrayData array, long length, long[] selected, MemorySegment... parents) {
    if (isNullType) {
      if (!passesNulls) {
        Arrays.fill(selected, 0);
      }
      return;
    }
    long[] nulls = nulls(array, length, parents);
    if (nulls == null) {
      if (values != null) {
        values.retain(array, length, selected);
      }
      return;
    }
    for (int i = 0; i < nulls.length; i++) {
      long before = selected[i];
      selected[i] = before & ~nulls[i];
      nulls[i] &= before;
    }
    if (values != null) {
      values.retain(array, length, selected);
    }
    if (passesNulls) {
      for (int i = 0; i < nulls.length; i++) {
        selected[i] |= nulls[i];
      }
    }
  }

  /// Returns a bit for each null slot, or null if no slot is null by its own validity and by
  /// its parents.
  private static long @Nullable [] nulls(ArrayData array, long length, MemorySegment... parents) {
    long[] nulls = orNulls(array.validity(), length, null);
    for (MemorySegment parent : parents) {
      nulls = orNulls(parent, length, nulls);
    }
    return nulls;
  }

  private static long @Nullable [] orNulls(
      MemorySegment validity, long length, long @Nullable [] before) {
    if (validity.byteSize() == 0) {
      return before;
    }
    long[] words = new long[Math.toIntExact((length + Long.SIZE - 1) / Long.SIZE)];
    Bitmaps.readWords(validity, 0, length, words);
    for (int i = 0; i < words.length; i++) {
      words[i] = ~words[i] | (before == null ? 0 : before[i]);
    }
    return words;
  }
}
