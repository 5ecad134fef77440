package dev.quiver.dataset.version;

/// There is no such dataset, or no such version of it.
public final class DatasetNotFoundException extends DatasetException {

  private static final long serialVersionUID = 1;

  public DatasetNotFoundException(DatasetReference reference) {
    super("Expected a dataset but found none at " + reference);
  }
}
