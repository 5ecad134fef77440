package dev.quiver.formats.json;

import dev.quiver.formats.ColumnType;
import dev.quiver.formats.Format;
import dev.quiver.formats.InvalidOptionException;
import dev.quiver.formats.OptionValues;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Options for a JSON file: the parameters whose names begin with `json.`.
///
/// @param types of columns by name; other columns' types are inferred
/// @param depth how deep objects and arrays become types of their own; text of JSON beyond
/// @param records the key of the array whose objects are the rows, [#WHOLE] if the file's object is
///   the row, or null to find out
public record JsonOptions(
    Layout layout, Map<String, ColumnType> types, int depth, @Nullable String records) {

  public static final String PREFIX = "json.";

  /// The names of the options without their prefix.
  public static final List<String> NAMES = List.of("format", "types", "depth", "records");

  /// The value of `json.records` for a file that is one row.
  public static final String WHOLE = ".";

  private static final int DEPTH_MAXIMUM = 100;

  /// The order of objects in a file.
  public enum Layout {
    /// An array, lines, or one object.
    ANY,
    ARRAY,
    /// Lines, each with an object, or objects that span lines. An array is read as well, since it
    /// cannot be a line with an object.
    LINES
  }

  /// Reads the options among the parameters of a request.
  ///
  /// @throws InvalidOptionException if a parameter is unknown or invalid
  public static JsonOptions parse(Format format, Map<String, List<String>> parameters) {
    OptionValues values = new OptionValues(PREFIX, NAMES, parameters);
    Layout layout =
        switch (values.choice("format", List.of("auto", "array", "ndjson"))) {
          case "array" -> Layout.ARRAY;
          case "ndjson" -> Layout.LINES;
          default -> format == Format.JSON_LINES ? Layout.LINES : Layout.ANY;
        };
    return new JsonOptions(
        layout,
        values.types("types"),
        values.number("depth", DEPTH_MAXIMUM, 1, DEPTH_MAXIMUM),
        values.only("records"));
  }
}
