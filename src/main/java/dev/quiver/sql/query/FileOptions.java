package dev.quiver.sql.query;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.formats.ColumnRenames;
import dev.quiver.formats.Format;
import dev.quiver.formats.InvalidOptionException;
import dev.quiver.formats.csv.CsvArrival;
import dev.quiver.formats.csv.CsvOptions;
import dev.quiver.formats.excel.ExcelOptions;
import dev.quiver.formats.json.JsonOptions;
import java.util.List;
import java.util.Map;

/// The format of a file, and what a client says of it.
public sealed interface FileOptions {

  /// The starts of the names of the options of each format.
  List<String> PREFIXES = List.of(CsvOptions.PREFIX, ExcelOptions.PREFIX, JsonOptions.PREFIX);

  /// Reads the options among the parameters of a request.
  ///
  /// @throws dev.quiver.formats.InvalidOptionException if a parameter is unknown or invalid
  static FileOptions parse(Format format, Map<String, List<String>> parameters) {
    ColumnRenames renames = ColumnRenames.parse(parameters);
    return switch (format) {
      case CSV, TSV -> {
        requireOnly(CsvOptions.PREFIX, parameters, "CSV");
        yield new Csv(CsvOptions.parse(format, parameters), renames);
      }
      case JSON, JSON_LINES -> {
        requireOnly(JsonOptions.PREFIX, parameters, "JSON");
        yield new Json(JsonOptions.parse(format, parameters), renames);
      }
      case EXCEL -> {
        requireOnly(ExcelOptions.PREFIX, parameters, "Excel");
        yield new Excel(ExcelOptions.parse(parameters), renames);
      }
      case PARQUET -> {
        requireOnly("", parameters, "Parquet");
        yield new Parquet(renames);
      }
      case FILE, STREAM, TABLE, HTML, MULTIPART_MIXED -> throw format.unexpected();
    };
  }

  /// Returns the new names for columns.
  ColumnRenames renames();

  /// Returns the format, as far as it was stated.
  default Format format() {
    return switch (this) {
      case Csv csv -> csv.options.format();
      case Json json ->
          json.options.layout() == JsonOptions.Layout.LINES ? Format.JSON_LINES : Format.JSON;
      case Excel _ -> Format.EXCEL;
      case Parquet _ -> Format.PARQUET;
    };
  }

  /// Rejects options of other formats.
  ///
  /// @param prefix that of the format's own options, or empty if it has none
  private static void requireOnly(
      String prefix, Map<String, List<String>> parameters, String format) {
    for (String name : parameters.keySet()) {
      for (String other : PREFIXES) {
        if (!other.equals(prefix) && name.startsWith(other)) {
          throw InvalidOptionException.ofOther(name, format);
        }
      }
    }
  }

  /// Returns the content of a file that is checked as it arrives, as far as its format allows.
  default ByteSource checked(ByteSource content) {
    return this instanceof Csv ? new CsvArrival(content) : content;
  }

  /// Fields between delimiters.
  record Csv(CsvOptions options, ColumnRenames renames) implements FileOptions {}

  /// Objects, in an array or one after the other.
  record Json(JsonOptions options, ColumnRenames renames) implements FileOptions {}

  /// A sheet of a workbook.
  record Excel(ExcelOptions options, ColumnRenames renames) implements FileOptions {}

  /// Parquet, which describes itself.
  record Parquet(ColumnRenames renames) implements FileOptions {}
}
