package dev.quiver.arrow.text;

import java.io.IOException;

/// The ways in which cells are written.
enum CellStyle {
  /// RFC 4180: with quotation marks where needed, so that an empty text differs from null.
  CSV(",", "", "\"", "\"\"", new JsonStrings("\"\"", "\\")) {
    @Override
    SlotWriter text(SlotBytes values) {
      return CsvCells.quoted(values);
    }

    @Override
    void name(String name, TextOutput output) throws IOException {
      CsvCells.name(name, output);
    }
  },
  /// The same with all texts between quotation marks, and none that a spreadsheet would run.
  SAFE_CSV(",", "", "\"", "\"\"", new JsonStrings("\"\"", "\\")) {
    @Override
    SlotWriter text(SlotBytes values) {
      return CsvCells.safe(values);
    }

    @Override
    void name(String name, TextOutput output) throws IOException {
      CsvCells.safeName(name, output);
    }
  },
  /// `text/tab-separated-values`: tabs, line ends and backslashes are escaped, and null is `\N`, so
  /// that an empty text differs from it.
  TSV("\t", "\\N", "", "", new JsonStrings("\"", "\\\\")) {
    @Override
    SlotWriter text(SlotBytes values) {
      return TsvCells.escaped(values);
    }

    @Override
    void name(String name, TextOutput output) throws IOException {
      TsvCells.name(name, output);
    }
  },
  /// The same with no text that a spreadsheet would run.
  SAFE_TSV("\t", "\\N", "", "", new JsonStrings("\"", "\\\\")) {
    @Override
    SlotWriter text(SlotBytes values) {
      return TsvCells.safe(values);
    }

    @Override
    void name(String name, TextOutput output) throws IOException {
      TsvCells.safeName(name, output);
    }
  },
  /// The cells of a page, which are single texts.
  PLAIN("", "", "", "", JsonStrings.PLAIN) {
    @Override
    SlotWriter text(SlotBytes values) {
      return CsvCells.plain(values);
    }

    @Override
    void name(String name, TextOutput output) {
      throw new UnsupportedOperationException("A page has no row of names");
    }
  };

  private final PreparedText separator;
  private final PreparedText nullText;
  private final PreparedText jsonQuote;
  private final PreparedText empty;
  private final JsonStrings jsonStrings;

  CellStyle(
      String separator, String nullText, String jsonQuote, String empty, JsonStrings jsonStrings) {
    this.separator = PreparedText.of(separator);
    this.nullText = PreparedText.of(nullText);
    this.jsonQuote = PreparedText.of(jsonQuote);
    this.empty = PreparedText.of(empty);
    this.jsonStrings = jsonStrings;
  }

  /// Returns the style of a format of cells.
  static CellStyle of(TextFormat format, CellTexts texts) {
    return switch (texts) {
      case EXACT -> format == TextFormat.TSV ? TSV : CSV;
      case SAFE -> format == TextFormat.TSV ? SAFE_TSV : SAFE_CSV;
    };
  }

  /// Returns the text between two cells.
  PreparedText separator() {
    return separator;
  }

  /// Returns the text of a null cell.
  PreparedText nullText() {
    return nullText;
  }

  /// Returns the text before and after a cell of JSON.
  PreparedText jsonQuote() {
    return jsonQuote;
  }

  /// Returns the text of an empty binary value.
  PreparedText empty() {
    return empty;
  }

  /// Returns the form of strings in a cell of JSON.
  JsonStrings jsonStrings() {
    return jsonStrings;
  }

  /// Returns the writer of texts.
  abstract SlotWriter text(SlotBytes values);

  /// Returns the writer of binary values that are not empty.
  SlotWriter base64(SlotBytes values) {
    SlotWriter exact = Scalars.binary(PreparedText.NOTHING, values);
    return this == SAFE_CSV || this == SAFE_TSV ? Formulas.base64(values, exact) : exact;
  }

  /// Writes the name of a column.
  abstract void name(String name, TextOutput output) throws IOException;
}
