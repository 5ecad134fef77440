package dev.quiver.dataset.version;

/// Reports an unknown dataset, or an unknown version of a dataset.
public final class DatasetNotFoundException extends DatasetException {

  private static final long serialVersionUID = 1;

  public DatasetNotFoundException(DatasetReference reference) {
    super("Expected a dataset but found none at " + reference);
  }
}
