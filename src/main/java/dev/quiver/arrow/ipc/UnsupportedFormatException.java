package dev.quiver.arrow.ipc;

/// Thrown when the first bytes of a body show that it is neither an Arrow stream nor an Arrow file.
public final class UnsupportedFormatException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final String found;

  UnsupportedFormatException(String found) {
    super("Expected an Arrow IPC stream or file but found " + found + " at byte offset 0");
    this.found = found;
  }

  /// Returns a phrase for the actual format, such as `a Parquet file`.
  public String found() {
    return found;
  }
}
