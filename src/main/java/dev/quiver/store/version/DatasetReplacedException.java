package dev.quiver.store.version;

/// Reports that the rows after a version were not appended, since a later version replaced all
/// rows.
public final class DatasetReplacedException extends DatasetException {

  private static final long serialVersionUID = 1;

  private final long replacement;

  /// @param since the version after which rows were requested
  /// @param replacement the last version that replaced all rows
  public DatasetReplacedException(DatasetName name, long since, long replacement) {
    super(
        "Expected only appends after version %d but found that version %d replaced the rows at %s"
            .formatted(since, replacement, name));
    this.replacement = replacement;
  }

  /// Returns the number of the last version that replaced all rows.
  public long replacement() {
    return replacement;
  }
}
