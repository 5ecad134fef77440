package dev.quiver.arrow.validate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that a walk scans every selection once, regardless of nesting and of the lengths of runs.
/// It counts scanned slots rather than time. [ObservedValuesTest] tests that the correct slots are
/// selected.
class SelectionWorkTest {

  private static final int LENGTH = 4096;

  /// The ways in which parents of `n` slots select children of `n` slots.
  private enum Nesting {
    STRUCT,
    UNION,
    LIST,
    FIXED_SIZE_LIST,
    RUN_END_ENCODED;

    /// Returns the child slots that the parents select.
    ObservedRange children(ObservedRange parents, Scans scans) {
      return switch (this) {
        case STRUCT -> parents;
        case UNION ->
            both(parents, scans.of(new ObservedRange.OfTypeId(LENGTH, zeros(), (byte) 0)));
        case LIST -> new ObservedRange.OfLists(parents, ascending(0, 1), LENGTH);
        case FIXED_SIZE_LIST -> new ObservedRange.OfFixedSizeLists(parents, 1);
        case RUN_END_ENCODED -> new ObservedRange.OfRuns(parents, ascending(1, 1), LENGTH);
      };
    }
  }

  /// The patterns of non-null slots.
  private enum Slots {
    ALL_BUT_THE_LAST(slot -> slot != LENGTH - 1),
    THE_LAST(slot -> slot == LENGTH - 1),
    THE_SECOND_HALF(slot -> slot >= LENGTH / 2),
    EVERY_SECOND(slot -> slot % 2 == 1),
    RUNS_OF_64(slot -> slot % 128 < 64);

    private final MemorySegment bitmap = MemorySegment.ofArray(new byte[LENGTH / Byte.SIZE]);

    Slots(LongPredicate selected) {
      for (long slot = 0; slot < LENGTH; slot++) {
        if (selected.test(slot)) {
          Bitmaps.set(bitmap, slot);
        }
      }
    }

    ObservedRange of(ObservedRange observed, Scans scans) {
      return both(observed, scans.of(new ObservedRange.Ones(LENGTH, bitmap)));
    }
  }

  private record Case(Nesting outer, Nesting inner, Slots root, Slots middle, Slots leaf) {}

  static Stream<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (Nesting outer : Nesting.values()) {
      for (Nesting inner : Nesting.values()) {
        for (Slots root : Slots.values()) {
          for (Slots middle : Slots.values()) {
            for (Slots leaf : Slots.values()) {
              cases.add(new Case(outer, inner, root, middle, leaf));
            }
          }
        }
      }
    }
    return cases.stream();
  }

  static Stream<Nesting> nestings() {
    return Stream.of(Nesting.values());
  }

  @ParameterizedTest
  @MethodSource("nestings")
  void scansEverySelectionOnce(Nesting outer) {
    assertThat(cases().filter(c -> c.outer == outer))
        .allSatisfy(c -> {
          Scans scans = new Scans();
          ObservedRange root = scans.of(new ObservedRange.Ones(LENGTH, c.root.bitmap));
          ObservedRange middle = c.middle.of(c.outer.children(root, scans), scans);
          ObservedRange leaf = c.leaf.of(c.inner.children(middle, scans), scans);
          walk(leaf);
          // A gap and a run take one call each, and another call if the walk returns to them later.
          assertThat(scans.count).isLessThan(6L * LENGTH * scans.selections);
        });
  }

  @Test
  void scansAGapBeforeTheOnlyLongListOfALongRunOnce() {
    Scans scans = new Scans();
    ObservedRange root = scans.of(new ObservedRange.Ones(LENGTH, Slots.THE_LAST.bitmap));
    ObservedRange run = new ObservedRange.OfRuns(root, ascending(LENGTH, 1), 1);
    ObservedRange list = new ObservedRange.OfLists(run, ascending(0, LENGTH), 1);
    walk(Slots.EVERY_SECOND.of(list, scans));
    assertThat(scans.count).isLessThan(6L * LENGTH * scans.selections);
  }

  private static void walk(ObservedRange slots) {
    long end;
    for (long start = slots.next(0); start < slots.length(); start = slots.next(end)) {
      end = slots.runEnd(start);
      if (end <= start) {
        throw new AssertionError("An empty run at " + start);
      }
    }
  }

  private static ObservedRange both(ObservedRange first, ObservedRange second) {
    return new ObservedRange.Both(LENGTH, first, second);
  }

  private static MemorySegment zeros() {
    return MemorySegment.ofArray(new byte[LENGTH]);
  }

  /// Returns `first`, `first + step` and so on.
  private static Integers ascending(int first, int step) {
    MemorySegment segment = MemorySegment.ofArray(new byte[(LENGTH + 1) * Integer.BYTES]);
    for (int i = 0; i <= LENGTH; i++) {
      LittleEndian.setInt32(segment, (long) i * Integer.BYTES, first + i * step);
    }
    return new Integers(segment, Integer.BYTES);
  }

  /// A counter of the cost of calls: one, plus one for every slot from the argument to the result.
  private static final class Scans {
    private long count;
    private int selections;

    ObservedRange of(ObservedRange selection) {
      selections++;
      return new ObservedRange() {
        @Override
        public long length() {
          return selection.length();
        }

        @Override
        public long next(long from) {
          return counted(from, selection.next(from));
        }

        @Override
        public long runEnd(long start) {
          return counted(start, selection.runEnd(start));
        }
      };
    }

    private long counted(long from, long to) {
      count += 1 + to - from;
      return to;
    }
  }
}
