package dev.quiver.store.access;

import java.util.Locale;

/// A right to the datasets whose names match a pattern: `read:flights*`, `write:team.*`, `admin`.
public record Permission(Right right, NamePattern names) {

  /// The rights, each of which includes those before it.
  public enum Right {
    /// Reads of data, and of everything that describes it.
    READ,
    /// Uploads, appends, compactions and deletes as well.
    WRITE,
    /// The service as a whole as well, such as the jobs of all principals.
    ADMIN
  }

  /// Parses a permission.
  ///
  /// @throws IllegalArgumentException with the expected syntax in its message, if `text` is invalid
  public static Permission parse(String text) {
    int colon = text.indexOf(':');
    if (text.equals("admin")) {
      return new Permission(Right.ADMIN, NamePattern.ALL);
    }
    return switch (text.substring(0, Math.max(colon, 0))) {
      case "read" -> new Permission(Right.READ, new NamePattern(text.substring(colon + 1)));
      case "write" -> new Permission(Right.WRITE, new NamePattern(text.substring(colon + 1)));
      default ->
          throw new IllegalArgumentException(
              "Expected read: or write: and a pattern of dataset names, or admin, but found another"
                  + " word at a permission");
    };
  }

  /// Returns whether this gives a right to a dataset.
  boolean gives(Right needed, String name) {
    return right.compareTo(needed) >= 0 && names.matches(name);
  }

  @Override
  public String toString() {
    return right == Right.ADMIN ? "admin" : right.name().toLowerCase(Locale.ROOT) + ":" + names;
  }
}
