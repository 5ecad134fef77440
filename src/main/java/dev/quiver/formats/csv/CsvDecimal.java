package dev.quiver.formats.csv;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.ColumnType;
import dev.quiver.formats.value.KindParser;
import dev.quiver.formats.value.TextKind;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The decimal separator of a file, as its beginning shows it.
///
/// @param dataset the schema of the dataset to which the rows are appended, or null
record CsvDecimal(CsvOptions options, @Nullable Schema dataset) {

  private static final Set<TextKind> NUMBERS =
      EnumSet.of(
          TextKind.INTEGER,
          TextKind.LONG_INTEGER,
          TextKind.LARGE_INTEGER,
          TextKind.FRACTION,
          TextKind.GROUPED_INTEGER,
          TextKind.GROUPED_FRACTION,
          TextKind.PERCENT);

  /// Returns the decimal separator. It is a comma if a column has numbers with a comma that have no
  /// other meaning, and no column has some with a point.
  String find(CsvLayout layout, boolean header) {
    String delimiter = Character.toString(layout.delimiter());
    if (!options.finds("decimal") || !delimiter.equals(";") && !delimiter.equals("\t")) {
      return options.decimal();
    }
    List<CsvSample.Row> table = layout.table();
    List<CsvSample.Row> rows = table.subList(header && !table.isEmpty() ? 1 : 0, table.size());
    boolean hasCommas = false;
    KindParser points = kinds('.');
    KindParser commas = kinds(',');
    for (int i = 0; i < layout.width(); i++) {
      if (isText(layout, i)) {
        continue;
      }
      int withPoint = numberCount(points, rows, i);
      int withComma = numberCount(commas, rows, i);
      if (withPoint > withComma) {
        return ".";
      }
      // A few words, such as NA, make no other separator.
      hasCommas |= withComma > withPoint && 2 * withComma > textCount(rows, i);
    }
    return hasCommas ? "," : options.decimal();
  }

  /// Returns whether a column is stated to be text, or that of a dataset is.
  private boolean isText(CsvLayout layout, int column) {
    List<String> names = layout.table().isEmpty() ? List.of() : layout.table().getFirst().texts();
    String name = column < names.size() ? names.get(column) : "";
    ColumnType stated = options.types().get(name);
    if (stated != null || dataset == null) {
      return stated != null && stated.kind() == ColumnType.Kind.TEXT;
    }
    return dataset.fields().stream()
        .anyMatch(field -> field.name().equals(name) && field.type() instanceof ArrowType.Text);
  }

  private KindParser kinds(char point) {
    return new KindParser(
        point, options.dateFormat(), options.dateOrder(), options.timestampFormat());
  }

  private static String text(CsvSample.Row row, int column) {
    return column < row.count() ? row.fields().get(column).strip() : "";
  }

  private static int textCount(List<CsvSample.Row> rows, int column) {
    return (int) rows.stream().filter(row -> !text(row, column).isEmpty()).count();
  }

  /// Returns how many fields of a column are numbers.
  private static int numberCount(KindParser parser, List<CsvSample.Row> rows, int column) {
    int count = 0;
    for (CsvSample.Row row : rows) {
      byte[] bytes = text(row, column).getBytes(StandardCharsets.ISO_8859_1);
      if (bytes.length > 0 && NUMBERS.contains(parser.kind(bytes, 0, bytes.length))) {
        count++;
      }
    }
    return count;
  }
}
