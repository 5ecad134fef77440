package dev.quiver.formats.csv;

import dev.quiver.arrow.memory.ByteWords;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.formats.ForeignDataException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The fields of the records of a CSV file, read once and in order. Used by one thread.
///
/// A record begins where the one before it ends, so nothing is guessed. The search for the end of a
/// field compares eight bytes at a time.
final class CsvScanner implements AutoCloseable {

  /// That many fields of a column, with the header of their array, fit half a region of a small
  /// heap of G1, beyond which it takes whole regions.
  private static final int ROW_COUNT_MAXIMUM = (64 << 10) - 2;

  private static final int FIELD_COUNT_MAXIMUM = 512 << 10;

  /// The result for what goes on after the bytes of the block.
  private static final int INCOMPLETE = -1;

  /// In place of a character that the options lack. Text has no such byte.
  private static final int NONE = 0xFF;

  private final CsvInput input;
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

  /// The end of the record that was scanned last.
  private int position;

  /// Whether the quoted field that was scanned last has characters that are escaped.
  private boolean escaped;

  /// The number of fields of that record, without empty ones at its end.
  private int filledFieldCount;

  /// Whether lines end with a carriage return alone, or null before the first end.
  private @Nullable Boolean carriageReturns;

  /// @param delimiter between fields, in place of the options' one
  CsvScanner(CsvText file, CsvOptions options, String delimiter) throws IOException {
    this.delimiter = delimiter.charAt(0);
    this.quote = character(options.quote());
    this.escape = character(options.escape());
    this.backslash = options.hasBackslashes() ? escape : NONE;
    this.comment = character(options.comment());
    this.delimiters = ByteWords.repeated(this.delimiter);
    this.comments = ByteWords.repeated(comment);
    this.quotes = ByteWords.repeated(quote);
    this.escapes = escape == NONE ? quotes : ByteWords.repeated(escape);
    this.input = new CsvInput(file);
  }

  private static int character(String option) {
    return option.isEmpty() ? NONE : option.charAt(0);
  }

  /// Skips records. An empty line counts as a record, a comment does not.
  ///
  /// @throws ForeignDataException if a quote does not end where its field does
  void skip(int count) throws IOException {
    skip(count, /* skipsEmpty= */ false);
  }

  /// Skips records.
  ///
  /// @param skipsEmpty whether empty lines do not count as records
  /// @return whether there are as many
  /// @throws ForeignDataException if a quote does not end where its field does
  boolean skip(long count, boolean skipsEmpty) throws IOException {
    int start = input.next();
    long skipped = 0;
    while (skipped < count) {
      start = beginRecord(start, skipsEmpty);
      if (scan(start) == 0) {
        break;
      }
      start = input.compact(position);
      skipped++;
    }
    input.leave(start);
    return skipped == count;
  }

  /// Leaves out empty lines and comments.
  void skipEmptyLines() throws IOException {
    input.leave(beginRecord(input.next(), /* skipsEmpty= */ true));
  }

  /// Skips the next record. Empty lines do not count.
  ///
  /// @return the number of its fields, or 0 at the end of the file
  /// @throws ForeignDataException if a quote does not end where its field does
  int next() throws IOException {
    int start = beginRecord(input.next(), /* skipsEmpty= */ true);
    int count = scan(start);
    input.leave(count > 0 ? position : start);
    return count;
  }

  /// Returns the offset of the next record within the text of the file.
  long byteOffset() {
    return input.byteOffset();
  }

  /// Reads only the next record into a block. Empty lines do not count.
  ///
  /// @param block with columns for the fields that are kept
  /// @return the number of its fields, or 0 at the end of the file
  /// @throws ForeignDataException if a quote does not end where its field does
  int next(CsvBlock block) throws IOException {
    input.begin(block);
    block.reserveRow(1);
    int count = next();
    block.rowCount = count > 0 ? 1 : 0;
    return count;
  }

