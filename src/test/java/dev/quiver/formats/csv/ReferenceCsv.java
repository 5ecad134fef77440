package dev.quiver.formats.csv;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A reader of CSV that reads one character after the other, written from the documents alone.
final class ReferenceCsv {

  /// A file that is not CSV.
  static final class InvalidException extends Exception {
    InvalidException(String message) {
      super(message);
    }
  }

  private final String text;
  private final char delimiter;
  private final String quote;
  private final String escape;
  private final String comment;
  private int position;

  ReferenceCsv(String text, CsvOptions options) {
    this.text = text;
    this.delimiter = options.delimiter().charAt(0);
    this.quote = options.quote();
    this.escape = options.escape();
    this.comment = options.comment();
  }

  /// Returns the fields of all records, without comments and empty lines. Fields are null if they
  /// are empty and not quoted.
  List<List<@Nullable String>> records() throws InvalidException {
    List<List<@Nullable String>> records = new ArrayList<>();
    while (position < text.length()) {
      if (isNext("\n") || isNext("\r")) {
        endLine();
      } else if (isNext(comment)) {
        skipComment();
      } else {
        records.add(record());
      }
    }
    return records;
  }

  private boolean isNext(String character) {
    return !character.isEmpty() && text.startsWith(character, position);
  }

  private boolean isAtEndOfField() {
    return position == text.length()
        || text.charAt(position) == delimiter
        || isNext("\n")
        || isNext("\r")
        || isNext(comment);
  }

  private void skipComment() {
    while (position < text.length() && !isNext("\n") && !isNext("\r")) {
      position++;
    }
    endLine();
  }

  private void endLine() {
    position += isNext("\r\n") ? 2 : position < text.length() ? 1 : 0;
  }

  private List<@Nullable String> record() throws InvalidException {
    List<@Nullable String> fields = new ArrayList<>();
    while (true) {
      fields.add(field());
      if (position == text.length() || text.charAt(position) != delimiter) {
        skipComment();
        return fields;
      }
      position++;
    }
  }

  private @Nullable String field() throws InvalidException {
    if (isNext(quote)) {
      position++;
      return quoted();
    }
    if (!quote.isEmpty() && isNext(" " + quote)) {
      position += 2;
      return quoted();
    }
    int start = position;
    while (!isAtEndOfField()) {
      position++;
    }
    return start == position ? null : text.substring(start, position);
  }

  private String quoted() throws InvalidException {
    StringBuilder field = new StringBuilder();
    while (true) {
      if (position == text.length()) {
        throw new InvalidException("A quote does not end");
      }
      char c = text.charAt(position++);
      if (!escape.isEmpty() && c == escape.charAt(0) && (isNext(quote) || isNext(escape))) {
        field.append(text.charAt(position++));
      } else if (c == quote.charAt(0)) {
        break;
      } else {
        field.append(c);
      }
    }
    while (isNext(" ")) {
      position++;
    }
    if (!isAtEndOfField()) {
      throw new InvalidException("A quote ends within a field");
    }
    return field.toString();
  }
}
