package dev.quiver.formats.excel;

import dev.quiver.formats.ForeignDataException;
import java.io.IOException;

/// The cells of a sheet that have a value or a formula, one after another (ECMA-376, part 1,
/// §18.3.1). Formulas are not read. Used by one thread.
final class SheetReader implements AutoCloseable {

  /// The rows of a sheet (ECMA-376; Excel's own limit).
  static final int ROW_COUNT_MAXIMUM = 1_048_576;

  static final int COLUMN_COUNT_MAXIMUM = 16_384;

  private static final int INDEX_LENGTH_MAXIMUM = 9;

  private final XmlPart xml;
  private final SheetTexts texts;

  /// The text between the tags of the value.
  private final StringBuilder raw = new StringBuilder();

  /// Whether the element with the rows was found, and is not yet at its end.
  private boolean isInRows;

  private boolean isInRow;

  private int row;
  private int column;
  private int style;
  private CellType type = CellType.NUMBER;
  private boolean hasValue;
  private boolean hasFormula;

  /// @param xml the part of the sheet, closed with this
  SheetReader(XmlPart xml, SheetTexts texts) {
    this.xml = xml;
    this.texts = texts;
    this.isInRows = xml.nextChild("sheetData");
  }

  /// Moves to the next cell.
  ///
  /// @return whether there is one
  /// @throws ForeignDataException if a cell or its place is invalid
  boolean next() {
    while (isInRows) {
      if (!isInRow) {
        isInRows = xml.nextChild("row");
        isInRow = isInRows;
        if (isInRow) {
          beginRow();
        }
      } else if (!xml.nextChild("c")) {
        isInRow = false;
      } else {
        readCell();
        if (hasValue || hasFormula) {
          return true;
        }
      }
    }
    return false;
  }

  private void beginRow() {
    int last = row;
    String number = xml.attribute("r");
    row = number == null ? last + 1 : index(number, ROW_COUNT_MAXIMUM + 1);
    if (row <= last || row > ROW_COUNT_MAXIMUM) {
      throw ForeignDataException.of(
          "Expected a row after row %,d, up to row %,d, but found row %s"
              .formatted(
                  last,
                  ROW_COUNT_MAXIMUM,
                  ForeignDataException.excerpt(number == null ? "" + row : number)));
    }
    column = -1;
  }

  private void readCell() {
    int last = column;
    column = last + 1;
    style = 0;
    hasValue = false;
    hasFormula = false;
    raw.setLength(0);
    String typeName = "n";
    String styleIndex = "0";
    for (int i = 0; i < xml.attributeCount(); i++) {
      switch (xml.attributeName(i)) {
        case "r" -> column = column(xml.attributeValue(i));
        case "s" -> styleIndex = xml.attributeValue(i);
        case "t" -> typeName = xml.attributeValue(i);
        default -> {
          // An index of metadata, or whether it is pronounced.
        }
      }
    }
    if (column <= last || column >= COLUMN_COUNT_MAXIMUM) {
      throw ForeignDataException.of(
          "Expected cells of row %,d in order, in the first %,d columns, but found %s"
              .formatted(row, COLUMN_COUNT_MAXIMUM, place()));
    }
    style = index(styleIndex, Integer.MAX_VALUE);
    if (style < 0) {
      throw invalid("the index of a style", styleIndex);
    }
    type = type(typeName);
    readContent();
  }

  /// Returns the name of the current cell as the file has it, or a name for it.
  private String place() {
    String stated = xml.attribute("r");
    return stated == null ? SheetWriter.name(column, row) : ForeignDataException.excerpt(stated);
  }

  private void readContent() {
    boolean isComplete = true;
    while (xml.nextChild()) {
      switch (xml.element()) {
        case "v" -> {
          hasValue = true;
          isComplete &= xml.appendText(raw, SheetTexts.LENGTH_MAXIMUM);
        }
        case "is" -> {
          hasValue = true;
          isComplete &= SheetTexts.append(xml, raw);
        }
        case "f" -> {
          hasFormula = true;
          xml.skip();
        }
        default -> xml.skip();
      }
    }
    if (!isComplete) {
      throw invalid("at most %,d characters".formatted(SheetTexts.LENGTH_MAXIMUM), raw.toString());
    }
  }

  private CellType type(String value) {
    CellType known = CellType.of(value);
    if (known == null) {
      throw invalid("a type of cells", value);
    }
    return known;
  }

  /// Returns the column of the name of a cell of the current row, counted from 0, or one beyond all
  /// columns.
  private int column(String name) {
    int number = 0;
    int position = 0;
    for (; position < name.length() && number <= COLUMN_COUNT_MAXIMUM; position++) {
      int letter = Character.toUpperCase(name.charAt(position)) - 'A';
      if (letter < 0 || letter >= 26) {
        break;
      }
      number = 26 * number + letter + 1;
    }
    if (number > COLUMN_COUNT_MAXIMUM) {
      return COLUMN_COUNT_MAXIMUM;
    }
    if (number == 0 || index(name.substring(position), ROW_COUNT_MAXIMUM) != row) {
      throw ForeignDataException.of(
          "Expected the name of a cell of row %,d but found \"%s\""
              .formatted(row, ForeignDataException.excerpt(name)));
    }
    return number - 1;
  }

  /// Returns a number of decimal digits, or -1 if it has another form or is above a maximum.
  private static int index(CharSequence digits, int maximum) {
    if (digits.isEmpty() || digits.length() > INDEX_LENGTH_MAXIMUM) {
      return -1;
    }
    int number = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = 10 * number + digit;
    }
    return number <= maximum ? number : -1;
  }

  int row() {
    return row;
  }

  /// Returns the column, counted from 0.
  int column() {
    return column;
  }

  CellType type() {
    return type;
  }

  /// Returns the index of the style.
  int style() {
    return style;
  }

  /// Returns whether the cell has a formula without a value. A text may be empty.
  boolean lacksValue() {
    boolean isText = hasValue && (type == CellType.TEXT || type == CellType.INLINE_TEXT);
    return hasFormula && raw.isEmpty() && !isText;
  }

  /// Returns the text of the cell: a shared one, or its value.
  String text() {
    return switch (type) {
      case SHARED_TEXT -> hasValue ? shared() : "";
      case TEXT, INLINE_TEXT -> SheetTexts.unescaped(raw);
      case NUMBER, BOOLEAN, DATE, ERROR -> raw.toString().strip();
    };
  }

  private String shared() {
    int count = texts.texts().size();
    int index = index(raw, count - 1);
    if (index < 0) {
      index = index(raw.toString().strip(), count - 1);
    }
    if (index < 0) {
      throw invalid("the index of one of %,d shared texts".formatted(count), raw.toString());
    }
    return texts.texts().get(index);
  }

  /// Returns the error about the value of the current cell.
  ForeignDataException invalid(String expected, String found) {
    return ForeignDataException.of(
        "Expected %s but found \"%s\" in cell %s"
            .formatted(
                expected, ForeignDataException.excerpt(found), SheetWriter.name(column, row)));
  }

  /// Reads what follows the last row.
  void finish() throws IOException {
    xml.finish();
  }

  @Override
  public void close() throws IOException {
    xml.close();
  }
}
