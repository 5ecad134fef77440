package dev.quiver.store.version;

/// Reports an unknown dataset, or an unknown version of a dataset.
public final class DatasetNotFoundException extends DatasetException {

  private static final long serialVersionUID = 1;

  public DatasetNotFoundException(DatasetReference reference) {
    this("Expected a dataset but found none at " + reference);
  }

  private DatasetNotFoundException(String message) {
    super(message);
  }

  /// Returns the exception for a version that is later than the last one.
  public static DatasetNotFoundException beyond(DatasetName name, long last, long found) {
    return new DatasetNotFoundException(
        "Expected a version up to %d but found %d at %s".formatted(last, found, name));
  }
}
