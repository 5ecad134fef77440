package dev.quiver.arrow.text;

import java.util.ArrayList;
import java.util.List;

/// Counts the values of a worksheet that are text, since a cell would change them.
final class TextCells {

  /// The reasons for text.
  enum Reason {
    DIGITS("Integers and decimals of more than %d digits".formatted(SheetColumn.DIGITS_MAXIMUM)),
    FINE("Times finer than a millisecond"),
    RANGE(
        "Dates before 1900-03-01 or after 9999-12-31, times outside of a day, and durations below 0"
            + " or above 2958465 days"),
    NOT_FINITE("NaN and infinities");

    private final String values;

    Reason(String values) {
      this.values = values;
    }
  }

  private final long[] counts = new long[Reason.values().length];
  private final String[] firstCells = new String[counts.length];

  /// @param column the letters of the column
  void count(Reason reason, String column, long row) {
    int index = reason.ordinal();
    if (counts[index]++ == 0) {
      firstCells[index] = column + row;
    }
  }

  /// Returns a sentence for each reason with values, in ASCII without quotation marks.
  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    for (Reason reason : Reason.values()) {
      long count = counts[reason.ordinal()];
      if (count > 0) {
        sentences.add(
            "%s are text: %d, the first in cell %s"
                .formatted(reason.values, count, firstCells[reason.ordinal()]));
      }
    }
    return sentences;
  }
}
