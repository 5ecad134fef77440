package dev.quiver.foreign.csv;

import dev.quiver.foreign.ForeignDataException;
import dev.quiver.foreign.ForeignErrors;
import dev.quiver.memory.LittleEndian;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The fields of the records of a CSV file, read once and in order. Used by one thread.
///
/// A record begins where the one before it ends, so nothing is guessed. The search for the end of a
/// field compares eight bytes at a time.
final class CsvScanner implements AutoCloseable {

  static final int RECORD_BYTE_SIZE_MAXIMUM = 2_000_000;

  private static final int FIRST = CsvBlock.PADDING_BYTE_SIZE;

  /// The bytes after which a block reads no more of the file. There is always room for a record.
  private static final int BLOCK_BYTE_SIZE_MAXIMUM = 4 << 20;

  private static final int ROW_COUNT_MAXIMUM = 64 << 10;
  private static final int FIELD_COUNT_MAXIMUM = 512 << 10;

  /// The bytes that are read at a time.
  private static final int PIECE_BYTE_SIZE = 256 << 10;

  /// The result for what goes on after the bytes of the block.
  private static final int INCOMPLETE = -1;

  /// In place of a character that the options lack. No byte equals it.
  private static final int NONE = 1 << Byte.SIZE;

  private static final long LOW_BITS = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private final CsvText file;
  private final InputStream text;
  private final int delimiter;
  private final int quote;
  private final int escape;
  private final int comment;

  /// The characters in each byte of a word. The quote stands in for a missing escape.
  private final long delimiters;

  private final long comments;
  private final long quotes;
  private final long escapes;

  /// The block that is being filled, and the end of its bytes.
  private CsvBlock block = new CsvBlock(0);

  private int limit;

  /// The end of the record that was scanned last.
  private int position;

  /// Whether the quoted field that was scanned last has characters that are escaped.
  private boolean escaped;

  /// The bytes after the block before, and their offset in the text.
  private byte[] rest = new byte[0];

  private long restOffset;
  private boolean ended;

  /// Whether lines end with a carriage return alone, or null before the first end.
  private @Nullable Boolean carriageReturns;

  /// @param delimiter between fields, in place of that of the options
  CsvScanner(CsvText file, CsvOptions options, String delimiter) throws IOException {
    this.file = file;
    this.delimiter = delimiter.charAt(0);
    this.quote = character(options.quote());
    this.escape = character(options.escape());
    this.comment = character(options.comment());
    this.delimiters = this.delimiter * LOW_BITS;
    this.comments = comment * LOW_BITS;
    this.quotes = quote * LOW_BITS;
    this.escapes = escape == NONE ? quotes : escape * LOW_BITS;
    this.text = file.open();
  }

  private static int character(String option) {
    return option.isEmpty() ? NONE : option.charAt(0);
  }

  /// Leaves out records. An empty line is one, a comment is none.
  ///
  /// @throws ForeignDataException if a quote does not end where its field does
  void skip(int count) throws IOException {
    begin(new CsvBlock(1));
    block.reserveRow(1);
    int start = FIRST;
    for (int i = 0; i < count; i++) {
      start = beginRecord(start, /* skipsEmpty= */ false);
      if (scan(start) == 0) {
        break;
      }
      start = position;
    }
    end(start);
  }

  /// Leaves out empty lines and comments.
  void skipEmptyLines() throws IOException {
    begin(new CsvBlock(0));
    end(beginRecord(FIRST, /* skipsEmpty= */ true));
  }

  /// Reads the next record, whatever its fields are. Empty lines are none.
  ///
  /// @param most the fields that are stored
  /// @return the number of its fields, without empty ones after those that are stored, and a block
  ///   with it; or 0 and a block without a record at the end
  /// @throws ForeignDataException if a quote does not end where its field does
  Record next(int most) throws IOException {
    CsvBlock found = new CsvBlock(most);
    begin(found);
    found.reserveRow(1);
    int start = beginRecord(FIRST, /* skipsEmpty= */ true);
    int count = scan(start);
    end(count > 0 ? position : start);
    return new Record(count, found.first(count));
  }

  /// A record by itself.
  ///
  /// @param fieldCount of which the block may have fewer
  record Record(int fieldCount, CsvBlock block) {}

