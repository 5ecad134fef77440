package dev.quiver.render;

import dev.quiver.memory.LittleEndian;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// Strings as JSON has them: RFC 8259 §7. What need not be escaped is not.
final class JsonStrings {

  private static final int CHUNK_BYTE_SIZE = 4 << 10;

  /// What follows the backslash, by character; `u` for those without a letter of their own.
  private static final byte[] ESCAPES = escapes();

  private static final byte[] HEXADECIMAL = TextOutput.ascii("0123456789abcdef");

  private final String quote;
  private final byte[] quoteBytes;
  private final byte[] chunk = new byte[CHUNK_BYTE_SIZE];

  /// @param quote what stands for a quotation mark: two of them within a CSV field
  JsonStrings(String quote) {
    this.quote = quote;
    this.quoteBytes = TextOutput.ascii(quote);
  }

  private static byte[] escapes() {
    byte[] escapes = new byte[128];
    for (int c = 0; c < ' '; c++) {
      escapes[c] = 'u';
    }
    escapes['\b'] = 'b';
    escapes['\f'] = 'f';
    escapes['\n'] = 'n';
    escapes['\r'] = 'r';
    escapes['\t'] = 't';
    escapes['"'] = '"';
    escapes['\\'] = '\\';
    return escapes;
  }

  byte[] quote() {
    return quoteBytes;
  }

  /// Writes a string that is UTF-8, whose bytes are not looked into further.
  void write(MemorySegment utf8, TextOutput output) throws IOException {
    output.put(quoteBytes);
    long offset = 0;
    while (offset < utf8.byteSize()) {
      int count = (int) Math.min(utf8.byteSize() - offset, chunk.length);
      MemorySegment.copy(utf8, LittleEndian.INT8, offset, chunk, 0, count);
      writeChunk(count, output);
      offset += count;
    }
    output.put(quoteBytes);
  }

  private void writeChunk(int count, TextOutput output) throws IOException {
    int start = 0;
    for (int i = 0; i < count; i++) {
      byte c = chunk[i];
      if (c >= 0 && ESCAPES[c] != 0) {
        output.put(chunk, start, i - start);
        escape(c, output);
        start = i + 1;
      }
    }
    output.put(chunk, start, count - start);
  }

  private void escape(byte c, TextOutput output) throws IOException {
    output.put('\\');
    switch (ESCAPES[c]) {
      case 'u' -> {
        output.put("u00");
        output.put((char) HEXADECIMAL[c >>> 4]);
        output.put((char) HEXADECIMAL[c & 15]);
      }
      case '"' -> output.put(quoteBytes);
      default -> output.put((char) ESCAPES[c]);
    }
  }

  /// The string of a name, which may hold half a surrogate pair: that is escaped, since UTF-8 has
  /// no form for it.
  byte[] bytes(String text) {
    StringBuilder json = new StringBuilder(quote);
    text.codePoints().forEach(codePoint -> append(codePoint, json));
    return json.append(quote).toString().getBytes(StandardCharsets.UTF_8);
  }

  private void append(int codePoint, StringBuilder json) {
    byte escape = codePoint < ESCAPES.length ? ESCAPES[codePoint] : 0;
    if (escape == 'u' || Character.getType(codePoint) == Character.SURROGATE) {
      json.append("\\u%04x".formatted(codePoint));
    } else if (escape == '"') {
      json.append('\\').append(quote);
    } else if (escape != 0) {
      json.append('\\').append((char) escape);
    } else {
      json.appendCodePoint(codePoint);
    }
  }
}
