package dev.quiver.formats.csv;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.formats.ColumnType;
import dev.quiver.formats.value.GroupedParser;
import dev.quiver.formats.value.PercentParser;
import dev.quiver.formats.value.TimeFormat;
import dev.quiver.formats.value.TimestampParser;
import dev.quiver.formats.value.ValueParser;
import dev.quiver.formats.value.WrittenDateParser;
import dev.quiver.formats.value.WrittenTimestampParser;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// The columns of a file by their types.
final class CsvColumns {

  private CsvColumns() {}

  static List<Field> fields(List<String> names, List<ColumnType> types) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      fields.add(types.get(i).field(names.get(i)));
    }
    return fields;
  }

  /// Returns the columns as if all were text.
  static List<CsvColumn> texts(List<String> names, CsvOptions options) {
    List<ColumnType> types = Collections.nCopies(names.size(), ColumnType.VARCHAR);
    return of(fields(names, types), types, options);
  }

  /// Returns the columns.
  ///
  /// @param fields the result of [#fields]
  static List<CsvColumn> of(List<Field> fields, List<ColumnType> types, CsvOptions options) {
    List<CsvColumn> columns = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.get(i);
      ColumnType type = types.get(i);
      boolean inferred = !options.types().containsKey(field.name());
      columns.add(
          switch (type.kind()) {
            case TEXT, BINARY -> new BytesColumn(field, i, options);
            case BOOLEAN -> new BooleanColumn(field, i, options, /* canonical= */ inferred);
            case PERCENT ->
                new ParsedColumn(field, i, options, () -> new PercentParser(options.point()));
            case GROUPED ->
                new ParsedColumn(
                    field,
                    i,
                    options,
                    () ->
                        new GroupedParser(
                            options.point(), parser(field, options, /* inferred= */ false)));
            default -> new ParsedColumn(field, i, options, () -> parser(field, options, inferred));
          });
    }
    return columns;
  }

  private static ValueParser parser(Field field, CsvOptions options, boolean inferred) {
    if (field.type() instanceof ArrowType.Date && options.dateFormat() == null) {
      return new WrittenDateParser(options.dateOrder());
    }
    if (field.type() instanceof ArrowType.Timestamp(TimeUnit unit, var zone)
        && zone == null
        && options.timestampFormat() == null) {
      return new WrittenTimestampParser(ValueParser.digits(unit), options.dateOrder());
    }
    if (field.type() instanceof ArrowType.Timestamp(TimeUnit unit, _) && options.table() != null) {
      // No cell has a time zone, but texts may.
      return TimestampParser.ofUtcByDefault(ValueParser.digits(unit));
    }
    TimeFormat format =
        field.type() instanceof ArrowType.Timestamp
            ? options.timestampFormat()
            : field.type() instanceof ArrowType.Date ? options.dateFormat() : null;
    return ValueParser.of(field.type(), options.point(), format, /* canonical= */ inferred);
  }
}
