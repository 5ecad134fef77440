package dev.quiver.formats.json;

import dev.quiver.formats.ForeignDataException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The records of a file in blocks, read once and in order. Used by one thread.
///
/// Of objects one after the other, a block ends where a closing brace, blanks with a line break,
/// and an opening brace follow each other: within a value that cannot be. Of an array, it ends at a
/// comma outside of strings and of inner values.
final class JsonScanner implements AutoCloseable {

  /// The bytes after which a block ends with the record. The array of a block, with its padding and
  /// header, fits two whole regions of a small heap of G1.
  private static final int BLOCK_BYTE_SIZE = (2 << 20) - (4 << 10);

  static final int RECORD_BYTE_SIZE_MAXIMUM = 16 << 20;

  private static final int PIECE_BYTE_SIZE = 256 << 10;
  private static final int FIRST = JsonBlock.FIRST;

  private final JsonContent text;
  private final InputStream input;
  private final JsonRecords.Layout layout;

  /// A sentence that says what the client can do if the file is one record, or null.
  private final @Nullable String hint;

  /// Whether an array may break off, since the rest of the file was not received.
  private final boolean isPartial;

  /// The bytes after the last block.
  private byte[] rest = {};

  private long byteOffset;
  private boolean ended;

  // The state within an array.
  private int depth;
  private boolean inString;
  private boolean isEscaped;

  private Before before = Before.BRACKET;

  /// The last character before the next value, but for blanks, or that value.
  private enum Before {
    BRACKET,
    COMMA,
    VALUE
  }

  JsonScanner(JsonContent text, JsonRecords records, boolean isPartial) throws IOException {
    this.text = text;
    this.layout = records.layout();
    this.hint =
        layout == JsonRecords.Layout.OBJECT && !records.advice().isEmpty()
            ? records.advice().getFirst().sentence()
            : null;
    this.isPartial = isPartial;
    this.input = text.open();
    try {
      // Blanks and the opening bracket may precede the records.
      this.byteOffset = records.byteOffset() + (isArray() ? 1 : 0);
      input.skipNBytes(byteOffset);
    } catch (IOException | RuntimeException | Error e) {
      try (input) {
        throw e;
      }
    }
  }

  private boolean isArray() {
    return layout == JsonRecords.Layout.ARRAY || layout == JsonRecords.Layout.MEMBER;
  }

  /// Fills a block with the next records. If one is too long, or the array does not end as it
  /// should, the block has that failure.
  ///
  /// @return whether there are any
  boolean fill(JsonBlock block) throws IOException {
    if (ended) {
      return false;
    }
    block.isArray = isArray();
    block.failure = null;
    block.release();
    block.byteOffset = byteOffset;
    block.reserve(FIRST + Math.max(rest.length, BLOCK_BYTE_SIZE));
    System.arraycopy(rest, 0, block.text, FIRST, rest.length);
    int limit = FIRST + rest.length;
    int scanned = FIRST;
    int end = -1;
    while (end < 0) {
      int wanted =
          limit - FIRST < BLOCK_BYTE_SIZE ? FIRST + BLOCK_BYTE_SIZE - limit : PIECE_BYTE_SIZE;
      block.reserve(limit + wanted);
      int count = input.readNBytes(block.text, limit, wanted);
      limit += count;
      boolean isAtEnd = count < wanted;
      end = isArray() ? arrayEnd(block, scanned, limit) : objectsEnd(block, scanned, limit);
      if (end < 0 && isAtEnd) {
        end = limit;
        ended = true;
        if (isArray() && !isPartial) {
          block.failure = unexpected("the end of the array", null, block.byteOffset(limit));
        }
      }
      scanned = limit;
      if (end < 0 && limit - FIRST > RECORD_BYTE_SIZE_MAXIMUM) {
        end = limit;
        ended = true;
        block.failure = tooLong(block);
      }
    }
    leave(block, end, limit);
    return true;
  }

  /// @param limit the offset after the last byte that was read
  private void leave(JsonBlock block, int end, int limit) {
    int next = Math.min(limit, ended || !isArray() ? end : end + 1);
    rest = new byte[ended ? 0 : limit - next];
    System.arraycopy(block.text, next, rest, 0, rest.length);
    block.end = end;
    byteOffset += next - FIRST;
  }

