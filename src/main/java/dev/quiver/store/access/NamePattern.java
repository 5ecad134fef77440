package dev.quiver.store.access;

import java.util.regex.Pattern;

/// A pattern of dataset names, in which `*` matches any characters, also none. All other characters
/// match themselves.
///
/// @param text 1 to 100 characters of names, and `*`
public record NamePattern(String text) {

  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._*-]{1,100}");

  /// The pattern that every name matches.
  public static final NamePattern ALL = new NamePattern("*");

  /// @throws IllegalArgumentException if `text` is not a pattern
  public NamePattern {
    if (!ALLOWED.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "Expected 1 to 100 letters, digits, '.', '_', '-' or '*' but found others at a pattern of"
              + " dataset names");
    }
  }

  /// Returns whether every name matches.
  public boolean matchesAll() {
    return text.chars().allMatch(c -> c == '*');
  }

  /// Returns whether a name matches. The time is at most the product of both lengths.
  public boolean matches(String name) {
    int at = 0;
    int next = 0;
    int star = -1;
    int resume = 0;
    while (at < name.length()) {
      if (next < text.length() && text.charAt(next) == '*') {
        star = next;
        next++;
        resume = at;
      } else if (next < text.length() && text.charAt(next) == name.charAt(at)) {
        next++;
        at++;
      } else if (star >= 0) {
        // The latest star matches one more character.
        resume++;
        at = resume;
        next = star + 1;
      } else {
        return false;
      }
    }
    while (next < text.length() && text.charAt(next) == '*') {
      next++;
    }
    return next == text.length();
  }

  @Override
  public String toString() {
    return text;
  }
}
