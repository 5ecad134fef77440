package dev.quiver.server.http;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A header value with parameters, such as `form-data; name="data"`: RFC 9110 §5.6.6.
///
/// Spring's `MediaType` rejects boundaries that clients send without quotes, and its
/// `ContentDisposition` accepts a duplicate name.
///
/// @param value the value before the parameters, in lower case
/// @param parameters the unquoted parameter values by name in lower case
public record ParameterizedValue(String value, Map<String, String> parameters) {

  /// Parses a value in one pass, regardless of its length. An unquoted parameter may contain
  /// characters that a token may not, as boundaries often do.
  ///
  /// @return the value, or null if it is invalid or repeats a parameter
  public static @Nullable ParameterizedValue parse(String text) {
    int semicolon = text.indexOf(';');
    String value = semicolon < 0 ? text : text.substring(0, semicolon);
    Map<String, String> parameters = new HashMap<>();
    Parser parser = new Parser(text, value.length());
    return parser.readAll(parameters)
        ? new ParameterizedValue(value.strip().toLowerCase(Locale.ROOT), parameters)
        : null;
  }

  /// Returns the value before the parameters, in lower case; empty if the header is absent.
  public static String withoutParameters(@Nullable String text) {
    if (text == null) {
      return "";
    }
    int semicolon = text.indexOf(';');
    return (semicolon < 0 ? text : text.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
  }

  private static final class Parser {

    private static final String OUTSIDE_QUOTES = "; \t\"";

    private final String text;
    private int position;

    Parser(String text, int position) {
      this.text = text;
      this.position = position;
    }

    /// @return whether the whole text consists of parameters
    boolean readAll(Map<String, String> parameters) {
      while (take(';')) {
        skipSpace();
        String name = takeUntil("=" + OUTSIDE_QUOTES);
        if (!name.isEmpty()) {
          String value = take('=') ? value() : null;
          if (value == null || parameters.put(name.toLowerCase(Locale.ROOT), value) != null) {
            return false;
          }
        }
        skipSpace();
      }
      return position == text.length();
    }

    private @Nullable String value() {
      if (!take('"')) {
        return takeUntil(OUTSIDE_QUOTES);
      }
      StringBuilder value = new StringBuilder();
      while (position < text.length()) {
        if (take('"')) {
          return value.toString();
        }
        take('\\');
        if (position < text.length()) {
          value.append(text.charAt(position++));
        }
      }
      return null;
    }

    private boolean take(char expected) {
      boolean found = position < text.length() && text.charAt(position) == expected;
      position += found ? 1 : 0;
      return found;
    }

    private String takeUntil(String ends) {
      int start = position;
      while (position < text.length() && ends.indexOf(text.charAt(position)) < 0) {
        position++;
      }
      return text.substring(start, position);
    }

    private void skipSpace() {
      while (take(' ') || take('\t')) {}
    }
  }
}
