package dev.quiver.arrow.text;

import java.io.IOException;

/// Texts that are JSON, as JSON values: on one line, without the blanks between their tokens.
///
/// A text that is not valid JSON becomes a string, as does one that is cut. Each text is read
/// twice, to check it and then to write it, so the memory is constant.
final class EmbeddedJson {

  /// Matches the quotation marks and backslashes of strings.
  private static final EscapeMask WITHIN_STRINGS =
      word -> EscapeMask.equal(word, '"') | EscapeMask.equal(word, '\\');

  /// Matches blanks, and the quotation marks that begin strings.
  private static final EscapeMask BETWEEN_STRINGS =
      word -> EscapeMask.below(word, ' ' + 1) | EscapeMask.equal(word, '"');

  private final SlotBytes values;
  private final JsonStrings strings;
  private final JsonGrammar grammar = new JsonGrammar();

  private boolean isInString;
  private boolean isEscape;

  private EmbeddedJson(SlotBytes values, JsonStrings strings) {
    this.values = values;
    this.strings = strings;
  }

  /// Returns a writer of texts.
  ///
  /// @param values valid UTF-8
  /// @param strings the form of strings around the values
  static SlotWriter of(SlotBytes values, JsonStrings strings) {
    EmbeddedJson json = new EmbeddedJson(values, strings);
    SlotWriter string = strings.of(values);
    return (slot, output) -> {
      if (json.isValid(slot)) {
        json.write(slot, output);
      } else {
        string.write(slot, output);
      }
    };
  }

  private boolean isValid(long slot) {
    values.seek(slot);
    if (values.isCut()) {
      return false;
    }
    grammar.begin();
    boolean isValid;
    do {
      isValid = grammar.read(values.bytes(), values.start(), values.end());
    } while (isValid && values.next());
    return isValid && grammar.isComplete();
  }

  private void write(long slot, TextOutput output) throws IOException {
    values.seek(slot);
    isInString = false;
    isEscape = false;
    do {
      writePart(values.bytes(), values.start(), values.end(), output);
    } while (values.next());
  }

  private void writePart(byte[] bytes, int start, int end, TextOutput output) throws IOException {
    int at = start;
    while (at < end) {
      byte c = bytes[at];
      if (isEscape) {
        put((char) c, output);
        isEscape = false;
        at++;
      } else if (c == '"') {
        output.put(strings.quote());
        isInString = !isInString;
        at++;
      } else if (isInString && c == '\\') {
        put('\\', output);
        isEscape = true;
        at++;
      } else if (!isInString && JsonGrammar.isBlank(c)) {
        at++;
      } else {
        at = output.putPiece(bytes, at, end, isInString ? WITHIN_STRINGS : BETWEEN_STRINGS);
      }
    }
  }

  private void put(char ascii, TextOutput output) throws IOException {
    switch (ascii) {
      case '"' -> output.put(strings.quote());
      case '\\' -> output.put(strings.backslash());
      default -> output.put(ascii);
    }
  }
}
