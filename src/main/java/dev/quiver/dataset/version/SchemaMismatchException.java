package dev.quiver.dataset.version;

import java.util.List;

/// What is to be appended does not have the schema of the dataset. The message is the sentence of
/// the first difference, and how many there are.
public final class SchemaMismatchException extends DatasetException {

  private static final long serialVersionUID = 1;

  private final transient List<SchemaDifference> differences;
  private final long count;

  /// @param differences the first of them, at least one
  /// @param count of all
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

  /// The first of the differences, column by column.
  public List<SchemaDifference> differences() {
    return differences;
  }

  /// How many there are, those included that [#differences] does not have.
  public long count() {
    return count;
  }
}
