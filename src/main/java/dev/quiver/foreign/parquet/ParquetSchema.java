package dev.quiver.foreign.parquet;

import dev.quiver.columnar.Array;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.foreign.ForeignDataException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.DoubleStream;

/// The columns of a Parquet file.
///
/// @param names of the columns, which may repeat or be empty; the engine renames such
/// @param coarseTimestamps columns with timestamps of 96 bits, of which the engine reads
///   microseconds
/// @param leafColumns the index of the column that each stored sequence of values belongs to
public record ParquetSchema(
    List<String> names, List<String> coarseTimestamps, List<Integer> leafColumns) {

  private static final int DECIMAL_DIGITS_MAXIMUM = 38;

  public ParquetSchema {
    names = List.copyOf(names);
    coarseTimestamps = List.copyOf(coarseTimestamps);
    leafColumns = List.copyOf(leafColumns);
  }

  /// A node above the current one.
  ///
  /// @param left its children that have not been read
  private record Ancestor(String name, long left) {}

  /// @throws ForeignDataException if a column is a decimal that the engine would read as a float
  static ParquetSchema of(List<RecordBatch> result) {
    List<String> names = new ArrayList<>();
    List<String> coarse = new ArrayList<>();
    List<Integer> leafColumns = new ArrayList<>();
    List<Ancestor> ancestors = new ArrayList<>();
    boolean root = true;
    for (RecordBatch batch : result) {
      Array.Bytes nodeNames = (Array.Bytes) Array.of(batch.columns().get(0));
      Array.FixedWidth childCounts = (Array.FixedWidth) Array.of(batch.columns().get(1));
      Array.Bytes types = (Array.Bytes) Array.of(batch.columns().get(2));
      Array.FixedWidth precisions = (Array.FixedWidth) Array.of(batch.columns().get(3));
      for (long i = 0; i < batch.length(); i++) {
        String name = nodeNames.isNull(i) ? "" : nodeNames.text(i);
        long childCount = childCounts.isNull(i) ? 0 : childCounts.integer(i);
        if (root) {
          root = false;
          continue;
        }
        if (ancestors.isEmpty()) {
          names.add(name);
        }
        String path = path(ancestors, name);
        if (!precisions.isNull(i) && precisions.integer(i) > DECIMAL_DIGITS_MAXIMUM) {
          throw ForeignDataException.of(
              "Expected decimals of at most %d digits but found %d"
                  .formatted(DECIMAL_DIGITS_MAXIMUM, precisions.integer(i)),
              null,
              path,
              null);
        }
        if (!types.isNull(i) && types.text(i).equals("INT96")) {
          coarse.add(path);
        }
        if (childCount == 0) {
          leafColumns.add(names.size() - 1);
        }
        descend(ancestors, name, childCount);
      }
    }
    return new ParquetSchema(names, coarse, leafColumns);
  }

  /// Returns whether the engine keeps the names as they are: it ignores their case.
  boolean hasDistinctNames() {
    Set<String> distinct = new HashSet<>();
    return names.stream()
        .allMatch(name -> !name.isEmpty() && distinct.add(name.toLowerCase(Locale.ROOT)));
  }

  /// Returns the names of the columns in at most `count` groups of about the same cost.
  ///
  /// @param costs the index of a sequence of values, and what it costs
  List<List<String>> groups(List<RecordBatch> costs, int count) {
    double[] columns = new double[names.size()];
    // A file without rows has no costs.
    Arrays.fill(columns, 1);
    for (RecordBatch batch : costs) {
      Array.FixedWidth leaves = (Array.FixedWidth) Array.of(batch.columns().get(0));
      Array.FixedWidth bytes = (Array.FixedWidth) Array.of(batch.columns().get(1));
      for (long i = 0; i < batch.length(); i++) {
        long leaf = leaves.integer(i);
        if (leaf >= 0 && leaf < leafColumns.size() && !bytes.isNull(i)) {
          columns[leafColumns.get((int) leaf)] += Math.max(0, bytes.floatingPoint(i));
        }
      }
    }
    double total = DoubleStream.of(columns).sum();
    List<List<String>> groups = new ArrayList<>();
    double before = 0;
    int group = -1;
    for (int i = 0; i < columns.length; i++) {
      // The middle of a column decides on its group.
      int next = Math.clamp((long) ((before + columns[i] / 2) / total * count), 0, count - 1);
      if (next != group) {
        groups.add(new ArrayList<>());
        group = next;
      }
      groups.getLast().add(names.get(i));
      before += columns[i];
    }
    return groups;
  }

  private static String path(List<Ancestor> ancestors, String name) {
    StringBuilder path = new StringBuilder();
    ancestors.forEach(ancestor -> path.append(ancestor.name()).append('.'));
    return path.append(name).toString();
  }

  private static void descend(List<Ancestor> ancestors, String name, long childCount) {
    if (childCount > 0) {
      ancestors.add(new Ancestor(name, childCount));
      return;
    }
    while (!ancestors.isEmpty()) {
      Ancestor last = ancestors.removeLast();
      if (last.left() > 1) {
        ancestors.add(new Ancestor(last.name(), last.left() - 1));
        return;
      }
    }
  }
}
