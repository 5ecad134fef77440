package dev.quiver.formats.excel;

import org.jspecify.annotations.Nullable;

/// The types of cells (ECMA-376, part 1, §18.18.11).
enum CellType {
  NUMBER,
  BOOLEAN,
  /// A date or a time as ISO 8601 writes it.
  DATE,
  ERROR,
  /// A text in the cell, with elements.
  INLINE_TEXT,
  /// The index of a shared text.
  SHARED_TEXT,
  /// A text of a formula.
  TEXT;

  /// Returns the type of a value of the attribute `t`, or null if it is unknown.
  static @Nullable CellType of(String value) {
    return switch (value) {
      case "n" -> NUMBER;
      case "b" -> BOOLEAN;
      case "d" -> DATE;
      case "e" -> ERROR;
      case "inlineStr" -> INLINE_TEXT;
      case "s" -> SHARED_TEXT;
      case "str" -> TEXT;
      default -> null;
    };
  }
}
