package dev.quiver.dataset.version;

/// Reports that the dataset or this version of it was deleted, or that the version has expired.
public final class DatasetGoneException extends DatasetException {

  private static final long serialVersionUID = 1;

  public DatasetGoneException(DatasetReference reference) {
    this("Expected a dataset but found a deleted one at " + reference);
  }

  private DatasetGoneException(String message) {
    super(message);
  }

  /// Returns the exception for a version that was deleted long after it was replaced.
  public static DatasetGoneException expired(DatasetReference reference) {
    return new DatasetGoneException(
        "Expected a retained version but found one that was replaced and then deleted at "
            + reference);
  }
}
