package dev.quiver.dataset.version;

/// An operation that a dataset does not allow in its present state.
public abstract sealed class DatasetException extends RuntimeException
    permits DatasetNotFoundException,
        DatasetGoneException,
        DamagedDatasetException,
        InvalidVersionException,
        PreconditionFailedException,
        SchemaMismatchException {

  private static final long serialVersionUID = 1;

  DatasetException(String message) {
    super(message);
  }
}
