package dev.quiver.input;

/// Text from the input as sentences quote it.
public final class Excerpt {

  private Excerpt() {}

  /// The text, cut when it has more than `lengthMaximum` characters, with an ellipsis that says so.
  public static String of(String text, int lengthMaximum) {
    if (text.length() <= lengthMaximum) {
      return text;
    }
    // Half a surrogate pair has no UTF-8, so that the sentence could not be sent.
    boolean inHalf = Character.isHighSurrogate(text.charAt(lengthMaximum - 1));
    return text.substring(0, inHalf ? lengthMaximum - 1 : lengthMaximum) + "…";
  }
}