  /// Reads the next records into a block, as many as fit, and at least one.
  ///
  /// @param most the number of records at which the block ends
  /// @param skipsEmpty whether an empty line is no record
  /// @return whether there are any
  /// @throws ForeignDataException if the first one is not as it should be; another one ends the
  ///   block
  boolean fill(CsvBlock filled, int most, boolean skipsEmpty) throws IOException {
    int columnCount = filled.columnCount();
    int rowCountMaximum =
        Math.min(most, Math.min(ROW_COUNT_MAXIMUM, FIELD_COUNT_MAXIMUM / columnCount));
    begin(filled);
    int start = FIRST;
    try {
      while (filled.rowCount < rowCountMaximum) {
        filled.reserveRow(rowCountMaximum);
        start = beginRecord(start, skipsEmpty);
        int count = scan(start);
        if (count <= 0) {
          break;
        }
        if (count != columnCount && filled.rowCount > 0) {
          // The next block begins with this record, once those before it are read.
          break;
        }
        if (count != columnCount) {
          throw irregular(columnCount, count, start);
        }
        start = position;
        filled.rowCount++;
      }
    } catch (ForeignDataException e) {
      if (filled.rowCount == 0) {
        throw e;
      }
      // As above.
    }
    end(start);
    return filled.rowCount > 0;
  }

  private ForeignDataException irregular(int expected, int found, int start) throws IOException {
    return ForeignDataException.of(
        "Expected %s but found %d"
            .formatted(expected == 1 ? "1 field" : expected + " fields", found),
        line(start),
        null,
        null);
  }

  /// Returns the number of the line in which a byte of the block is. If the block has records, the
  /// next one finds the same error again, and only that needs to know.
  private long line(int offset) throws IOException {
    return block.rowCount > 0 ? 0 : file.line(block.byteOffset + offset - FIRST);
  }

  /// Begins a block with the bytes after the one before.
  private void begin(CsvBlock begun) {
    block = begun;
    block.byteOffset = restOffset;
    block.rowCount = 0;
    block.reserveText(FIRST + rest.length);
    System.arraycopy(rest, 0, block.text, FIRST, rest.length);
    limit = FIRST + rest.length;
  }

  /// Ends the block, and keeps the bytes after it.
  private void end(int after) {
    rest = Arrays.copyOfRange(block.text, after, limit);
    restOffset = block.byteOffset + after - FIRST;
    block.end(after);
  }

  /// Reads on in the file. Returns false at its end, and if the block is full.
  ///
  /// @param start of the record that goes on
  private boolean read(int start) throws IOException {
    if (limit - start > RECORD_BYTE_SIZE_MAXIMUM) {
      throw tooLong(start);
    }
    boolean isFull = limit - FIRST > BLOCK_BYTE_SIZE_MAXIMUM - PIECE_BYTE_SIZE;
    if (ended || isFull && block.rowCount > 0) {
      return false;
    }
    block.reserveText(limit + PIECE_BYTE_SIZE);
    int count = text.readNBytes(block.text, limit, PIECE_BYTE_SIZE);
    ended = count < PIECE_BYTE_SIZE;
    limit += count;
    return true;
  }

  private ForeignDataException tooLong(int start) throws IOException {
    return ForeignDataException.of(
        "Expected a record of at most %,d bytes but found more".formatted(RECORD_BYTE_SIZE_MAXIMUM),
        line(start),
        null,
        null);
  }

  /// Returns the start of the next record, after comments and maybe empty lines.
  private int beginRecord(int start, boolean skipsEmpty) throws IOException {
    int next = start;
    while (true) {
      if (next == limit) {
        if (!read(next)) {
          return next;
        }
        continue;
      }
      byte first = block.text[next];
      boolean isEmpty = skipsEmpty && (first == '\n' || first == '\r');
      if (!isEmpty && first != comment) {
        return next;
      }
      int after = endOfLine(block.text, next);
      if (after != INCOMPLETE) {
        next = after;
      } else if (!read(next)) {
        return next;
      }
      if (block.rowCount == 0 && next - FIRST > PIECE_BYTE_SIZE) {
        // A block that has no record yet has room for one.
        end(next);
        begin(block);
        block.reserveRow(1);
        next = FIRST;
      }
    }
  }

