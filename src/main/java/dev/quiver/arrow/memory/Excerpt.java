package dev.quiver.arrow.memory;

/// An excerpt of input text, short enough to quote in an error message.
public final class Excerpt {

  private Excerpt() {}

  /// Returns the text, truncated to `lengthMaximum` characters and an ellipsis if it is longer.
  public static String of(String text, int lengthMaximum) {
    if (text.length() <= lengthMaximum) {
      return text;
    }
    // Half a surrogate pair has no UTF-8 encoding, so the message could not be sent.
    boolean splitsPair = Character.isHighSurrogate(text.charAt(lengthMaximum - 1));
    return text.substring(0, splitsPair ? lengthMaximum - 1 : lengthMaximum) + "…";
  }
}
