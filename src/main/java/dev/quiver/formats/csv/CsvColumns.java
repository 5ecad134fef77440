package dev.quiver.formats.csv;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.formats.ColumnType;
import dev.quiver.formats.value.DateParser;
import dev.quiver.formats.value.DecimalParser;
import dev.quiver.formats.value.FloatParser;
import dev.quiver.formats.value.IntegerParser;
import dev.quiver.formats.value.TimeFormat;
import dev.quiver.formats.value.TimeParser;
import dev.quiver.formats.value.TimestampParser;
import dev.quiver.formats.value.UuidParser;
import dev.quiver.formats.value.ValueParser;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/// The columns of a file by their types.
final class CsvColumns {

  private static final int MICROSECOND_DIGITS = 6;
  private static final int NANOSECOND_DIGITS = 9;

  private CsvColumns() {}

  static List<Field> fields(List<String> names, List<ColumnType> types) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      fields.add(field(names.get(i), types.get(i)));
    }
    return fields;
  }

  /// Returns the columns as if all were text.
  static List<CsvColumn> texts(List<String> names, CsvOptions options) {
    List<ColumnType> types = Collections.nCopies(names.size(), ColumnType.VARCHAR);
    return of(fields(names, types), types, options);
  }

  private static Field field(String name, ColumnType type) {
    Field field = Field.of(name, /* nullable= */ true, type.arrow());
    return type.kind() == ColumnType.Kind.UUID
        ? field.withMetadata(
            Metadata.of(new KeyValue(Field.EXTENSION_NAME, ByteString.of("arrow.uuid"))))
        : field;
  }

  /// Returns the columns.
  ///
  /// @param fields the result of [#fields]
  static List<CsvColumn> of(List<Field> fields, List<ColumnType> types, CsvOptions options) {
    List<CsvColumn> columns = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.get(i);
      boolean inferred = !options.types().containsKey(field.name());
      columns.add(
          switch (types.get(i).kind()) {
            case TEXT, BINARY -> new BytesColumn(field, i, options);
            case BOOLEAN -> new BooleanColumn(field, i, options, /* canonical= */ inferred);
            default ->
                new ParsedColumn(field, i, options, parsers(field.type(), options, inferred));
          });
    }
    return columns;
  }

  private static Supplier<ValueParser> parsers(
      ArrowType type, CsvOptions options, boolean inferred) {
    return switch (type) {
      case ArrowType.Int(int bitWidth, boolean signed) ->
          () -> new IntegerParser(bitWidth, signed, /* canonical= */ inferred);
      case ArrowType.FloatingPoint(Precision precision) ->
          () -> new FloatParser(precision, options.point(), /* canonical= */ inferred);
      case ArrowType.Decimal(int precision, int scale, _) ->
          () -> new DecimalParser(precision, scale, options.point());
      case ArrowType.Time(TimeUnit unit, _) -> () -> new TimeParser(digits(unit));
      case ArrowType.Timestamp(TimeUnit unit, var zone) -> timestamps(unit, zone != null, options);
      case ArrowType.FixedSizeBinary _ -> UuidParser::new;
      default -> {
        TimeFormat format = options.dateFormat();
        yield format == null ? DateParser::new : format::dates;
      }
    };
  }

  private static Supplier<ValueParser> timestamps(
      TimeUnit unit, boolean zoned, CsvOptions options) {
    TimeFormat format = options.timestampFormat();
    return format == null
        ? () -> new TimestampParser(digits(unit), zoned)
        : () -> format.timestamps(digits(unit), zoned);
  }

  private static int digits(TimeUnit unit) {
    return unit == TimeUnit.NANOSECOND ? NANOSECOND_DIGITS : MICROSECOND_DIGITS;
  }
}
