package dev.quiver.store.version;

import java.util.List;

/// Reports that appended data does not have the schema of the dataset. The message holds the first
/// difference and the number of differences.
public final class SchemaMismatchException extends DatasetException {

  private static final long serialVersionUID = 1;

  private final transient List<SchemaDifference> differences;
  private final long count;
  private final boolean lacksColumns;

  /// @param differences the first differences, at least one
  /// @param count the number of all differences
  /// @param lacksColumns whether the dataset lacks columns of the data
  public SchemaMismatchException(
      DatasetName name, List<SchemaDifference> differences, long count, boolean lacksColumns) {
    super(
        differences.getFirst().sentence()
            + (count == 1
                ? ", the only difference"
                : ", the first of %d differences".formatted(count))
            + " from the schema of "
            + name);
    this.differences = List.copyOf(differences);
    this.count = count;
    this.lacksColumns = lacksColumns;
  }

  /// Returns the first differences, column by column.
  public List<SchemaDifference> differences() {
    return differences;
  }

  /// Returns the number of all differences, including those beyond [#differences].
  public long count() {
    return count;
  }

  /// Returns whether the dataset lacks columns of the data, and was not to get them.
  public boolean lacksColumns() {
    return lacksColumns;
  }
}
