package dev.quiver.formats.json;

import dev.quiver.formats.ColumnType;
import dev.quiver.formats.Format;
import dev.quiver.formats.InvalidOptionException;
import dev.quiver.formats.OptionValues;
import java.util.List;
import java.util.Map;

/// Options for a JSON file: the parameters whose names begin with `json.`.
///
/// Keys that appear first after a sample would be lost, so all objects decide on the columns.
///
/// @param layout of the file, in the engine's words
/// @param types of columns by name; other columns' types are inferred
/// @param depth how deep objects and arrays become types of their own, or -1 for all; text of JSON
///   beyond
public record JsonOptions(String layout, Map<String, ColumnType> types, int depth) {

  public static final String PREFIX = "json.";

  /// The names of the options without their prefix.
  public static final List<String> NAMES = List.of("format", "types", "depth");

  private static final int DEPTH_MAXIMUM = 100;

  private static final String LINES = "newline_delimited";

  /// Returns whether each line of the file is an object, or blank.
  public boolean isLines() {
    return layout.equals(LINES);
  }

  /// Reads the options among the parameters of a request.
  ///
  /// @throws InvalidOptionException if a parameter is unknown or invalid
  public static JsonOptions parse(Format format, Map<String, List<String>> parameters) {
    OptionValues values = new OptionValues(PREFIX, NAMES, parameters);
    String layout =
        switch (values.choice("format", List.of("auto", "array", "ndjson"))) {
          case "array" -> "array";
          case "ndjson" -> LINES;
          default -> format == Format.JSON_LINES ? LINES : "auto";
        };
    return new JsonOptions(
        layout, values.types("types"), values.number("depth", -1, 1, DEPTH_MAXIMUM));
  }
}
