package dev.quiver.formats.excel;

import dev.quiver.formats.ColumnType;
import dev.quiver.formats.InvalidOptionException;
import dev.quiver.formats.OptionValues;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Options for a workbook: the parameters whose names begin with `excel.`.
///
/// @param sheet the name of a sheet or its number, counted from 1; null for the first visible one
///   with cells
/// @param header whether the first row has the names, or null if that is to be found
/// @param skip rows before the first one, or null if titles are to be found
/// @param nulls texts that stand for missing values
/// @param types of columns by name; other columns have the types of their cells
/// @param skipsRows whether rows with a value that its column does not hold are left out
public record ExcelOptions(
    @Nullable String sheet,
    @Nullable Boolean header,
    @Nullable Integer skip,
    List<String> nulls,
    Map<String, ColumnType> types,
    boolean skipsRows) {

  public static final String PREFIX = "excel.";

  /// The names of the options without their prefix.
  public static final List<String> NAMES =
      List.of("sheet", "header", "skip", "null", "types", "rows");

  private static final int NULLS_MAXIMUM = 100;
  private static final int TEXT_LENGTH_MAXIMUM = 255;

  /// Reads the options among the parameters of a request.
  ///
  /// @throws InvalidOptionException if a parameter is unknown or invalid
  public static ExcelOptions parse(Map<String, List<String>> parameters) {
    OptionValues values = new OptionValues(PREFIX, NAMES, parameters);
    List<String> nulls = values.all("null");
    if (nulls.size() > NULLS_MAXIMUM) {
      throw values.invalid(
          "null", "at most %d values".formatted(NULLS_MAXIMUM), nulls.size() + " values");
    }
    for (String text : nulls) {
      requireShort(values, "null", text);
    }
    String sheet = values.only("sheet");
    if (sheet != null) {
      requireShort(values, "sheet", sheet);
    }
    return new ExcelOptions(
        sheet,
        values.only("header") == null ? null : values.flag("header", true),
        values.only("skip") == null
            ? null
            : values.number("skip", 0, 0, SheetReader.ROW_COUNT_MAXIMUM),
        nulls,
        values.types("types"),
        values.choice("rows", List.of("strict", "skip")).equals("skip"));
  }

  private static void requireShort(OptionValues values, String name, String text) {
    if (text.length() > TEXT_LENGTH_MAXIMUM) {
      throw values.invalid(name, "at most %d characters".formatted(TEXT_LENGTH_MAXIMUM), text);
    }
  }
}
