package dev.quiver.formats;

import dev.quiver.arrow.memory.NearestName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The options with one prefix among the parameters of a request.
public final class OptionValues {

  /// The types that a request may state.
  public static final int TYPES_MAXIMUM = 1000;

  /// A name within quotation marks, and the colon before its type.
  private static final Pattern QUOTED_NAME = Pattern.compile("\"(?:[^\"]|\"\")*+\":");

  private final String prefix;
  private final Map<String, List<String>> values;

  /// @param prefix the start of the names, such as `csv.`
  /// @param names the known names without their prefix
  /// @throws InvalidOptionException if a parameter with the prefix has an unknown name
  public OptionValues(String prefix, List<String> names, Map<String, List<String>> parameters) {
    this.prefix = prefix;
    this.values = parameters;
    List<String> known = names.stream().map(name -> prefix + name).toList();
    for (String name : parameters.keySet()) {
      if (name.startsWith(prefix) && !known.contains(name)) {
        throw InvalidOptionException.unknown(
            name, String.join(", ", known), NearestName.near(name, known));
      }
    }
  }

  public List<String> all(String name) {
    return values.getOrDefault(prefix + name, List.of());
  }

  public @Nullable String only(String name) {
    List<String> found = all(name);
    if (found.size() > 1) {
      throw InvalidOptionException.repeated(prefix + name, found.size());
    }
    return found.isEmpty() ? null : found.getFirst();
  }

  public boolean flag(String name, boolean defaultValue) {
    String value = only(name);
    return value == null ? defaultValue : choice(name, List.of("false", "true")).equals("true");
  }

  /// Returns the value, which is one of the words; the first of them if absent.
  public String choice(String name, List<String> words) {
    String value = only(name);
    if (value != null && !words.contains(value)) {
      throw invalid(name, String.join(" or ", words), value);
    }
    return value == null ? words.getFirst() : value;
  }

  public int number(String name, int defaultValue, int minimum, int maximum) {
    String value = only(name);
    if (value == null) {
      return defaultValue;
    }
    if (value.matches("0|[1-9][0-9]{0,8}")) {
      int number = Integer.parseInt(value);
      if (number >= minimum && number <= maximum) {
        return number;
      }
    }
    throw invalid(name, "a whole number from %d to %d".formatted(minimum, maximum), value);
  }

  /// Returns a character that a file can be divided by, or an empty text if the value is empty.
  public String character(String name, String defaultValue, boolean optional) {
    String value = only(name);
    if (value == null) {
      return defaultValue;
    }
    boolean single =
        value.length() == 1
            && value.charAt(0) < 0x80
            && !value.equals("\0")
            && !value.equals("\n")
            && !value.equals("\r");
    if (single || optional && value.isEmpty()) {
      return value;
    }
    throw invalid(name, optional ? "an ASCII character or nothing" : "an ASCII character", value);
  }

  /// Returns types as [#types(String)] does, those of text as people write it included.
  public Map<String, ColumnType> writtenTypes(String name) {
    return types(name, ColumnType::parseWritten, ColumnType.NAMES + ColumnType.WRITTEN_NAMES);
  }

  /// Returns types by the names of columns, from values such as `a:integer,b:decimal(10,2)`. The
  /// last colon divides, so that a name may have others. A name may be within quotation marks, each
  /// quotation mark in it doubled; without these, a name with a comma needs a parameter of its own.
  public Map<String, ColumnType> types(String name) {
    return types(name, ColumnType::parse, ColumnType.NAMES);
  }

  /// Returns the text of a name and a type, as [#types(String)] reads it.
  public static String typed(String column, String type) {
    boolean isPlain = column.indexOf(',') < 0 && !column.startsWith("\"");
    return (isPlain ? column : "\"%s\"".formatted(column.replace("\"", "\"\""))) + ":" + type;
  }

  private Map<String, ColumnType> types(
      String name, Function<String, @Nullable ColumnType> parser, String names) {
    Map<String, ColumnType> types = new LinkedHashMap<>();
    for (String value : all(name)) {
      for (String pair : pairs(value, parser)) {
        int colon = pair.lastIndexOf(':');
        ColumnType type = colon < 0 ? null : parser.apply(pair.substring(colon + 1));
        if (type == null) {
          throw invalid(name, "name:type with a type of " + names, pair);
        }
        if (types.put(unquoted(pair.substring(0, colon)), type) != null) {
          throw invalid(name, "one type for each column", pair);
        }
      }
    }
    if (types.size() > TYPES_MAXIMUM) {
      throw invalid(name, "at most %d types".formatted(TYPES_MAXIMUM), types.size() + " types");
    }
    return types;
  }

  /// Returns the parts between commas that are outside of parentheses and of quoted names. Parts
  /// without a type belong to the name that follows them.
  private static List<String> pairs(String value, Function<String, @Nullable ColumnType> parser) {
    List<String> pairs = new ArrayList<>();
    int start = 0;
    int depth = 0;
    for (int i = quotedEnd(value, start); i < value.length(); i++) {
      char c = value.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == ',' && depth <= 0 && isPair(value.substring(start, i), parser)) {
        pairs.add(value.substring(start, i));
        start = i + 1;
        i = quotedEnd(value, start) - 1;
      }
    }
    pairs.add(value.substring(start));
    return pairs;
  }

  /// Returns the offset after a quoted name and its colon, or the start of a name without quotes.
  private static int quotedEnd(String value, int start) {
    Matcher quoted = QUOTED_NAME.matcher(value).region(start, value.length());
    return quoted.lookingAt() ? quoted.end() : start;
  }

  private static String unquoted(String name) {
    return quotedEnd(name + ":", 0) == name.length() + 1
        ? name.substring(1, name.length() - 1).replace("\"\"", "\"")
        : name;
  }

  private static boolean isPair(String part, Function<String, @Nullable ColumnType> parser) {
    return part.indexOf(':') >= 0
        && parser.apply(part.substring(part.lastIndexOf(':') + 1)) != null;
  }

  public InvalidOptionException invalid(String name, String expected, String found) {
    return InvalidOptionException.value(prefix + name, expected, found);
  }
}
