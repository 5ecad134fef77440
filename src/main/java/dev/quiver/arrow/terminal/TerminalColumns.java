package dev.quiver.arrow.terminal;

import java.util.ArrayList;
import java.util.List;

/// The columns of a table that fit the width of a terminal. If not all fit, those in the middle are
/// left out, and a column of ellipses is in their place.
///
/// @param widths the width of the text of each column, from 0 on; those that are left out have -1
/// @param gap the number of columns before those that are left out, or -1 if none are
record TerminalColumns(List<Integer> widths, int gap) {

  /// The width to which texts are cut before columns are left out.
  private static final int CUT_WIDTH_MINIMUM = 20;

  /// The width to which the names of types are cut first.
  private static final int TYPE_WIDTH_MINIMUM = 12;

  /// The columns around the text of a cell: a space on each side, and a line.
  private static final int CELL_MARGIN = 3;

  /// The columns of a column of ellipses.
  private static final int GAP_WIDTH = 1 + CELL_MARGIN;

  private static final int HIDDEN = -1;

  /// Chooses the columns that fit.
  ///
  /// @param width the columns of the terminal
  /// @param hasOthers whether columns of the table are missing in the middle of these
  static TerminalColumns fitting(
      int width,
      List<String> names,
      List<String> types,
      List<List<String>> rows,
      boolean hasOthers) {
    int room = width - 1;
    List<Integer> whole = widths(names, types, rows, room, CUT_WIDTH_MINIMUM);
    if (!hasOthers && total(whole) <= room) {
      return new TerminalColumns(whole, HIDDEN);
    }
    List<Integer> widths = widths(names, types, rows, room, TYPE_WIDTH_MINIMUM);
    List<Integer> smallest =
        widths.stream().map(each -> Math.min(each, CUT_WIDTH_MINIMUM)).toList();
    if (!hasOthers && total(smallest) <= room) {
      return new TerminalColumns(cut(widths, room), HIDDEN);
    }
    return withGap(widths, smallest, room - GAP_WIDTH);
  }

  private static List<Integer> widths(
      List<String> names, List<String> types, List<List<String>> rows, int room, int typeMaximum) {
    List<Integer> widths = new ArrayList<>(names.size());
    for (int i = 0; i < names.size(); i++) {
      int type = Math.min(TerminalText.width(types.get(i)), typeMaximum);
      int widest = Math.max(TerminalText.width(names.get(i)), type);
      for (List<String> row : rows) {
        widest = Math.max(widest, TerminalText.width(row.get(i)));
      }
      widths.add(Math.min(widest, room - CELL_MARGIN));
    }
    return widths;
  }

  /// Takes columns from both ends as long as they fit.
  private static TerminalColumns withGap(List<Integer> widths, List<Integer> smallest, int room) {
    int left = 0;
    int right = widths.size();
    int used = 0;
    boolean isFull = false;
    while (!isFull && left < right) {
      int next = left <= widths.size() - right ? left : right - 1;
      used += smallest.get(next) + CELL_MARGIN;
      isFull = used > room;
      if (!isFull && next == left) {
        left++;
      } else if (!isFull) {
        right--;
      }
    }
    List<Integer> shown = new ArrayList<>(widths);
    for (int i = left; i < right; i++) {
      shown.set(i, HIDDEN);
    }
    return new TerminalColumns(cut(shown, room), left);
  }

  /// Cuts the widest columns so that all fit.
  private static List<Integer> cut(List<Integer> widths, int room) {
    int maximum = widths.stream().mapToInt(Integer::intValue).max().orElse(0);
    List<Integer> cut = widths;
    while (total(cut) > room) {
      int next = --maximum;
      cut = widths.stream().map(each -> Math.min(each, next)).toList();
    }
    return cut;
  }

  private static int total(List<Integer> widths) {
    return widths.stream().mapToInt(each -> each == HIDDEN ? 0 : each + CELL_MARGIN).sum();
  }

  /// Returns how many columns are shown.
  int shownCount() {
    return (int) widths.stream().filter(each -> each != HIDDEN).count();
  }

  /// Adds a line with a text in each column.
  ///
  /// @param right whether the text of a column is at its right
  void line(StringBuilder table, List<String> cells, List<Boolean> right) {
    for (int i = 0; i <= widths.size(); i++) {
      if (i == gap) {
        cell(table, TerminalText.ELLIPSIS, 1, /* isRight= */ false);
      }
      if (i < widths.size() && widths.get(i) != HIDDEN) {
        cell(table, cells.get(i), widths.get(i), right.get(i));
      }
    }
    table.append("│\n");
  }

  /// Adds a line with an ellipsis in each column.
  void ellipses(StringBuilder table, List<Boolean> right) {
    line(table, widths.stream().map(_ -> TerminalText.ELLIPSIS).toList(), right);
  }

  private static void cell(StringBuilder table, String text, int width, boolean isRight) {
    String cut = width == 0 ? "" : TerminalText.cut(text, width);
    String padding = " ".repeat(width - TerminalText.width(cut));
    table
        .append("│ ")
        .append(isRight ? padding : "")
        .append(cut)
        .append(isRight ? "" : padding)
        .append(' ');
  }

  /// Adds a horizontal line.
  ///
  /// @param corners the characters at its left end, where it meets a vertical line, and at its
  ///   right end
  void rule(StringBuilder table, String corners) {
    List<Integer> drawn = new ArrayList<>();
    for (int i = 0; i <= widths.size(); i++) {
      if (i == gap) {
        drawn.add(1);
      }
      if (i < widths.size() && widths.get(i) != HIDDEN) {
        drawn.add(widths.get(i));
      }
    }
    for (int i = 0; i < drawn.size(); i++) {
      table.append(corners.charAt(i == 0 ? 0 : 1)).append("─".repeat(drawn.get(i) + 2));
    }
    table.append(corners.charAt(2)).append('\n');
  }
}
