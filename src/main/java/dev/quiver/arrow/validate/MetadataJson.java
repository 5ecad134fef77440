package dev.quiver.arrow.validate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A strict parser of short JSON texts: RFC 8259.
///
/// Objects become maps, where the last of several members with a name counts. Arrays become lists,
/// strings stay what they are, and a number is an `Integer` if it is one without fraction and
/// exponent, otherwise a `Double`.
final class MetadataJson {

  private static final int DEPTH_MAXIMUM = 1_000;

  private static final Pattern NUMBER =
      Pattern.compile("-?(?:0|[1-9][0-9]*+)(?:\\.[0-9]++)?(?:[eE][+-]?[0-9]++)?");

  private static final String ESCAPES = "\"\\/bfnrt";
  private static final String ESCAPED = "\"\\/\b\f\n\r\t";

  private final String text;
  private int position;

  private MetadataJson(String text) {
    this.text = text;
  }

  /// Returns the value that the whole text is, or null if it is `null` or invalid.
  static @Nullable Object parse(String text) {
    MetadataJson json = new MetadataJson(text);
    try {
      Object value = json.value(0);
      return json.position == text.length() ? value : null;
    } catch (InvalidJsonException e) {
      return null;
    }
  }

  private @Nullable Object value(int depth) {
    if (depth > DEPTH_MAXIMUM) {
      throw new InvalidJsonException();
    }
    skipWhitespace();
    Object value =
        switch (position < text.length() ? text.charAt(position) : ' ') {
          case '{' -> object(depth + 1);
          case '[' -> array(depth + 1);
          case '"' -> string();
          case 't' -> literal("true", true);
          case 'f' -> literal("false", false);
          case 'n' -> literal("null", null);
          default -> number();
        };
    skipWhitespace();
    return value;
  }

  private Map<String, @Nullable Object> object(int depth) {
    Map<String, @Nullable Object> members = new HashMap<>();
    position++;
    skipWhitespace();
    while (!take('}')) {
      if (!members.isEmpty()) {
        require(take(','));
        skipWhitespace();
      }
      String name = string();
      skipWhitespace();
      require(take(':'));
      members.put(name, value(depth));
    }
    return members;
  }

  private List<@Nullable Object> array(int depth) {
    List<@Nullable Object> elements = new ArrayList<>();
    position++;
    skipWhitespace();
    while (!take(']')) {
      require(elements.isEmpty() || take(','));
      elements.add(value(depth));
    }
    return elements;
  }

  private String string() {
    require(take('"'));
    StringBuilder string = new StringBuilder();
    while (!take('"')) {
      char character = next();
      require(character >= ' ');
      string.append(character == '\\' ? escaped(next()) : character);
    }
    return string.toString();
  }

  private char escaped(char escape) {
    if (escape != 'u') {
      int index = ESCAPES.indexOf(escape);
      require(index >= 0);
      return ESCAPED.charAt(index);
    }
    int unit = 0;
    for (int i = 0; i < 4; i++) {
      char digit = next();
      require(digit < 128 && Character.digit(digit, 16) >= 0);
      unit = unit << 4 | Character.digit(digit, 16);
    }
    return (char) unit;
  }

  private Number number() {
    Matcher number = NUMBER.matcher(text).region(position, text.length());
    require(number.lookingAt());
    position = number.end();
    try {
      return Integer.valueOf(number.group());
    } catch (NumberFormatException e) {
      return Double.valueOf(number.group());
    }
  }

  private @Nullable Object literal(String literal, @Nullable Object value) {
    require(text.startsWith(literal, position));
    position += literal.length();
    return value;
  }

  private void skipWhitespace() {
    while (position < text.length() && " \t\n\r".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
  }

  private boolean take(char character) {
    boolean isNext = position < text.length() && text.charAt(position) == character;
    position += isNext ? 1 : 0;
    return isNext;
  }

  private char next() {
    require(position < text.length());
    return text.charAt(position++);
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new InvalidJsonException();
    }
  }

  private static final class InvalidJsonException extends RuntimeException {

    private static final long serialVersionUID = 1;

    InvalidJsonException() {
      super("Expected JSON");
    }
  }
}
