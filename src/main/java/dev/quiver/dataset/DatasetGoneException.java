package dev.quiver.dataset;

/// The dataset, or this version of it, was deleted.
public final class DatasetGoneException extends DatasetException {

  private static final long serialVersionUID = 1;

  DatasetGoneException(DatasetReference reference) {
    super("Expected a dataset but found a deleted one at " + reference);
  }
}
