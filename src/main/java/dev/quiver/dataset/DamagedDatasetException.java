package dev.quiver.dataset;

/// The file that holds the data was changed by somebody else.
public final class DamagedDatasetException extends DatasetException {

  private static final long serialVersionUID = 1;

  DamagedDatasetException(DatasetReference reference, Source source) {
    super(
        "Expected the file %s as it was imported but found it changed in place at %s"
            .formatted(source.file().path(), reference));
  }
}
