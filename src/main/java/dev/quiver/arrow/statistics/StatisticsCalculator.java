package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/// A calculator of the statistics of record batches with valid values.
///
/// Each buffer is read once, block by block, and no value is an object. A value that several slots
/// refer to, in a dictionary or as a run, is looked at once. Used by one thread.
public final class StatisticsCalculator {

  /// The maximum number of values of a dictionary, or runs of an array, that a byte each marks.
  private static final int MARKED_MAXIMUM = 4 << 20;

  /// The length of a dictionary that is never too long to be looked at for a batch.
  private static final int SHORT_DICTIONARY_LENGTH = 4096;

  private static final int LONG_DICTIONARY_FACTOR = 4;

  private final BlockMemory memory = new BlockMemory();
  private final ReferencedValues used = new ReferencedValues(memory);
  private final RangeKernels kernels;
  private final LongFunction<List<ArrayData>> dictionaries;

  /// @param dictionaries the values of the dictionaries by id, in one or more arrays, for arrays
  ///   that do not have their own
  public StatisticsCalculator(LongFunction<List<ArrayData>> dictionaries) {
    this(dictionaries, RangeKernels.chosen());
  }

  StatisticsCalculator(LongFunction<List<ArrayData>> dictionaries, RangeKernels kernels) {
    this.dictionaries = dictionaries;
    this.kernels = kernels;
  }

  /// Returns the statistics of a batch.
  ///
  /// @param columns arrays of which all observable values are valid
  public BatchStatistics of(long length, List<ArrayData> columns) {
    List<ColumnStatistics> leaves = new ArrayList<>();
    columns.forEach(column -> add(column, length, List.of(), leaves));
    return new BatchStatistics(leaves);
  }

  /// @param parents the validity of the structs around the array
  private void add(
      ArrayData array, long length, List<MemorySegment> parents, List<ColumnStatistics> leaves) {
    if (leaves.size() == LeafColumn.COUNT_MAXIMUM) {
      return;
    }
    List<MemorySegment> bitmaps = new ArrayList<>(parents);
    bitmaps.add(array.validity());
    if (LeafColumn.isBranch(array.field())) {
      array.children().forEach(child -> add(child, length, bitmaps, leaves));
    } else {
      ColumnStatistics leaf = leaf(array, length, SlotMask.of(bitmaps));
      leaves.add(isNestedAndWhole(array) ? leaf.withWholeMicroseconds(true) : leaf);
    }
  }

  /// Returns whether timestamps below lists, maps, unions and their likes are whole microseconds.
  private boolean isNestedAndWhole(ArrayData array) {
    return !array.field().children().isEmpty()
        && array.field().hasZonedNanoseconds()
        && isWhole(array);
  }

  /// Returns whether timestamps in all slots that are not null by themselves are whole
  /// microseconds. Slots that no list has count as well, and values of a dictionary that no slot
  /// refers to: readers convert a dictionary as a whole.
  private boolean isWhole(ArrayData array) {
    Field field = array.field();
    DictionaryEncoding encoding = field.dictionary();
    if (encoding != null) {
      List<ArrayData> values = values(array, encoding);
      long count = values.stream().mapToLong(ArrayData::length).sum();
      return !field.hasZonedNanoseconds()
          || !isLong(count, array.length()) && values.stream().allMatch(this::isWhole);
    }
    boolean isTested =
        field.type() instanceof ArrowType.Timestamp time && time.isZonedNanoseconds();
    if (!isTested) {
      return array.children().stream().allMatch(this::isWhole);
    }
    NumberExtremes values = new NumberExtremes(field.type(), memory, kernels);
    values.add(array, array.length(), SlotMask.of(List.of(array.validity())));
    return values.isWholeMicroseconds();
  }

  private List<ArrayData> values(ArrayData array, DictionaryEncoding encoding) {
    ArrayData own = array.dictionary();
    return own == null ? dictionaries.apply(encoding.id()) : List.of(own);
  }

