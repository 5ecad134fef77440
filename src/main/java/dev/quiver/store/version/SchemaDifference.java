package dev.quiver.store.version;

/// One difference between the schemas of appended data and of the dataset.
///
/// @param field the path, such as `point.x`, of the field in the dataset, or in the body if the
///   dataset lacks it
/// @param expected the dataset's side
/// @param found the body's side
public record SchemaDifference(String field, Aspect aspect, String expected, String found) {

  /// The property of a field that differs.
  public enum Aspect {
    /// The body lacks the field.
    MISSING,
    /// The dataset lacks the field.
    EXTRA,
    /// The position among its siblings, counted from 0.
    POSITION,
    /// The name of a child that has a role in its parent's type, such as the item of a list.
    NAME,
    /// Whether the field may be null.
    NULLABILITY,
    /// The type, or one of its parameters.
    TYPE,
    /// Whether the field is dictionary-encoded.
    ENCODING,
    /// Whether the order of the dictionary is meaningful.
    ORDER,
    /// The extension type, or one of its parameters.
    EXTENSION,
    /// A value that the type of the dataset lacks.
    VALUE,
    /// The values of an ordered dictionary, which do not start with the dataset's values.
    DICTIONARY
  }

  /// Returns the expected and the found side as a sentence without a full stop.
  public String sentence() {
    return "Expected " + expected + " but found " + found + " at field " + field;
  }
}
