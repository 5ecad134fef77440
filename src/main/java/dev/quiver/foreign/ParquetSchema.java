package dev.quiver.foreign;

import dev.quiver.columnar.Array;
import dev.quiver.columnar.RecordBatch;
import java.util.ArrayList;
import java.util.List;

/// The columns of a Parquet file.
///
/// @param names of the columns, which may repeat or be empty; the engine renames such
/// @param coarseTimestamps columns with timestamps of 96 bits, of which the engine reads
///   microseconds
public record ParquetSchema(List<String> names, List<String> coarseTimestamps) {

  private static final int DECIMAL_DIGITS_MAXIMUM = 38;

  public ParquetSchema {
    names = List.copyOf(names);
    coarseTimestamps = List.copyOf(coarseTimestamps);
  }

  /// A node above the current one.
  ///
  /// @param left its children that have not been read
  private record Ancestor(String name, long left) {}

  /// @throws ForeignDataException if a column is a decimal that the engine would read as a float
  static ParquetSchema of(List<RecordBatch> result) {
    List<String> names = new ArrayList<>();
    List<String> coarse = new ArrayList<>();
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
        descend(ancestors, name, childCount);
      }
    }
    return new ParquetSchema(names, coarse);
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
