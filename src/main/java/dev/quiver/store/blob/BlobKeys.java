package dev.quiver.store.blob;

import java.util.Arrays;
import java.util.regex.Pattern;

/// The grammar of blob keys, which makes them safe in any file system and object store.
public final class BlobKeys {

  private static final int MAXIMUM_LENGTH = 1024;
  private static final int MAXIMUM_SEGMENT_LENGTH = 255;
  private static final Pattern PART_OF_KEY = Pattern.compile("[a-z0-9!._/-]*");

  private BlobKeys() {}

  /// Rejects an invalid key.
  ///
  /// @throws IllegalArgumentException if `key` is invalid
  public static void check(String key) {
    if (key.length() > MAXIMUM_LENGTH) {
      throw invalid("at most " + MAXIMUM_LENGTH + " characters", key);
    }
    for (String segment : key.split("/", -1)) {
      if (!isSegment(segment)) {
        throw invalid("segments of a-z 0-9 ! . _ - without dots at their ends", key);
      }
    }
  }

  /// Rejects text that cannot be a prefix or bound of keys.
  ///
  /// @throws IllegalArgumentException if `part` has a character that no key has
  public static void checkPart(String part) {
    if (!PART_OF_KEY.matcher(part).matches()) {
      throw invalid("characters of a-z 0-9 ! . _ - /", part);
    }
  }

  public static boolean isKey(String text) {
    return text.length() <= MAXIMUM_LENGTH
        && Arrays.stream(text.split("/", -1)).allMatch(BlobKeys::isSegment);
  }

  /// Returns whether any key starts with `part`.
  public static boolean mayStartKey(String part) {
    return part.isEmpty() || isKey(part + "a") || isKey(part);
  }

  public static boolean isSegment(String text) {
    int length = text.length();
    if (length == 0
        || length > MAXIMUM_SEGMENT_LENGTH
        || text.charAt(0) == '.'
        || text.charAt(length - 1) == '.') {
      return false;
    }
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      boolean allowed = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || "!._-".indexOf(c) >= 0;
      if (!allowed) {
        return false;
      }
    }
    return true;
  }

  private static IllegalArgumentException invalid(String expected, String key) {
    return new IllegalArgumentException(
        "Expected " + expected + " but found \"" + key + "\" at the key of a blob");
  }
}
