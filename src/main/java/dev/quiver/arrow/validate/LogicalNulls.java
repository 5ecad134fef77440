package dev.quiver.arrow.validate;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import java.lang.foreign.MemorySegment;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/// Slots that read as null: by the array's own validity, or because they refer to a null value of a
/// dictionary or run. Arrays must satisfy the rules of [Level#VALUES].
final class LogicalNulls {

  private LogicalNulls() {}

  /// Returns whether any slot may be null, without examining slots.
  static boolean mayBeIn(ArrayData array) {
    return array.field().storageType() instanceof ArrowType.Null
        || array.validity().byteSize() != 0
        || referred(array) instanceof ArrayData values && mayBeIn(values);
  }

  /// Returns the first null slot of `observed`, or its length if absent.
  static long first(ArrayData array, ObservedRange observed) {
    if (array.field().storageType() instanceof ArrowType.Null) {
      return observed.next(0);
    }
    ArrayData values = referred(array);
    if (values == null || !mayBeIn(values)) {
      MemorySegment validity = array.validity();
      return validity.byteSize() == 0
          ? observed.length()
          : observed.first(slot -> !Bitmaps.get(validity, slot));
    }
    if (array.field().dictionary() != null) {
      return observed.first(test(array));
    }
    // Checks runs, which may be far fewer than slots.
    ArrayData runEnds = array.children().getFirst();
    Integers ends = Integers.of(runEnds, BufferRole.DATA);
    ObservedRange runs = new ObservedRange.OfRuns(observed, ends, runEnds.length());
    long run = first(values, runs);
    return run == runs.length()
        ? observed.length()
        : observed.next(run == 0 ? 0 : ends.get(run - 1));
  }

  private static LongPredicate test(ArrayData array) {
    Array view = Array.of(array);
    ArrayData values = referred(array);
    if (values == null || !mayBeIn(values)) {
      return view::isNull;
    }
    LongPredicate isNull = test(values);
    return switch (view) {
      case Array.DictionaryEncoded encoded ->
          slot -> encoded.isNull(slot) || isNull.test(encoded.index(slot));
      case Array.RunEndEncoded runs -> slot -> isNull.test(runs.run(slot));
      case Array.Null _,
          Array.Bool _,
          Array.FixedWidth _,
          Array.VariableBinary _,
          Array.BinaryView _,
          Array.VariableList _,
          Array.ListView _,
          Array.FixedSizeList _,
          Array.Struct _,
          Array.Union _ ->
          view::isNull;
    };
  }

  /// Returns the values that the slots refer to, or null if they hold their own. Values of runs in
  /// a non-nullable field are excluded because they are checked themselves.
  private static @Nullable ArrayData referred(ArrayData array) {
    if (array.field().dictionary() != null) {
      return array.dictionary();
    }
    return array.field().type() instanceof ArrowType.RunEndEncoded
            && array.children().getLast().field().nullable()
        ? array.children().getLast()
        : null;
  }
}
