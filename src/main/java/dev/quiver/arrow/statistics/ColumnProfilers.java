package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.ArrayData;
import java.util.Arrays;
import java.util.List;

/// Calculates the statistics of several columns from parts of their rows, in any order. Used by one
/// thread; several threads have one each for the same columns, which are then merged.
///
/// First all values are counted. A second pass then divides among the bins of histograms the values
/// of columns with too many distinct ones.
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

  /// Adds what another one for the same columns has counted.
  public void merge(ColumnProfilers other) {
    for (int i = 0; i < profilers.size(); i++) {
      profilers.get(i).merge(other.profilers.get(i));
    }
  }

  /// Returns the approximate heap that this takes.
  public long heapByteSize() {
    return profilers.stream().mapToLong(ColumnProfiler::heapByteSize).sum();
  }

  /// Ends the first pass.
  ///
  /// @return whether a second one is needed
  public boolean endCounting() {
    boolean needsBins = false;
    for (ColumnProfiler profiler : profilers) {
      needsBins |= profiler.endCounting();
    }
    return needsBins;
  }

  /// Returns one for the second pass, with only the columns that need it.
  public ColumnProfilers forBins() {
    return new ColumnProfilers(binned().stream().map(ColumnProfiler::forBins).toList());
  }

  /// Adds what one for the second pass has divided.
  public void mergeBins(ColumnProfilers other) {
    List<ColumnProfiler> binned = binned();
    for (int i = 0; i < binned.size(); i++) {
      binned.get(i).mergeBins(other.profilers.get(i));
    }
  }

  private List<ColumnProfiler> binned() {
    return profilers.stream().filter(ColumnProfiler::needsBins).toList();
  }

  /// Returns the statistics of the columns after the last pass.
  public List<ColumnProfile> profiles() {
    return profilers.stream().map(ColumnProfiler::profile).toList();
  }
}
