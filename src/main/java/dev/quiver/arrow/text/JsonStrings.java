package dev.quiver.arrow.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// JSON strings: RFC 8259 §7. Only characters that need it are escaped.
final class JsonStrings {

  /// The letter after the backslash for each character; `u` if the character has none of its own.
  private static final byte[] ESCAPES = escapes();

  private static final byte[] HEXADECIMAL = TextOutput.ascii("0123456789abcdef");

  /// Matches control characters, quotation marks and backslashes.
  private static final EscapeMask ESCAPED =
      word ->
          EscapeMask.below(word, ' ') | EscapeMask.equal(word, '"') | EscapeMask.equal(word, '\\');

  /// Strings of a JSON document.
  static final JsonStrings PLAIN = new JsonStrings("\"", "\\");

  private final String quote;
  private final PreparedText quoteLiteral;
  private final String backslash;

  /// @param quote the quotation mark, which is doubled within a cell of CSV
  /// @param backslash the backslash, which is doubled within a cell of TSV
  JsonStrings(String quote, String backslash) {
    this.quote = quote;
    this.quoteLiteral = PreparedText.of(quote);
    this.backslash = backslash;
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

  PreparedText quote() {
    return quoteLiteral;
  }

  String backslash() {
    return backslash;
  }

  /// Returns a writer of texts, which must be valid UTF-8.
  SlotWriter of(SlotBytes values) {
    return (slot, output) -> {
      output.put(quoteLiteral);
      values.seek(slot);
      do {
        writePart(values.bytes(), values.start(), values.end(), output);
      } while (values.next());
      output.put(values.ellipsis());
      output.put(quoteLiteral);
    };
  }

  private void writePart(byte[] bytes, int start, int end, TextOutput output) throws IOException {
    int at = start;
    while (at < end) {
      at = output.putPiece(bytes, at, end, ESCAPED);
      if (at < end && isEscaped(bytes[at])) {
        escape(bytes[at], output);
        at++;
      }
    }
  }

  private static boolean isEscaped(byte c) {
    return c >= 0 && ESCAPES[c] != 0;
  }

  private void escape(byte c, TextOutput output) throws IOException {
    output.put(backslash);
    switch (ESCAPES[c]) {
      case 'u' -> {
        output.put("u00");
        output.put((char) HEXADECIMAL[c >>> 4]);
        output.put((char) HEXADECIMAL[c & 15]);
      }
      case '"' -> output.put(quoteLiteral);
      case '\\' -> output.put(backslash);
      default -> output.put((char) ESCAPES[c]);
    }
  }

  /// Returns a name as a string. A lone surrogate is escaped, since UTF-8 cannot encode it.
  byte[] bytes(String text) {
    StringBuilder json = new StringBuilder(quote);
    text.codePoints().forEach(codePoint -> append(codePoint, json));
    return json.append(quote).toString().getBytes(StandardCharsets.UTF_8);
  }

  private void append(int codePoint, StringBuilder json) {
    byte escape = codePoint < ESCAPES.length ? ESCAPES[codePoint] : 0;
    if (escape == 'u' || Character.getType(codePoint) == Character.SURROGATE) {
      json.append(backslash).append("u%04x".formatted(codePoint));
    } else if (escape == '"') {
      json.append(backslash).append(quote);
    } else if (escape == '\\') {
      json.append(backslash).append(backslash);
    } else if (escape != 0) {
      json.append(backslash).append((char) escape);
    } else {
      json.appendCodePoint(codePoint);
    }
  }
}