  /// Reads the next records into a block, as many as fit, and at least one.
  ///
  /// @param most the number of records at which the block ends
  /// @param skipsEmpty whether empty lines do not count as records
  /// @return whether there are any
  /// @throws ForeignDataException if the first one is not as it should be; another one ends the
  ///   block, and is the first of the next one
  boolean fill(CsvBlock block, int most, boolean skipsEmpty) throws IOException {
    int columnCount = block.columnCount();
    int rowCountMaximum =
        Math.min(most, Math.min(ROW_COUNT_MAXIMUM, FIELD_COUNT_MAXIMUM / columnCount));
    input.begin(block);
    int start = input.next();
    try {
      while (block.rowCount < rowCountMaximum) {
        block.reserveRow(rowCountMaximum);
        start = beginRecord(start, skipsEmpty);
        int count = scan(start);
        if (count <= 0) {
          break;
        }
        if (count < columnCount || filledFieldCount > columnCount) {
          throw CsvErrors.fieldCount(
              columnCount, count < columnCount ? count : filledFieldCount, input.line(start));
        }
        start = position;
        block.rowCount++;
      }
    } catch (ForeignDataException e) {
      if (block.rowCount == 0) {
        throw e;
      }
    }
    input.leave(start);
    return block.rowCount > 0;
  }

  /// Returns the start of the next record, after comments and maybe empty lines.
  private int beginRecord(int start, boolean skipsEmpty) throws IOException {
    int next = start;
    while (next < input.limit() || input.read(next)) {
      if (next == input.limit()) {
        continue;
      }
      byte[] bytes = input.block().text;
      boolean isEmpty = skipsEmpty && (bytes[next] == '\n' || bytes[next] == '\r');
      if (!isEmpty && bytes[next] != comment) {
        return next;
      }
      int after = endOfLine(bytes, next);
      if (after == INCOMPLETE && !input.read(next)) {
        return next;
      }
      next = input.compact(after == INCOMPLETE ? next : after);
    }
    return next;
  }

  /// Finds the fields of a record, and reads it to its end.
  ///
  /// @return the number of its fields; 0 at the end of the file; or [#INCOMPLETE] if the block is
  ///   full
  private int scan(int start) throws IOException {
    while (true) {
      int count = start == input.limit() ? INCOMPLETE : scan(input.block(), start, input.limit());
      if (count != INCOMPLETE) {
        input.requireLength(start, position);
        return count;
      }
      if (!input.read(start)) {
        return start == input.limit() ? 0 : INCOMPLETE;
      }
    }
  }

  private int scan(CsvBlock block, int start, int limit) throws IOException {
    byte[] bytes = block.text;
    long[][] fields = block.fields();
    int row = block.rowCount;
    int next = start;
    int count = 0;
    int filled = 0;
    int wordStart = start;
    long ends = ends(bytes, start);
    while (true) {
      int fieldStart = next;
      int fieldEnd;
      boolean quoted = isQuoted(bytes, next, limit);
      boolean hasEscapes = false;
      if (quoted) {
        fieldStart = bytes[next] == quote ? next + 1 : next + 2;
        fieldEnd = endOfQuoted(bytes, fieldStart, limit);
        hasEscapes = escaped;
        next = fieldEnd == INCOMPLETE ? limit : afterSpaces(bytes, fieldEnd + 1, limit);
        if (fieldEnd == INCOMPLETE && input.isEnded() || next < limit && !endsField(bytes[next])) {
          throw CsvErrors.quote(input.line(start));
        }
        wordStart = next + 1;
        ends = ends(bytes, wordStart);
      } else {
        do {
          while (ends == 0 && wordStart < limit) {
            wordStart += Long.BYTES;
            ends = ends(bytes, wordStart);
          }
          next = ends == 0 ? limit : wordStart + (Long.numberOfTrailingZeros(ends) >>> 3);
          ends &= ends - 1;
          hasEscapes |= next < limit && bytes[next] == backslash;
        } while (next < limit && !endsField(bytes[next]));
        next = Math.min(next, limit);
        fieldEnd = next;
      }
      if (next == limit && !input.isEnded()) {
        return INCOMPLETE;
      }
      if (count < fields.length) {
        fields[count][row] = CsvBlock.field(fieldStart, fieldEnd, quoted, hasEscapes);
      }
      count++;
      filled = fieldEnd > fieldStart ? count : filled;
      if (next == limit || bytes[next] != delimiter) {
        position = endOfLine(bytes, next);
        filledFieldCount = filled;
        return position == INCOMPLETE ? INCOMPLETE : count;
      }
      next++;
    }
  }