  /// Finds the fields of a record, and reads it to its end.
  ///
  /// @return the number of its fields, without empty ones after those of the block's columns; 0 at
  ///   the end of the file; or [#INCOMPLETE] if the block is full
  private int scan(int start) throws IOException {
    while (true) {
      int count = start == limit ? INCOMPLETE : scan(block.text, start);
      if (count != INCOMPLETE) {
        if (position - start > RECORD_BYTE_SIZE_MAXIMUM) {
          throw tooLong(start);
        }
        return count;
      }
      if (!read(start)) {
        return start == limit ? 0 : INCOMPLETE;
      }
    }
  }

  private int scan(byte[] bytes, int start) throws IOException {
    long[] fields = block.fields();
    int stride = block.stride();
    int index = block.rowCount;
    int most = block.columnCount();
    int next = start;
    int found = 0;
    int count = 0;
    int wordStart = start;
    long ends = ends(bytes, start);
    while (true) {
      int fieldStart = next;
      int fieldEnd;
      boolean quoted = isQuoted(bytes, next);
      if (quoted) {
        fieldStart = bytes[next] == quote ? next + 1 : next + 2;
        fieldEnd = endOfQuoted(bytes, fieldStart);
        next = fieldEnd == INCOMPLETE ? limit : afterSpaces(bytes, fieldEnd + 1);
        if (fieldEnd == INCOMPLETE && ended || next < limit && !endsField(bytes[next])) {
          throw ForeignErrors.quote(line(start));
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
        } while (next < limit && !endsField(bytes[next]));
        next = Math.min(next, limit);
        fieldEnd = next;
      }
      if (next == limit && !ended) {
        return INCOMPLETE;
      }
      if (found < most) {
        fields[index] = CsvBlock.field(fieldStart, fieldEnd, quoted, quoted && escaped);
        index += stride;
      }
      found++;
      if (found <= most || fieldEnd > fieldStart) {
        count = found;
      }
      if (next == limit || bytes[next] != delimiter) {
        position = endOfLine(bytes, next);
        return position == INCOMPLETE ? INCOMPLETE : count;
      }
      next++;
    }
  }

  /// Returns whether a field begins with a quote, maybe after a space.
  private boolean isQuoted(byte[] bytes, int start) {
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
  /// do, and of some that nobody writes.
  private long ends(byte[] bytes, int start) {
    long word = LittleEndian.getInt64(bytes, start);
    long ends = below(word, '\r' + 1) | zeros(word ^ delimiters);
    return comment == NONE ? ends : ends | zeros(word ^ comments);
  }

  /// Returns the quote that ends a field.
  ///
  /// @param start after the quote that begins it
  private int endOfQuoted(byte[] bytes, int start) {
    escaped = false;
    int next = start;
    while (next < limit) {
      long word = LittleEndian.getInt64(bytes, next);
      long ends = zeros(word ^ quotes) | zeros(word ^ escapes);
      if (ends == 0) {
        next += Long.BYTES;
        continue;
      }
      next += Long.numberOfTrailingZeros(ends) >>> 3;
      if (next >= limit) {
        return INCOMPLETE;
      }
      if (bytes[next] == escape) {
        if (next + 1 == limit && !ended) {
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

  private int afterSpaces(byte[] bytes, int start) {
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
    int next = start;
    if (next < limit && bytes[next] == comment) {
      while (next < limit && bytes[next] != '\n' && bytes[next] != '\r') {
        next++;
      }
    }
    boolean isReturn = next < limit && bytes[next] == '\r';
    if (!ended && (next == limit || isReturn && next + 1 == limit)) {
      return INCOMPLETE;
    }
    if (next == limit) {
      return limit;
    }
    boolean isPair = isReturn && next + 1 < limit && bytes[next + 1] == '\n';
    if (carriageReturns == null) {
      carriageReturns = isReturn && !isPair;
    } else if (carriageReturns != (isReturn && !isPair)) {
      throw ForeignErrors.lineEnds(line(next));
    }
    return isPair ? next + 2 : next + 1;
  }

  /// Returns a word with the highest bit of each byte that is zero.
  private static long zeros(long word) {
    return ~((word & ~HIGH_BITS) + ~HIGH_BITS | word | ~HIGH_BITS);
  }

  /// Returns a word with the highest bit of each byte that is below a positive one.
  private static long below(long word, int character) {
    return ~((word & ~HIGH_BITS) + (0x80 - character) * LOW_BITS | word) & HIGH_BITS;
  }

  @Override
  public void close() throws IOException {
    text.close();
  }
}
