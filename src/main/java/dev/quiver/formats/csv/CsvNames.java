package dev.quiver.formats.csv;

import dev.quiver.formats.ColumnNames;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.InvalidOptionException;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// The names of the columns of a file.
final class CsvNames {

  private CsvNames() {}

  /// Returns the names of the header, or those of columns without one.
  ///
  /// @throws ForeignDataException if there are no rows, or too many columns
  static List<String> of(CsvFindings findings) throws IOException {
    CsvText text = findings.text();
    CsvOptions options = findings.options();
    try (CsvScanner scanner = new CsvScanner(text, options)) {
      scanner.skip(options.skip());
      CsvBlock first = new CsvBlock(CsvFile.COLUMNS_MAXIMUM);
      int count = scanner.next(first);
      if (count == 0) {
        throw ForeignDataException.of(
            options.header()
                ? "Expected a row with the names of columns but found no rows"
                : "Expected rows but found none");
      }
      if (count > CsvFile.COLUMNS_MAXIMUM) {
        throw CsvErrors.columnCount(CsvFile.COLUMNS_MAXIMUM, count);
      }
      if (first.firstInvalid() == 0) {
        throw CsvErrors.encoding(text.encoding(), text.line(first.byteOffset(0)));
      }
      List<String> names =
          IntStream.range(0, count)
              .mapToObj(
                  i -> options.header() ? options.text(first, first.field(0, i)) : "column" + i)
              .toList();
      int width = count;
      while (width > findings.width() && (!options.header() || names.get(width - 1).isBlank())) {
        width--;
      }
      return names.subList(0, width);
    }
  }

  /// Checks the names for which types are stated.
  ///
  /// @throws InvalidOptionException if the file lacks one
  static void requireKnown(CsvOptions options, List<String> names) {
    Set<String> known = new HashSet<>(names);
    for (String name : options.types().keySet()) {
      if (!known.contains(name)) {
        throw InvalidOptionException.value(
            options.prefix() + "types",
            "the name of a column" + ColumnNames.suggestion(name, names),
            name);
      }
    }
  }
}
