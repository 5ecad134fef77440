package dev.quiver.store.version;

/// Reports that another process changed the file that holds the data.
public final class DamagedDatasetException extends DatasetException {

  private static final long serialVersionUID = 1;

  public DamagedDatasetException(DatasetReference reference, ImportSource source) {
    super(
        "Expected the file %s as it was imported but found it changed in place at %s"
            .formatted(source.file().path(), reference));
  }
}