  /// @param mask the slots that are not null
  private ColumnStatistics leaf(ArrayData array, long length, SlotMask mask) {
    DictionaryEncoding encoding = array.field().dictionary();
    if (encoding != null) {
      return dictionaryEncoded(array, values(array, encoding), length, mask)
          .withWholeMicroseconds(array.field().hasZonedNanoseconds() && isWhole(array));
    }
    return switch (array.field().type()) {
      case ArrowType.Null() -> new ColumnStatistics(length, true, null, null, false, false);
      case ArrowType.Union _ -> ColumnStatistics.NONE;
      case ArrowType.RunEndEncoded() -> runEndEncoded(array, length, mask);
      default -> {
        Extremes extremes = Extremes.of(array.field().type(), memory, kernels);
        yield extremes == null
            ? ColumnStatistics.nullsOnly(length - mask.count(length))
            : bounded(length - extremes.add(array, length, mask), extremes);
      }
    };
  }

  private static ColumnStatistics bounded(long nullCount, Extremes extremes) {
    return new ColumnStatistics(
        nullCount,
        true,
        extremes.minimum(),
        extremes.maximum(),
        extremes.hasNan(),
        extremes.isWholeMicroseconds());
  }

  private ColumnStatistics dictionaryEncoded(
      ArrayData array, List<ArrayData> values, long length, SlotMask mask) {
    long valueCount = values.stream().mapToLong(ArrayData::length).sum();
    boolean mayHaveNulls = values.stream().anyMatch(StatisticsCalculator::mayHaveNulls);
    Extremes extremes =
        values.isEmpty() || values.getFirst().field().dictionary() != null
            ? null
            : Extremes.of(values.getFirst().field().type(), memory, kernels);
    if (extremes == null || isLong(valueCount, length)) {
      long count = mask.count(length);
      boolean hasValues = valueCount > 0 && count > 0;
      return hasValues && mayHaveNulls
          ? ColumnStatistics.NONE
          : ColumnStatistics.nullsOnly(length - (hasValues ? count : 0));
    }
    long nullCount = length - used.mark(array, length, mask, (int) valueCount);
    int start = 0;
    for (ArrayData part : values) {
      extremes.add(
          part, part.length(), SlotMask.of(List.of(part.validity())).and(used.map(), start));
      start += (int) part.length();
    }
    return bounded(
        mayHaveNulls ? nullCount + used.countNulls(array, length, mask, values) : nullCount,
        extremes);
  }

  /// Returns whether a dictionary is too long to be looked at for an array.
  private static boolean isLong(long valueCount, long length) {
    return valueCount > MARKED_MAXIMUM
        || valueCount > SHORT_DICTIONARY_LENGTH && valueCount > LONG_DICTIONARY_FACTOR * length;
  }

  /// Returns whether an array of values may have nulls that a slot can refer to.
  private static boolean mayHaveNulls(ArrayData values) {
    return values.validity().byteSize() != 0
        || values.field().dictionary() != null
        || switch (values.field().type()) {
          case ArrowType.Null(), ArrowType.Union _, ArrowType.RunEndEncoded() -> true;
          default -> false;
        };
  }

  private ColumnStatistics runEndEncoded(ArrayData array, long length, SlotMask mask) {
    ArrayData values = array.children().getLast();
    Extremes extremes =
        values.field().dictionary() != null
            ? null
            : Extremes.of(values.field().type(), memory, kernels);
    Integers ends = Integers.of(array.children().getFirst(), BufferRole.DATA);
    if (extremes == null || array.children().getFirst().length() > MARKED_MAXIMUM) {
      return ColumnStatistics.NONE;
    }
    long nullCount = length - used.markRuns(ends, length, mask, values.validity());
    SlotMask runs = SlotMask.of(List.of(values.validity())).and(used.map(), 0);
    extremes.add(values, used.count(), runs);
    return bounded(nullCount, extremes);
  }
}
