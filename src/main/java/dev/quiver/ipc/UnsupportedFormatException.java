package dev.quiver.ipc;

/// A body that is neither an Arrow stream nor an Arrow file, recognised by its first bytes.
public final class UnsupportedFormatException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final String found;

  UnsupportedFormatException(String found) {
    super("Expected an Arrow IPC stream or file but found " + found + " at byte offset 0");
    this.found = found;
  }

  /// What the body is, such as `a Parquet file`.
  public String found() {
    return found;
  }
}
