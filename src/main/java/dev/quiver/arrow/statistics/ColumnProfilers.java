package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.ArrayData;
import java.util.Arrays;
import java.util.List;

/// Calculates the statistics of several columns from parts of their rows, in any order. Used by one
/// thread; several threads have one each for a part of the rows of a pass.
///
/// The first pass counts all values. Numbers with too many distinct ones take further passes.
public final class ColumnProfilers {

  private final List<ColumnProfiler> profilers;
  private final int[] columnIndices;
  private final ValueReader reader = new ValueReader();

  private ColumnProfilers(List<ColumnProfiler> profilers) {
    this.profilers = profilers;
    this.columnIndices =
        profilers.stream()
            .mapToInt(profiler -> profiler.column().indices().getFirst())
            .sorted()
            .distinct()
            .toArray();
  }

  public static ColumnProfilers of(List<ProfiledColumn> columns) {
    return new ColumnProfilers(columns.stream().map(ColumnProfiler::new).toList());
  }

  /// Returns the indices of the columns with these fields, in ascending order.
  public int[] columnIndices() {
    return columnIndices.clone();
  }

  /// Adds the values of some rows.
  ///
  /// @param arrays those rows of the columns at [#columnIndices], whose values are valid
  public void add(List<ArrayData> arrays) {
    for (ColumnProfiler profiler : profilers) {
      int index = Arrays.binarySearch(columnIndices, profiler.column().indices().getFirst());
      profiler.add(arrays.get(index), reader);
    }
  }

  /// Returns the approximate heap that this takes.
  public long heapByteSize() {
    return profilers.stream().mapToLong(ColumnProfiler::heapByteSize).sum();
  }

  /// Returns whether a further pass over all rows is needed.
  public boolean needsPass() {
    return profilers.stream().anyMatch(ColumnProfiler::needsPass);
  }

  /// Returns one for a part of the rows of the next pass, with only the columns that need it.
  public ColumnProfilers forPart() {
    return new ColumnProfilers(unfinished().stream().map(ColumnProfiler::forPart).toList());
  }

  /// Ends a pass over all rows.
  ///
  /// @param parts from [#forPart], which have all rows together
  public void endPass(List<ColumnProfilers> parts) {
    List<ColumnProfiler> unfinished = unfinished();
    for (int i = 0; i < unfinished.size(); i++) {
      for (ColumnProfilers part : parts) {
        unfinished.get(i).merge(part.profilers.get(i));
      }
      unfinished.get(i).endPass();
    }
  }

  private List<ColumnProfiler> unfinished() {
    return profilers.stream().filter(ColumnProfiler::needsPass).toList();
  }

  /// Returns the statistics of the columns after the last pass.
  public List<ColumnProfile> profiles() {
    return profilers.stream().map(ColumnProfiler::profile).toList();
  }
}
