package dev.quiver.store.version;

/// Reports that the condition of a write does not hold.
public final class PreconditionFailedException extends DatasetException {

  private static final long serialVersionUID = 1;

  private final String dataset;

  public PreconditionFailedException(String expected, String found, DatasetName name) {
    super("Expected " + expected + " but found " + found + " at " + name);
    this.dataset = name.value();
  }

  /// Returns the name of the dataset.
  public String dataset() {
    return dataset;
  }
}
