package dev.quiver.arrow.text;

/// The form of values in text.
///
/// @param numbers the form of large numbers in JSON
/// @param maxValueByteSize the number of bytes after which a text or a binary value is cut, as each
///   is before it is escaped or encoded
/// @param texts the form of texts in the cells of CSV and TSV
/// @param byteOrderMark whether CSV and TSV begin with the byte order mark of UTF-8, by which
///   spreadsheets know their encoding
/// @param envelope whether JSON is an object with the columns, the rows and their number
public record TextOptions(
    JsonNumbers numbers,
    long maxValueByteSize,
    CellTexts texts,
    boolean byteOrderMark,
    boolean envelope) {

  /// Whole and exact values, and numbers as such.
  public static final TextOptions DEFAULT = whole(JsonNumbers.NUMBER);

  public TextOptions {
    if (maxValueByteSize < 1) {
      throw new IllegalArgumentException(
          "Expected a value of 1 byte or more but found " + maxValueByteSize);
    }
  }

  /// Returns the options of exact values that are not cut.
  public static TextOptions whole(JsonNumbers numbers) {
    return cut(numbers, Long.MAX_VALUE);
  }

  /// Returns the options of exact values that are cut after a number of bytes.
  public static TextOptions cut(JsonNumbers numbers, long maxValueByteSize) {
    return new TextOptions(
        numbers,
        maxValueByteSize,
        CellTexts.EXACT,
        /* byteOrderMark= */ false,
        /* envelope= */ false);
  }

  /// Returns the same options for values that are not cut.
  TextOptions whole() {
    return whole(numbers);
  }
}
