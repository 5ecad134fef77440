package dev.quiver.arrow.text;

/// The text formats, by the text before, between and after the rows.
public enum TextFormat {
  /// An array of objects, each on a line: RFC 8259.
  JSON("[", "\n", ",\n", "\n]\n", "]\n"),
  /// An object on each line.
  JSON_LINES("", "", "\n", "\n", ""),
  /// A header and rows, which end in CR and LF: RFC 4180.
  CSV("", "\r\n", "\r\n", "\r\n", "\r\n"),
  /// A header and rows of tab-separated cells.
  TSV("", "\n", "\n", "\n", "\n");

  private final String opening;
  private final String beforeFirstRow;
  private final String betweenRows;
  private final String closing;
  private final String closingWithoutRows;

  TextFormat(
      String opening,
      String beforeFirstRow,
      String betweenRows,
      String closing,
      String closingWithoutRows) {
    this.opening = opening;
    this.beforeFirstRow = beforeFirstRow;
    this.betweenRows = betweenRows;
    this.closing = closing;
    this.closingWithoutRows = closingWithoutRows;
  }

  String opening() {
    return opening;
  }

  String beforeFirstRow() {
    return beforeFirstRow;
  }

  String betweenRows() {
    return betweenRows;
  }

  String closing() {
    return closing;
  }

  String closingWithoutRows() {
    return closingWithoutRows;
  }

  /// Returns the minimum size of a row: the end of its line, or the braces of an object.
  int rowByteSizeMinimum() {
    return switch (this) {
      case JSON, JSON_LINES, CSV -> 2;
      case TSV -> 1;
    };
  }
}
