package dev.quiver.store.version;

/// Reports an operation that a dataset does not allow in its current state.
public abstract sealed class DatasetException extends RuntimeException
    permits DatasetNotFoundException,
        DatasetGoneException,
        DatasetReplacedException,
        DamagedDatasetException,
        InvalidVersionException,
        PreconditionFailedException,
        SchemaMismatchException {

  private static final long serialVersionUID = 1;

  DatasetException(String message) {
    super(message);
  }
}
