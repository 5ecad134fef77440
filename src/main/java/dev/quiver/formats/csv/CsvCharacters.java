package dev.quiver.formats.csv;

import dev.quiver.arrow.memory.ByteWords;
import dev.quiver.arrow.memory.LittleEndian;

/// The characters between and within the fields of a file, also eight at a time.
final class CsvCharacters {

  /// In place of a character that the options lack. Text has no such byte.
  private static final int NONE = 0xFF;

  private final int delimiter;
  private final int quote;
  private final int escape;

  /// The character that escapes others outside of quotes.
  private final int backslash;

  private final int comment;

  /// The characters in each byte of a word. The quote stands in for a missing escape.
  private final long delimiters;

  private final long comments;
  private final long quotes;
  private final long escapes;

  CsvCharacters(CsvOptions options) {
    this.delimiter = options.delimiter().charAt(0);
    this.quote = character(options.quote());
    this.escape = character(options.escape());
    this.backslash = options.hasBackslashes() ? escape : NONE;
    this.comment = character(options.comment());
    this.delimiters = ByteWords.repeated(this.delimiter);
    this.comments = ByteWords.repeated(comment);
    this.quotes = ByteWords.repeated(quote);
    this.escapes = escape == NONE ? quotes : ByteWords.repeated(escape);
  }

  private static int character(String option) {
    return option.isEmpty() ? NONE : option.charAt(0);
  }

  boolean isDelimiter(byte character) {
    return character == delimiter;
  }

  boolean isQuote(byte character) {
    return character == quote;
  }

  boolean isEscape(byte character) {
    return character == escape;
  }

  boolean isBackslash(byte character) {
    return character == backslash;
  }

  boolean isComment(byte character) {
    return character == comment;
  }

  /// Returns whether an escape before a character has a meaning.
  boolean isEscaped(byte character) {
    return character == quote || character == escape;
  }

  boolean endsField(byte character) {
    return character == delimiter || character == '\n' || character == '\r' || character == comment;
  }

  /// Returns whether a field begins with a quote, maybe after a space.
  boolean isQuoted(byte[] bytes, int start, int limit) {
    return start < limit
        && (bytes[start] == quote
            || bytes[start] == ' '
                && delimiter != ' '
                && start + 1 < limit
                && bytes[start + 1] == quote);
  }

  int afterSpaces(byte[] bytes, int start, int limit) {
    int next = start;
    while (next < limit && bytes[next] == ' ' && delimiter != ' ') {
      next++;
    }
    return next;
  }

  /// Returns a word with the highest bit of each byte that may end a field: of the characters that
  /// do, of backslashes that escape others, and of some that do not occur in practice.
  long ends(byte[] bytes, int start) {
    long word = LittleEndian.getInt64(bytes, start);
    long ends = ByteWords.below(word, '\r' + 1) | ByteWords.zeros(word ^ delimiters);
    ends |= comment == NONE ? 0 : ByteWords.zeros(word ^ comments);
    return backslash == NONE ? ends : ends | ByteWords.zeros(word ^ escapes);
  }

  /// Returns a word with the highest bit of each byte that is a quote or an escape.
  long quotes(long word) {
    return ByteWords.zeros(word ^ quotes) | ByteWords.zeros(word ^ escapes);
  }
}
