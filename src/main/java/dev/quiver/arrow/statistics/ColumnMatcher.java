package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
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
      RangeKernels kernels) {
    boolean isNullType = field.storageType() instanceof ArrowType.Null;
    if (field.dictionary() != null) {
      ColumnMatcher values =
          of(field.withDictionary(null), keys, set, passesAll, passesNulls, memory, kernels);
      return new ColumnMatcher(new DictionaryMatcher(values, memory), passesNulls, false);
    }
    if (field.type() instanceof ArrowType.RunEndEncoded) {
      ColumnMatcher values =
          of(field.children().getLast(), keys, set, passesAll, passesNulls, memory, kernels);
      return new ColumnMatcher(new RunMatcher(values), passesNulls, false);
    }
    SlotMatcher values =
        passesAll ? null : keys == null ? NONE : slotMatcher(keys, set, memory, kernels);
    return new ColumnMatcher(values, passesNulls, isNullType);
  }

  @SuppressWarnings("unchecked")
  private static SlotMatcher slotMatcher(
      ValueKeys<?> keys, RangeSet<?> set, BlockMemory memory, RangeKernels kernels) {
    return switch (keys) {
      case ValueKeys.Binaries _ -> new BinaryMatcher((RangeSet<ByteString>) set, memory, kernels);
      case ValueKeys.Booleans _ -> new BoolMatcher((RangeSet<BigInteger>) set);
      case ValueKeys.FloatingPoints numbers ->
          new NumberMatcher(
              numbers, numbers.byteWidth(), (RangeSet<BigInteger>) set, memory, kernels);
      case ValueKeys.Integers integers ->
          integers.byteWidth() <= Long.BYTES
              ? new NumberMatcher(
                  integers, integers.byteWidth(), (RangeSet<BigInteger>) set, memory, kernels)
              : new WideMatcher(
                  integers.byteWidth() * Byte.SIZE, (RangeSet<BigInteger>) set, memory, kernels);
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

  /// Returns a bit for each null slot, or null if no slot is null by its own validity and by its
  /// parents.
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

  /// A matcher of booleans.
  private static final class BoolMatcher implements SlotMatcher {

    private static final int WORDS = 128;

    private final long[] values = new long[WORDS];
    private final long ifTrue;
    private final long ifFalse;

    BoolMatcher(RangeSet<BigInteger> keys) {
      this.ifTrue = keys.contains(BigInteger.ONE) ? -1L : 0;
      this.ifFalse = keys.contains(BigInteger.ZERO) ? -1L : 0;
    }

    @Override
    public void retain(ArrayData array, long length, long[] selected) {
      MemorySegment data = array.buffer(BufferRole.DATA);
      for (long from = 0; from < length; from += (long) WORDS * Long.SIZE) {
        int n = (int) Math.min((long) WORDS * Long.SIZE, length - from);
        Bitmaps.readWords(data, from, n, values);
        int first = (int) (from >>> 6);
        for (int i = 0; i << 6 < n; i++) {
          selected[first + i] &= values[i] & ifTrue | ~values[i] & ifFalse;
        }
      }
    }
  }

  /// A matcher of run-end-encoded values, once per run.
  private static final class RunMatcher implements SlotMatcher {

    private final ColumnMatcher values;

    RunMatcher(ColumnMatcher values) {
      this.values = values;
    }

    @Override
    public void retain(ArrayData array, long length, long[] selected) {
      ArrayData runEnds = array.children().getFirst();
      Integers ends = Integers.of(runEnds, BufferRole.DATA);
      long runCount = runEnds.length();
      long[] passing = RowSet.all(runCount).words();
      values.retain(array.children().getLast(), runCount, passing);
      long start = 0;
      for (long run = 0; run < runCount && start < length; run++) {
        long end = Math.min(length, ends.get(run));
        if ((passing[(int) (run >>> 6)] >>> (run & 63) & 1) == 0) {
          clear(selected, start, end);
        }
        start = end;
      }
    }

    private static void clear(long[] words, long start, long end) {
      if (start == end) {
        return;
      }
      int first = (int) (start >>> 6);
      int last = (int) (end - 1 >>> 6);
      long fromStart = -1L << (start & 63);
      long toEnd = -1L >>> (-end & 63);
      if (first == last) {
        words[first] &= ~(fromStart & toEnd);
        return;
      }
      words[first] &= ~fromStart;
      for (int i = first + 1; i < last; i++) {
        words[i] = 0;
      }
      words[last] &= ~toEnd;
    }
  }

  /// A matcher of the values of arrays of one layout. Used by one thread.
  interface SlotMatcher {

    /// Clears the bits of slots whose value does not pass.
    ///
    /// @param selected a bit for each of the first `length` slots; set bits are valid slots
    void retain(ArrayData array, long length, long[] selected);
  }
}
