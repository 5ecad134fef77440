package dev.quiver.formats.json;

import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.value.TextPosition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;

/// The errors of JSON files, each with the place of its character.
final class JsonErrors {

  /// The characters of a word that is reported.
  private static final int WORD_LENGTH_MAXIMUM = 20;

  /// A sentence with the word, or the character, that JSON does not have at its place.
  private static final Pattern UNEXPECTED = Pattern.compile("Expected JSON but found \"(.+)\"");

  private JsonErrors() {}

  /// An error in a block, whose place in the file is looked for only if it is the first one.
  static final class Fault extends RuntimeException {

    private final long byteOffset;
    private final transient @Nullable InvalidValueException invalid;

    /// @param byteOffset of the error within the text of the file
    /// @param sentence without its place
    /// @param invalid the value that its column does not hold, or null
    private Fault(long byteOffset, String sentence, @Nullable InvalidValueException invalid) {
      super(sentence, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
      this.byteOffset = byteOffset;
      this.invalid = invalid;
    }

    ForeignDataException located(JsonContent content) throws IOException {
      TextPosition position = content.position(byteOffset);
      String sentence = String.valueOf(getMessage());
      if (invalid == null) {
        return at(sentence, position);
      }
      ForeignDataException error =
          ForeignDataException.of(sentence, position.line(), invalid.column, invalid.value);
      return invalid.hint == null ? error : error.withHint(invalid.hint);
    }
  }

  /// Text that is not as the records should be, at an offset in its block.
  static final class InvalidTextException extends RuntimeException {

    private final int offset;
    private final String expected;
    private final String found;

    /// @param expected a noun phrase
    /// @param found likewise
    InvalidTextException(int offset, String expected, String found) {
      super(null, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
      this.offset = offset;
      this.expected = expected;
      this.found = found;
    }
  }

  /// A value that its column does not hold, at an offset in its block.
  static final class InvalidValueException extends RuntimeException {

    private final int offset;
    private final String type;
    private final String value;
    private @Nullable String column;
    private @Nullable String hint;

    /// @param type that the value is not of
    InvalidValueException(int offset, String type, String value) {
      super(null, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
      this.offset = offset;
      this.type = type;
      this.value = value;
    }

    /// Sets a sentence that says what the client can do.
    InvalidValueException withHint(String newHint) {
      hint = newHint;
      return this;
    }

    /// Returns the path of the field.
    String column() {
      return String.valueOf(column);
    }

    /// Adds the name of the field around the path of the value.
    InvalidValueException within(String field) {
      column = column == null ? field : field + "." + column;
      return this;
    }
  }

  static Fault of(JsonBlock block, InvalidTextException error) {
    return fault(
        block, error.offset, "Expected %s but found %s".formatted(error.expected, error.found));
  }

  /// @param offset in the block
  static Fault fault(JsonBlock block, int offset, String sentence) {
    return new Fault(block.byteOffset(offset), sentence, /* invalid= */ null);
  }

  static Fault of(JsonBlock block, InvalidValueException error) {
    return new Fault(
        block.byteOffset(error.offset),
        "Expected %s but found \"%s\""
            .formatted(error.type, ForeignDataException.excerpt(error.value)),
        error);
  }

  /// Returns the exception for text that is not JSON.
  ///
  /// @throws ForeignDataException if the records end as they should not
  static Fault of(JsonParserTokens tokens, JacksonException error) {
    JsonBlock block = tokens.block();
    int offset = Math.max(JsonBlock.FIRST, offset(block.text, tokens.offset(error), error));
    if (offset >= block.end || error instanceof UnexpectedEndOfInputException) {
      if (block.failure != null) {
        throw block.failure;
      }
      return fault(
          block,
          block.end,
          "Expected the end of a value but found the end of %s"
              .formatted(block.isArray ? "the array" : "the record"));
    }
    String sentence =
        String.valueOf(error.getOriginalMessage()).contains("surrogate")
            ? "Expected both halves of a surrogate pair but found one"
            : sentence(block.text, offset, block.end);
    return fault(block, offset, sentence);
  }

