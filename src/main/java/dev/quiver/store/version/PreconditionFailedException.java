package dev.quiver.store.version;

/// Reports that the condition of a write does not hold.
public final class PreconditionFailedException extends DatasetException {

  private static final long serialVersionUID = 1;

  /// The state in place of the expected version.
  public enum Found {
    NO_DATASET,
    A_DATASET,
    ANOTHER_VERSION
  }

  private final String dataset;
  private final Found found;

  public PreconditionFailedException(
      String expected, String actual, Found found, DatasetName name) {
    super("Expected " + expected + " but found " + actual + " at " + name);
    this.dataset = name.value();
    this.found = found;
  }

  public Found found() {
    return found;
  }

  /// Returns the name of the dataset.
  public String dataset() {
    return dataset;
  }
}
