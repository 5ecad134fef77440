package dev.quiver.arrow.text;

/// The form of texts in the cells of CSV and TSV.
public enum CellTexts {
  /// As they are.
  EXACT,
  /// With an apostrophe before each text that a spreadsheet would run as a formula.
  SAFE
}
