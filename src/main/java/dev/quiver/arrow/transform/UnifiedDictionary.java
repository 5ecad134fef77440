package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Concatenation;
import dev.quiver.arrow.array.Slices;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.parallel.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// All values that one dictionary ever had, in the order of their arrival. It only grows, so that
/// existing indices stay valid.
///
/// The values are kept in fragments as they arrive. Every few fragments are joined into one, which
/// keeps their number small and copies each value only a few times.
final class UnifiedDictionary {

  private static final int FAN_IN = 64;

  /// The number of ranges of new values to gather before copying them.
  private static final int RUNS_MAXIMUM = 1024;

  private final long id;
  private final boolean ordered;
  private final Workspace workspace;
  private final List<Fragment> fragments = new ArrayList<>();
  private @Nullable ValueTable table;
  private long tabledLength;
  private long length;
  private long byteSize;

  UnifiedDictionary(long id, boolean ordered, Workspace workspace) {
    this.id = id;
    this.ordered = ordered;
    this.workspace = workspace;
  }

  long length() {
    return length;
  }

  /// Returns the approximate bytes of the values.
  long byteSize() {
    return byteSize;
  }

  /// Adds the first dictionary, which must outlive this.
  ///
  /// @param mapping an empty one, to which the indices of the dictionary are added
  void takeFirst(ArrayData values, IndexMapping mapping) {
    mapping.addIdentical(values.length());
    add(values, Integer.MAX_VALUE);
  }

  /// Adds another dictionary, or an extension of the last one. Only new values are kept.
  ///
  /// @param mapping the indices of the last dictionary from the same source
  void take(ArrayData values, boolean delta, IndexMapping mapping) {
    if (!delta) {
      mapping.clear();
    }
    ComparableArray comparable = workspace.comparable(values);
    long slot = mapping.isIdentity() ? countEqual(comparable, values.length(), mapping) : 0;
    mapping.addIdentical(slot);
    if (slot == values.length()) {
      return;
    }
    if (mapping.isIdentity() && mapping.size() == length) {
      mapping.addIdentical(values.length() - slot);
      addCopy(List.of(new Run(slot, values.length(), length)), values);
    } else if (ordered) {
      throw new UnsupportedInputException(
          "an ordered dictionary " + id + " that continues the previous one",
          "another value in slot " + mapping.size() + ", which loses the order",
          InputLocation.UNKNOWN);
    } else {
      merge(values, comparable, slot, mapping);
    }
  }

  /// Returns all values.
  ///
  /// @param conformed converts all fragments to the same field
  ArrayData values(UnaryOperator<ArrayData> conformed, ScratchMemory memory) {
    return concatenated(
        fragments.stream().map(fragment -> conformed.apply(fragment.values)).toList(), memory);
  }

  /// Returns all values in order, in the arrays that hold them.
  List<ArrayData> parts() {
    return fragments.stream().map(fragment -> fragment.values).toList();
  }

  void hash(long index, SeededHash hash) {
    Fragment fragment = fragmentOf(index);
    fragment.comparable(workspace).hash(index - fragment.start, hash);
  }

  boolean isEqual(long index, long otherIndex) {
    Fragment fragment = fragmentOf(index);
    Fragment other = fragmentOf(otherIndex);
    return fragment
        .comparable(workspace)
        .isEqual(index - fragment.start, other.comparable(workspace), otherIndex - other.start);
  }

  private boolean isEqual(long index, ComparableArray values, long slot) {
    Fragment fragment = fragmentOf(index);
    return fragment.comparable(workspace).isEqual(index - fragment.start, values, slot);
  }

  /// Returns how many leading values equal the unified dictionary's values from the end of the
  /// mapping on.
  private long countEqual(ComparableArray values, long valueCount, IndexMapping mapping) {
    long start = mapping.size();
    long end = Math.min(valueCount, length - start);
    long slot = 0;
    while (slot < end && isEqual(start + slot, values, slot)) {
      slot++;
    }
    return slot;
  }

  /// Maps the values from `start` on, each to the first equal one, and keeps new ones.
  private void merge(
      ArrayData values, ComparableArray comparable, long start, IndexMapping mapping) {
    ValueTable known = tabled();
    List<Run> runs = new ArrayList<>();
    for (long slot = start; slot < values.length(); slot++) {
      long current = slot;
      long hash = workspace.hash(comparable, slot);
      long number =
          known.find(
              hash,
              candidate ->
                  candidate < length
                      ? isEqual(candidate, comparable, current)
                      : comparable.isEqual(slotOf(candidate, runs), comparable, current));
      if (number < 0) {
        number = runs.isEmpty() ? length : runs.getLast().endNumber();
        known.add(hash, requireIndex(number));
        if (!runs.isEmpty() && runs.getLast().end == slot) {
          Run last = runs.removeLast();
          runs.add(new Run(last.start, slot + 1, last.number));
        } else {
          runs.add(new Run(slot, slot + 1, number));
        }
      }
      mapping.add(number);
      if (runs.size() == RUNS_MAXIMUM) {
        addCopy(runs, values);
        runs.clear();
      }
    }
    addCopy(runs, values);
    tabledLength = length;
  }

