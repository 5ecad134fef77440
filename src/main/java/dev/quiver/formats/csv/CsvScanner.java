package dev.quiver.formats.csv;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.formats.ForeignDataException;
import java.io.IOException;

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

  /// The result for a record that is left out.
  private static final int SKIPPED = -2;

  private final CsvInput input;
  private final CsvCharacters characters;

  /// The end of the record that was scanned last.
  private int position;

  /// Whether the quoted field that was scanned last has characters that are escaped.
  private boolean escaped;

  /// The number of fields of that record, without empty ones at its end.
  private int filledFieldCount;

  private final CsvRows rows;
  private final CsvSkips skips;

  CsvScanner(CsvText file, CsvOptions options) throws IOException {
    this(file, options, new CsvSkips());
  }

  /// @param skips told the rows that are left out
  CsvScanner(CsvText file, CsvOptions options, CsvSkips skips) throws IOException {
    this.rows = options.rows();
    this.skips = skips;
    this.characters = new CsvCharacters(options);
    this.input = new CsvInput(file, /* isSheet= */ options.table() != null);
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
        int count = scanOrSkip(start, columnCount);
        if (count == INCOMPLETE || count == 0) {
          break;
        }
        start = position;
        if (count == SKIPPED) {
          start = input.compact(start);
          continue;
        }
        for (int i = count; i < columnCount; i++) {
          block.fields()[i][block.rowCount] = CsvBlock.missing(start);
        }
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

  /// Scans a record that has as many fields as there are columns, or fewer if they are filled.
  /// Another one is left out, if such ones are.
  ///
  /// @return the number of its fields as [#scan(int)] does, or [#SKIPPED]
  /// @throws ForeignDataException if it is not as it should be
  private int scanOrSkip(int start, int columnCount) throws IOException {
    int count;
    try {
      count = scan(start);
      if (count <= 0
          || (count >= columnCount || rows == CsvRows.FILL) && filledFieldCount <= columnCount) {
        return count;
      }
      if (rows != CsvRows.SKIP) {
        throw CsvErrors.fieldCount(
            columnCount, count < columnCount ? count : filledFieldCount, input.line(start));
      }
      skips.add(
          input.byteOffset(start),
          CsvSkips.FIELDS,
          CsvErrors.fieldCountSentence(
              columnCount, count < columnCount ? count : filledFieldCount));
    } catch (ForeignDataException e) {
      if (rows != CsvRows.SKIP) {
        throw e;
      }
      position = lineEnd(start);
      while (position == INCOMPLETE && input.read(start)) {
        position = lineEnd(start);
      }
      if (position == INCOMPLETE) {
        return INCOMPLETE;
      }
      skips.add(input.byteOffset(start), CsvSkips.QUOTES, CsvErrors.QUOTE_SENTENCE);
    }
    return SKIPPED;
  }

  /// Returns the start of the line after the one that begins at an offset.
  private int lineEnd(int start) {
    byte[] bytes = input.block().text;
    int next = start;
    while (next < input.limit() && bytes[next] != '\n' && bytes[next] != '\r') {
      next++;
    }
    return endOfLine(bytes, next);
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
      if (!isEmpty && !characters.isComment(bytes[next])) {
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
    long ends = characters.ends(bytes, start);
    while (true) {
      int fieldStart = next;
      int fieldEnd;
      boolean quoted = characters.isQuoted(bytes, next, limit);
      boolean hasEscapes = false;
      if (quoted) {
        fieldStart = characters.isQuote(bytes[next]) ? next + 1 : next + 2;
        fieldEnd = endOfQuoted(bytes, fieldStart, limit);
        hasEscapes = escaped;
        next = fieldEnd == INCOMPLETE ? limit : characters.afterSpaces(bytes, fieldEnd + 1, limit);
        if (fieldEnd == INCOMPLETE && input.isEnded()
            || next < limit && !characters.endsField(bytes[next])) {
          throw CsvErrors.quote(input.line(start));
        }
        wordStart = next + 1;
        ends = characters.ends(bytes, wordStart);
      } else {
        do {
          while (ends == 0 && wordStart < limit) {
            wordStart += Long.BYTES;
            ends = characters.ends(bytes, wordStart);
          }
          next = ends == 0 ? limit : wordStart + (Long.numberOfTrailingZeros(ends) >>> 3);
          ends &= ends - 1;
          hasEscapes |= next < limit && characters.isBackslash(bytes[next]);
        } while (next < limit && !characters.endsField(bytes[next]));
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
      if (next == limit || !characters.isDelimiter(bytes[next])) {
        position = endOfLine(bytes, next);
        filledFieldCount = filled;
        return position == INCOMPLETE ? INCOMPLETE : count;
      }
      next++;
    }
  }

  /// Returns the quote that ends a field.
  ///
  /// @param start after the quote that begins it
  private int endOfQuoted(byte[] bytes, int start, int limit) {
    escaped = false;
    int next = start;
    while (next < limit) {
      long word = LittleEndian.getInt64(bytes, next);
      long ends = characters.quotes(word);
      if (ends == 0) {
        next += Long.BYTES;
        continue;
      }
      next += Long.numberOfTrailingZeros(ends) >>> 3;
      if (next >= limit) {
        return INCOMPLETE;
      }
      if (characters.isEscape(bytes[next])) {
        if (next + 1 == limit && !input.isEnded()) {
          return INCOMPLETE;
        }
        if (next + 1 < limit && characters.isEscaped(bytes[next + 1])) {
          escaped = true;
          next += 2;
          continue;
        }
      }
      if (characters.isQuote(bytes[next])) {
        return next;
      }
      next++;
    }
    return INCOMPLETE;
  }

  /// Returns the start of the next line.
  ///
  /// @param start of a comment or of the line's end
  private int endOfLine(byte[] bytes, int start) {
    int limit = input.limit();
    int next = start;
    if (next < limit && characters.isComment(bytes[next])) {
      skips.addComment();
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
    return isPair ? next + 2 : next + 1;
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
