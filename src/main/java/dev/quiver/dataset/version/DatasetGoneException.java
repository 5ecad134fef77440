package dev.quiver.dataset.version;

/// The dataset was deleted, or this version of it was, or is not kept any more.
public final class DatasetGoneException extends DatasetException {

  private static final long serialVersionUID = 1;

  public DatasetGoneException(DatasetReference reference) {
    this("Expected a dataset but found a deleted one at " + reference);
  }

  private DatasetGoneException(String message) {
    super(message);
  }

  /// A version that was replaced so long ago that it was removed.
  public static DatasetGoneException removed(DatasetReference reference) {
    return new DatasetGoneException(
        "Expected a version that is kept but found one that was replaced and then removed at "
            + reference);
  }
}