  /// Returns the end of the last record of the block before another one, or -1 if absent.
  private int objectsEnd(JsonBlock block, int scanned, int limit) {
    if (layout == JsonRecords.Layout.OBJECT) {
      return -1;
    }
    byte[] bytes = block.text;
    // A brace that was the last byte before may be the end.
    int least = Math.max(FIRST, scanned - 1);
    int i = limit - 1;
    while (i > least) {
      if (bytes[i] != '{') {
        i--;
        continue;
      }
      int last = i - 1;
      boolean hasBreak = false;
      while (last >= FIRST && isBlank(bytes[last])) {
        hasBreak |= bytes[last] == '\n' || bytes[last] == '\r';
        last--;
      }
      if (hasBreak && last >= FIRST && bytes[last] == '}') {
        return last + 1;
      }
      i = Math.min(i - 1, last);
    }
    return -1;
  }

  /// Returns the offset of the last comma between records, or of the bracket that ends them, or -1
  /// if absent. What follows the comma is scanned again.
  private int arrayEnd(JsonBlock block, int scanned, int limit) throws IOException {
    byte[] bytes = block.text;
    int comma = -1;
    int level = depth;
    boolean quoted = inString;
    Before last = before;
    int i = isEscaped ? scanned + 1 : scanned;
    while (i < limit) {
      byte b = bytes[i++];
      if (quoted) {
        if (b == '"') {
          quoted = false;
        } else if (b == '\\') {
          i++;
        }
        continue;
      }
      switch (b) {
        case '"' -> {
          quoted = true;
          last = Before.VALUE;
        }
        case '{', '[' -> {
          level++;
          last = Before.VALUE;
        }
        case '}', ']' -> {
          if (--level < 0) {
            return closed(block, i - 1, limit, last == Before.COMMA);
          }
        }
        case ',' -> {
          if (level == 0) {
            if (last != Before.VALUE) {
              return misplaced(block, i - 1);
            }
            comma = i - 1;
            last = Before.COMMA;
          }
        }
        case ' ', '\t', '\n', '\r' -> {}
        default -> last = Before.VALUE;
      }
    }
    if (comma >= 0) {
      depth = 0;
      inString = false;
      isEscaped = false;
      before = Before.COMMA;
      return comma;
    }
    depth = level;
    inString = quoted;
    before = last;
    // The last byte may escape the one after it, which then ends no string.
    isEscaped = i > limit;
    return -1;
  }

  /// Ends the records at a comma without a value before it.
  private int misplaced(JsonBlock block, int end) throws IOException {
    ended = true;
    block.failure = unexpected("a value before the comma", ",", block.byteOffset(end));
    return end;
  }

  /// Ends the records at a bracket, and requires that only blanks follow.
  private int closed(JsonBlock block, int end, int limit, boolean afterComma) throws IOException {
    ended = true;
    if (block.text[end] != ']' || afterComma) {
      block.failure =
          unexpected(
              afterComma ? "a value after the comma" : "\",\" or \"]\" after a record",
              Character.toString(block.text[end]),
              block.byteOffset(end));
    } else if (layout == JsonRecords.Layout.ARRAY) {
      requireBlank(block, end + 1, limit);
    }
    return end;
  }

  private void requireBlank(JsonBlock block, int start, int limit) throws IOException {
    byte[] bytes = block.text;
    int from = start;
    int to = limit;
    long first = block.byteOffset(start);
    while (to >= 0) {
      for (int i = from; i < to; i++) {
        if (!isBlank(bytes[i])) {
          String found = new String(bytes, i, 1, StandardCharsets.ISO_8859_1);
          block.failure =
              unexpected("the end of the file after the array", found, first + i - from);
          return;
        }
      }
      first += to - from;
      bytes = new byte[PIECE_BYTE_SIZE];
      from = 0;
      to = input.read(bytes);
    }
  }

  private ForeignDataException unexpected(String expected, @Nullable String found, long at)
      throws IOException {
    String description = found == null ? "the end of the file" : "\"" + found + "\"";
    return JsonErrors.at(text, at, "Expected %s but found %s".formatted(expected, description));
  }

  private ForeignDataException tooLong(JsonBlock block) throws IOException {
    int first = FIRST;
    while (isBlank(block.text[first])) {
      first++;
    }
    ForeignDataException error =
        ForeignDataException.of(
            "Expected a record of at most %,d bytes but found more"
                .formatted(RECORD_BYTE_SIZE_MAXIMUM),
            text.position(block.byteOffset(first)).line(),
            /* column= */ null,
            /* value= */ null);
    return hint == null ? error : error.withHint(hint);
  }

  static boolean isBlank(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
