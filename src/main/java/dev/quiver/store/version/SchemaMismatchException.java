package dev.quiver.store.version;

import java.util.List;

/// Reports that appended data does not have the schema of the dataset. The message holds the first
/// difference and the number of differences.
public final class SchemaMismatchException extends DatasetException {

  private static final long serialVersionUID = 1;

  private final transient List<SchemaDifference> differences;
  private final long count;

  /// @param differences the first differences, at least one
  /// @param count the number of all differences
  public SchemaMismatchException(DatasetName name, List<SchemaDifference> differences, long count) {
    super(
        differences.getFirst().sentence()
            + (count == 1
                ? ", the only difference"
                : ", the first of %d differences".formatted(count))
            + " from the schema of "
            + name);
    this.differences = List.copyOf(differences);
    this.count = count;
  }

  /// Returns the first differences, column by column.
  public List<SchemaDifference> differences() {
    return differences;
  }

  /// Returns the number of all differences, including those beyond [#differences].
  public long count() {
    return count;
  }
}
