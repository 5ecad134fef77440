package dev.quiver.formats.json;

import dev.quiver.formats.value.TextStart;
import java.io.StringReader;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/// Recognizes rows of JSON by their bytes where nothing states the format of a file. It is stricter
/// than the reader of JSON, since a single object is how services report errors.
public final class JsonRecognition {

  private static final int LINE_COUNT_MINIMUM = 2;

  private JsonRecognition() {}

  /// Returns whether text is an array of objects, or two lines or more of an object each.
  ///
  /// @param start the first bytes, which may end within a value
  /// @param isWhole whether that is all of the file
  public static boolean isRows(byte[] start, boolean isWhole) {
    String text = TextStart.of(start, isWhole);
    return text != null && (isArray(text) || isLines(text, isWhole));
  }

  private static boolean isArray(String text) {
    try (JsonParser parser = parser(text)) {
      return parser.nextToken() == JsonToken.START_ARRAY
          && parser.nextToken() == JsonToken.START_OBJECT;
    } catch (JacksonException invalid) {
      return false;
    }
  }

  private static boolean isLines(String text, boolean isWhole) {
    List<String> lines =
        text.lines().filter(line -> !line.isBlank()).limit(LINE_COUNT_MINIMUM).toList();
    if (lines.size() < LINE_COUNT_MINIMUM || !isObject(lines.getFirst())) {
      return false;
    }
    String second = lines.getLast();
    boolean isCut = !isWhole && text.endsWith(second);
    return isCut ? second.stripLeading().startsWith("{") : isObject(second);
  }

  private static boolean isObject(String line) {
    try (JsonParser parser = parser(line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return false;
      }
      parser.skipChildren();
      @Nullable JsonToken next = parser.nextToken();
      return next == null;
    } catch (JacksonException invalid) {
      return false;
    }
  }

  private static JsonParser parser(String text) {
    return JsonParserTokens.STREAMS.createParser(ObjectReadContext.empty(), new StringReader(text));
  }
}
