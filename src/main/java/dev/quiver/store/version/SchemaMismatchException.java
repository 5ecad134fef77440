package dev.quiver.store.version;

import java.util.List;

/// Reports that appended data does not have the schema of the dataset. The message holds the first
/// difference and the number of differences.
public final class SchemaMismatchException extends DatasetException {

  private static final long serialVersionUID = 1;

  private final transient List<SchemaDifference> differences;
  private final long count;
  private final Remedy remedy;

  /// A change of the request after which the data may be appended.
  public enum Remedy {
    /// Other data.
    DATA,

    /// To add the columns of the data that the dataset lacks.
    ADD_COLUMNS,

    /// To convert the data to the types of the dataset.
    CONVERT
  }

  /// @param differences the first differences, at least one
  /// @param count the number of all differences
  public SchemaMismatchException(
      DatasetName name, List<SchemaDifference> differences, long count, Remedy remedy) {
    super(
        differences.getFirst().sentence()
            + (count == 1
                ? ", the only difference"
                : ", the first of %d differences".formatted(count))
            + " from the schema of "
            + name);
    this.differences = List.copyOf(differences);
    this.count = count;
    this.remedy = remedy;
  }

  /// Returns the first differences, column by column.
  public List<SchemaDifference> differences() {
    return differences;
  }

  /// Returns the number of all differences, including those beyond [#differences].
  public long count() {
    return count;
  }

  public Remedy remedy() {
    return remedy;
  }
}
