package dev.quiver.dataset.version;

/// One way in which the schema of what is to be appended is not that of the dataset.
///
/// @param field its path, such as `point.x`: where it stands in the dataset, or in the body when
///   the dataset has none
/// @param expected what the dataset has
/// @param found what the body has
public record SchemaDifference(String field, Aspect aspect, String expected, String found) {

  /// What of a field differs.
  public enum Aspect {
    /// The body does not have the field.
    MISSING,
    /// The dataset does not have the field.
    EXTRA,
    /// It stands elsewhere among its siblings, counted from 0.
    POSITION,
    /// A child that its type gives a role, such as the item of a list, has another name.
    NAME,
    /// Whether it may be null.
    NULLABILITY,
    /// The type, or a parameter of it.
    TYPE,
    /// Whether it is dictionary-encoded.
    ENCODING,
    /// Whether the order of its dictionary means something.
    ORDER,
    /// The extension type, or a parameter of it.
    EXTENSION,
    /// The values of an ordered dictionary, which do not start with those of the dataset.
    DICTIONARY
  }

  /// What was expected and what was found, without the full stop.
  public String sentence() {
    return "Expected " + expected + " but found " + found + " at field " + field;
  }
}