  /// Returns the table of all values.
  private ValueTable tabled() {
    ValueTable known = table;
    if (known == null) {
      known = new ValueTable(workspace.kept());
      table = known;
    }
    for (; tabledLength < length; tabledLength++) {
      long index = tabledLength;
      Fragment fragment = fragmentOf(index);
      long hash = workspace.hash(fragment.comparable(workspace), index - fragment.start);
      if (known.find(hash, candidate -> isEqual(candidate, index)) < 0) {
        known.add(hash, requireIndex(index));
      }
    }
    return known;
  }

  private long requireIndex(long index) {
    if (index >= Integer.MAX_VALUE) {
      throw new UnsupportedInputException(
          "a dictionary %d of at most %d values".formatted(id, Integer.MAX_VALUE),
          "more",
          InputLocation.UNKNOWN);
    }
    return index;
  }

  private void addCopy(List<Run> runs, ArrayData values) {
    if (runs.isEmpty()) {
      return;
    }
    long nodeCount = nodeCount(values);
    List<ArrayData> slices = new ArrayList<>();
    for (Run run : runs) {
      workspace.compared().add(nodeCount);
      slices.add(Slices.slice(values, run.start, run.end - run.start, workspace.temporary()));
    }
    ArrayData together = concatenated(slices, workspace.temporary());
    add(copied(together, workspace.kept()), 0);
    for (int from = fragments.size() - FAN_IN;
        from >= 0 && fragments.get(from).level == fragments.getLast().level;
        from = fragments.size() - FAN_IN) {
      join(fragments.subList(from, fragments.size()));
    }
    workspace.temporary().reset();
  }

  private void add(ArrayData values, int level) {
    fragments.add(new Fragment(values, length, level));
    length = requireIndex(Math.addExact(length, values.length()));
    byteSize = Math.addExact(byteSize, values.byteSize());
  }

  private void join(List<Fragment> joined) {
    Fragment first = joined.getFirst();
    List<ArrayData> values =
        joined.stream().map(fragment -> workspace.conformed(id, fragment.values)).toList();
    ArrayData together = copied(concatenated(values, workspace.temporary()), workspace.kept());
    joined.clear();
    fragments.add(new Fragment(together, first.start, first.level + 1));
  }

  private ArrayData concatenated(List<ArrayData> arrays, ScratchMemory memory) {
    try {
      return arrays.size() == 1
          ? Concatenation.compact(arrays.getFirst(), memory)
          : Concatenation.concatenate(arrays, memory);
    } catch (IllegalArgumentException e) {
      throw new UnsupportedInputException(
          "dictionaries %d that fit into one".formatted(id), "more", InputLocation.UNKNOWN, e);
    }
  }

  private Fragment fragmentOf(long index) {
    return last(fragments, fragment -> fragment.start <= index);
  }

  /// Returns the slot of the value with this number.
  private static long slotOf(long number, List<Run> runs) {
    Run run = last(runs, each -> each.number <= number);
    return run.start + number - run.number;
  }

  /// Returns the last element that starts early enough. The list is sorted, and its first element
  /// always does.
  private static <T> T last(List<T> sorted, Predicate<T> startsEarlyEnough) {
    int low = 0;
    int high = sorted.size() - 1;
    while (low < high) {
      int middle = low + high + 1 >>> 1;
      if (startsEarlyEnough.test(sorted.get(middle))) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return sorted.get(low);
  }

  private static ArrayData copied(ArrayData array, ScratchMemory memory) {
    List<MemorySegment> buffers = new ArrayList<>();
    for (MemorySegment buffer : array.buffers()) {
      buffers.add(memory.allocate(buffer.byteSize(), Long.BYTES).copyFrom(buffer));
    }
    List<ArrayData> children =
        array.children().stream().map(child -> copied(child, memory)).toList();
    return new ArrayData(
        array.field(), array.length(), array.nullCount(), buffers, children, array.dictionary());
  }

  private static long nodeCount(ArrayData array) {
    long total = 1L + array.buffers().size();
    for (ArrayData child : array.children()) {
      total += nodeCount(child);
    }
    return total;
  }

  /// Consecutive values.
  ///
  /// @param number of the first one in the unified dictionary
  private record Run(long start, long end, long number) {

    long endNumber() {
      return number + end - start;
    }
  }

  /// Values that arrived together, or were joined.
  private static final class Fragment {

    private final ArrayData values;
    private final long start;
    private final int level;
    private @Nullable ComparableArray comparable;

    Fragment(ArrayData values, long start, int level) {
      this.values = values;
      this.start = start;
      this.level = level;
    }

    ComparableArray comparable(Workspace workspace) {
      ComparableArray known = comparable;
      if (known == null) {
        known = workspace.comparable(values);
        comparable = known;
      }
      return known;
    }
  }

  /// The state shared by the dictionaries of an upload.
  ///
  /// @param kept memory that lasts as long as the dictionaries
  /// @param temporary memory for the handling of one message
  record Workspace(
      ScratchMemory kept,
      ScratchMemory temporary,
      SeededHash seededHash,
      ComparedBytes compared,
      LongFunction<UnifiedDictionary> dictionaries,
      Conformed conforming) {

    ComparableArray comparable(ArrayData values) {
      return new ComparableArray(values, dictionaries, compared);
    }

    long hash(ComparableArray values, long slot) {
      seededHash.begin();
      values.hash(slot, seededHash);
      return seededHash.end();
    }

    ArrayData conformed(long id, ArrayData values) {
      return conforming.apply(id, values);
    }
  }

  /// Converts all fragments of a dictionary to the same field.
  @FunctionalInterface
  interface Conformed {
    ArrayData apply(long id, ArrayData values);
  }
}
