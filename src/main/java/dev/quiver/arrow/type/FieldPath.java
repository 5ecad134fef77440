package dev.quiver.arrow.type;

import org.jspecify.annotations.Nullable;

/// The path of a field in a schema: names from the column down.
///
/// The text is built only on demand. Names can be long and fields numerous, so one text per field
/// could take far more memory than the metadata.
///
/// @param parent null for a column
public record FieldPath(@Nullable FieldPath parent, String name) {

  /// The maximum length of the text in characters, excluding the ellipsis of a truncated one.
  public static final int LENGTH_MAXIMUM = 1_000;

  public static FieldPath of(Field column) {
    return new FieldPath(null, column.name());
  }

  public FieldPath child(Field child) {
    return new FieldPath(this, child.name());
  }

  /// Returns the names joined by dots, or only the end of that text if it is long.
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(end(name));
    for (FieldPath path = parent; path != null && text.length() <= LENGTH_MAXIMUM; ) {
      text.insert(0, '.').insert(0, end(path.name));
      path = path.parent;
    }
    return text.length() <= LENGTH_MAXIMUM
        ? text.toString()
        : "…" + text.substring(endStart(text, LENGTH_MAXIMUM));
  }

  /// Returns the end of a name, so that a long one is not copied for each field below it.
  private static String end(String name) {
    return name.substring(endStart(name, LENGTH_MAXIMUM + 2));
  }

  /// Returns where the last `length` characters start, or one fewer to keep a surrogate pair whole.
  private static int endStart(CharSequence text, int length) {
    int start = Math.max(0, text.length() - length);
    boolean inHalf = start > 0 && Character.isLowSurrogate(text.charAt(start));
    return inHalf ? start + 1 : start;
  }
}