  /// Returns whether a field begins with a quote, maybe after a space.
  private boolean isQuoted(byte[] bytes, int start, int limit) {
    return start < limit
        && (bytes[start] == quote
            || bytes[start] == ' '
                && delimiter != ' '
                && start + 1 < limit
                && bytes[start + 1] == quote);
  }

  private boolean endsField(byte character) {
    return character == delimiter || character == '\n' || character == '\r' || character == comment;
  }

  /// Returns a word with the highest bit of each byte that may end a field: of the characters that
  /// do, of backslashes that escape others, and of some that do not occur in practice.
  private long ends(byte[] bytes, int start) {
    long word = LittleEndian.getInt64(bytes, start);
    long ends = ByteWords.below(word, '\r' + 1) | ByteWords.zeros(word ^ delimiters);
    ends |= comment == NONE ? 0 : ByteWords.zeros(word ^ comments);
    return backslash == NONE ? ends : ends | ByteWords.zeros(word ^ escapes);
  }

  /// Returns the quote that ends a field.
  ///
  /// @param start after the quote that begins it
  private int endOfQuoted(byte[] bytes, int start, int limit) {
    escaped = false;
    int next = start;
    while (next < limit) {
      long word = LittleEndian.getInt64(bytes, next);
      long ends = ByteWords.zeros(word ^ quotes) | ByteWords.zeros(word ^ escapes);
      if (ends == 0) {
        next += Long.BYTES;
        continue;
      }
      next += Long.numberOfTrailingZeros(ends) >>> 3;
      if (next >= limit) {
        return INCOMPLETE;
      }
      if (bytes[next] == escape) {
        if (next + 1 == limit && !input.isEnded()) {
          return INCOMPLETE;
        }
        if (next + 1 < limit && (bytes[next + 1] == quote || bytes[next + 1] == escape)) {
          escaped = true;
          next += 2;
          continue;
        }
      }
      if (bytes[next] == quote) {
        return next;
      }
      next++;
    }
    return INCOMPLETE;
  }

  private int afterSpaces(byte[] bytes, int start, int limit) {
    int next = start;
    while (next < limit && bytes[next] == ' ' && delimiter != ' ') {
      next++;
    }
    return next;
  }

  /// Returns the start of the next line.
  ///
  /// @param start of a comment or of the line's end
  private int endOfLine(byte[] bytes, int start) throws IOException {
    int limit = input.limit();
    int next = start;
    if (next < limit && bytes[next] == comment) {
      while (next < limit && bytes[next] != '\n' && bytes[next] != '\r') {
        next++;
      }
    }
    boolean isReturn = next < limit && bytes[next] == '\r';
    if (!input.isEnded() && (next == limit || isReturn && next + 1 == limit)) {
      return INCOMPLETE;
    }
    if (next == limit) {
      return limit;
    }
    boolean isPair = isReturn && next + 1 < limit && bytes[next + 1] == '\n';
    if (carriageReturns == null) {
      carriageReturns = isReturn && !isPair;
    } else if (carriageReturns != (isReturn && !isPair)) {
      throw CsvErrors.lineEnds(input.line(next));
    }
    return isPair ? next + 2 : next + 1;
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