  /// Returns the sentence about text that is not JSON.
  ///
  /// @param offset of the character that should not be there
  static String sentence(byte[] bytes, int offset, int end) {
    byte found = bytes[offset];
    int before = offset - 1;
    while (before >= 0 && JsonScanner.isBlank(bytes[before])) {
      before--;
    }
    if (before >= 0 && bytes[before] == ',' && (found == ']' || found == '}')) {
      return "Expected a value after the comma but found \"%c\"".formatted(found);
    }
    if (found >= 0 && found < ' ') {
      return "Expected JSON but found the control character U+%04X".formatted(found);
    }
    return "Expected JSON but found \"%s\""
        .formatted(ForeignDataException.excerpt(word(bytes, offset, end)));
  }

  /// Returns the word that begins with a character, or the character alone.
  private static String word(byte[] bytes, int offset, int end) {
    int last = offset;
    while (last < end && last - offset < WORD_LENGTH_MAXIMUM && isLetter(bytes[last])) {
      last++;
    }
    if (last == offset) {
      last++;
      while (last < end && (bytes[last] & 0xC0) == 0x80) {
        last++;
      }
    }
    return new String(bytes, offset, last - offset, StandardCharsets.UTF_8);
  }

  private static boolean isLetter(byte b) {
    return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_';
  }

  /// Returns the offset of the first character that an error is about. The parser reports some
  /// errors after a word, or after the character.
  private static int offset(byte[] bytes, int reported, JacksonException error) {
    int offset = Math.min(reported, bytes.length - 1);
    String message = String.valueOf(error.getOriginalMessage());
    if (message.startsWith("Unrecognized token") || message.startsWith("Non-standard token")) {
      offset -= isLetter(bytes[offset]) ? 0 : 1;
      while (offset > 0 && isLetter(bytes[offset - 1])) {
        offset--;
      }
    }
    return offset > 0 && bytes[offset - 1] == '+' ? offset - 1 : offset;
  }

  static ForeignDataException at(JsonContent text, long byteOffset, String sentence)
      throws IOException {
    return at(sentence, text.position(byteOffset));
  }

  private static ForeignDataException at(String sentence, TextPosition position) {
    ForeignDataException error =
        ForeignDataException.at(sentence, position.line(), position.column());
    String hint = hint(sentence);
    return hint == null ? error : error.withHint(hint);
  }

  /// Returns what to write instead, for what other notations have and JSON lacks, or null if
  /// unknown.
  private static @Nullable String hint(String sentence) {
    if (sentence.startsWith("Expected a value after the comma")) {
      return "Remove the comma after the last value.";
    }
    if (sentence.startsWith("Expected a value before the comma")) {
      return "Remove the comma.";
    }
    if (sentence.contains("found the control character")) {
      return "Write it as an escape, such as \\n or \\t.";
    }
    Matcher found = UNEXPECTED.matcher(sentence);
    return found.matches() ? hintInPlaceOf(found.group(1)) : null;
  }

  private static @Nullable String hintInPlaceOf(String found) {
    return switch (found) {
      case "NaN", "Infinity", "INF", "undefined", "None", "nan", "inf", "NULL" ->
          "Write null in place of %s.".formatted(found);
      case "True", "False", "TRUE", "FALSE" ->
          "Write %s in place of %s.".formatted(found.toLowerCase(Locale.ROOT), found);
      case "/", "#" -> "Remove the comment, which JSON does not have.";
      case "+" -> "Write the number without its plus sign.";
      default ->
          found.equals("'") || isLetter(found) ? "Write names and texts in double quotes." : null;
    };
  }

  private static boolean isLetter(String found) {
    return Character.isLetter(found.codePointAt(0)) || found.startsWith("_");
  }
}
