package dev.quiver.store.version;

import org.jspecify.annotations.Nullable;

/// Reports an unknown dataset, or an unknown version of a dataset.
public final class DatasetNotFoundException extends DatasetException {

  private static final long serialVersionUID = 1;

  private final String dataset;
  private final @Nullable Long latest;
  private final boolean isSince;

  public DatasetNotFoundException(DatasetReference reference) {
    this(reference, null);
  }

  /// @param latest the number of the latest version, or null if the dataset does not exist
  private DatasetNotFoundException(DatasetReference reference, @Nullable Long latest) {
    this("Expected a dataset but found none at " + reference, reference.name(), latest, false);
  }

  private DatasetNotFoundException(
      String message, DatasetName name, @Nullable Long latest, boolean isSince) {
    super(message);
    this.dataset = name.value();
    this.latest = latest;
    this.isSince = isSince;
  }

  /// Returns the name of the dataset.
  public String dataset() {
    return dataset;
  }

  /// Returns the number of the latest version, or null if the dataset does not exist.
  public @Nullable Long latest() {
    return latest;
  }

  /// Returns whether the version is the one after which rows were asked for, rather than the one of
  /// the rows.
  public boolean isSince() {
    return isSince;
  }

  /// Returns the exception for a version that is later than the latest one.
  public static DatasetNotFoundException later(DatasetReference reference, VersionSummary newest) {
    boolean exists = newest.kind() != VersionKind.DELETE;
    return new DatasetNotFoundException(reference, exists ? newest.version() : null);
  }

  /// Returns the exception for rows after a version that is later than the last one.
  public static DatasetNotFoundException beyond(DatasetName name, long last, long found) {
    return new DatasetNotFoundException(
        "Expected a version up to %d but found %d at %s".formatted(last, found, name),
        name,
        last,
        /* isSince= */ true);
  }
}
