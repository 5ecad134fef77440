package dev.quiver.sql.query;

import dev.quiver.sql.execution.SqlException.Invalid;
import java.util.Comparator;
import java.util.List;

/// A statement with other texts at some places. Errors of the new statement have their places in
/// the original one.
///
/// @param original the statement of the client
/// @param edits in the order of their places, which do not overlap
record RewrittenStatement(String original, List<Edit> edits) {

  /// A text in the place of another one.
  ///
  /// @param start the offset in the original in characters
  /// @param length of the original text in characters
  record Edit(int start, int length, String text) {

    int end() {
      return start + length;
    }
  }

  RewrittenStatement {
    edits = edits.stream().sorted(Comparator.comparingInt(Edit::start)).toList();
  }

  static RewrittenStatement none(String sql) {
    return new RewrittenStatement(sql, List.of());
  }

  /// Returns the new statement.
  String text() {
    StringBuilder text = new StringBuilder();
    int position = 0;
    for (Edit edit : edits) {
      text.append(original, position, edit.start).append(edit.text);
      position = edit.end();
    }
    return text.append(original, position, original.length()).toString();
  }

  /// Returns a failure of the new statement as one of the original.
  Invalid inOriginal(Invalid failure) {
    if (edits.isEmpty() || failure.position() < 0) {
      return failure;
    }
    int start = inOriginal(failure.position());
    int end = inOriginal(failure.position() + failure.length());
    Invalid moved =
        new Invalid(
            failure.reason(),
            failure.getMessage(),
            original,
            start,
            Math.max(0, end - start),
            failure.hint());
    moved.setStackTrace(failure.getStackTrace());
    return moved;
  }

  /// Returns the place in the original of a place in the new statement. Within a new text, it is
  /// the start of the original one.
  int inOriginal(int position) {
    int moved = 0;
    for (Edit edit : edits) {
      int start = edit.start + moved;
      if (position < start) {
        break;
      }
      if (position < start + edit.text.length()) {
        return edit.start;
      }
      moved += edit.text.length() - edit.length;
    }
    return position - moved;
  }
}
