package dev.quiver.arrow.ipc;

import org.jspecify.annotations.Nullable;

/// Thrown when the first bytes of a body show that it is neither an Arrow stream nor an Arrow file.
public final class UnsupportedFormatException extends RuntimeException {

  /// The kinds of text that are recognized.
  public enum Text {
    /// HTML or XML, often the page of an error.
    MARKUP,
    JSON,
    OTHER
  }

  private static final long serialVersionUID = 1;

  private final String found;
  private final @Nullable Text text;
  private final @Nullable String hint;

  UnsupportedFormatException(String found, @Nullable Text text) {
    this(found, text, /* hint= */ null);
  }

  private UnsupportedFormatException(String found, @Nullable Text text, @Nullable String hint) {
    super("Expected an Arrow IPC stream or file but found " + found + " at byte offset 0");
    this.found = found;
    this.text = text;
    this.hint = hint;
  }

  /// Returns the same failure with a sentence that says what to do.
  public UnsupportedFormatException withHint(@Nullable String sentence) {
    UnsupportedFormatException hinted = new UnsupportedFormatException(found, text, sentence);
    hinted.setStackTrace(getStackTrace());
    return hinted;
  }

  /// Returns a phrase for the actual format, such as `a Parquet file`.
  public String found() {
    return found;
  }

  /// Returns the kind of the text, or null if the body is another one or not text.
  public @Nullable Text text() {
    return text;
  }

  /// Returns a sentence that says what to do, or null.
  public @Nullable String hint() {
    return hint;
  }
}
