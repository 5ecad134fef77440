package dev.quiver.formats.parquet.file;

import dev.quiver.formats.parquet.file.LogicalType.Unit;
import org.jspecify.annotations.Nullable;

/// A reader of the logical type of a schema element: the union `LogicalType`, or in older files the
/// enumeration `ConvertedType`.
final class LogicalTypeReader {

  private LogicalType type = new LogicalType.None();

  private LogicalTypeReader() {}

  /// Reads the union `LogicalType`. An unknown member is [LogicalType.None].
  static LogicalType read(CompactReader.Value value) {
    LogicalTypeReader reader = new LogicalTypeReader();
    value.struct(reader::member);
    return reader.type;
  }

  private void member(int id, CompactReader.Value value) {
    switch (id) {
      case 1, 4 -> type = new LogicalType.Text();
      case 2 -> type = new LogicalType.Map();
      case 3 -> type = new LogicalType.List();
      case 5 -> type = new DecimalFields().read(value);
      case 6 -> type = new LogicalType.Date();
      case 7 -> type = new LogicalType.Time(new TimeFields().read(value).unit());
      case 8 -> type = new TimeFields().read(value);
      case 10 -> type = new IntFields().read(value);
      case 12 -> type = new LogicalType.Json();
      case 13 -> type = new LogicalType.Bson();
      case 14 -> type = new LogicalType.Uuid();
      case 15 -> type = new LogicalType.Float16();
      case 16 -> type = new LogicalType.Variant();
      case 17 -> type = new LogicalType.Geometry(new ShapeFields().read(value).crs);
      case 18 -> type = new LogicalType.Geography(new ShapeFields().read(value).crs);
      default -> {}
    }
  }

  private static final class DecimalFields {

    private int scale;
    private int precision;

    LogicalType.Decimal read(CompactReader.Value value) {
      value.struct(this::field);
      return new LogicalType.Decimal(precision, scale);
    }

    private void field(int id, CompactReader.Value value) {
      switch (id) {
        case 1 -> scale = value.int32();
        case 2 -> precision = value.int32();
        default -> {}
      }
    }
  }

  /// The fields of a time or a timestamp, which are the same.
  private static final class TimeFields {

    private boolean isUtc;
    private @Nullable Unit unit;

    LogicalType.Timestamp read(CompactReader.Value value) {
      value.struct(this::field);
      if (unit == null) {
        throw ParquetErrors.damaged("a known unit of each time");
      }
      return new LogicalType.Timestamp(unit, isUtc);
    }

    private void field(int id, CompactReader.Value value) {
      switch (id) {
        case 1 -> isUtc = value.bool();
        case 2 -> value.struct((member, _) -> unit = unit(member));
        default -> {}
      }
    }

    private static @Nullable Unit unit(int member) {
      return switch (member) {
        case 1 -> Unit.MILLISECONDS;
        case 2 -> Unit.MICROSECONDS;
        case 3 -> Unit.NANOSECONDS;
        default -> null;
      };
    }
  }

  /// The fields of a geometry or a geography.
  private static final class ShapeFields {

    private @Nullable String crs;

    ShapeFields read(CompactReader.Value value) {
      value.struct(this::field);
      return this;
    }

    private void field(int id, CompactReader.Value value) {
      if (id == 1) {
        crs = value.text();
      }
    }
  }

  private static final class IntFields {

    private int bitWidth;
    private boolean signed;

    LogicalType.Int read(CompactReader.Value value) {
      value.struct(this::field);
      return new LogicalType.Int(bitWidth, signed);
    }

    private void field(int id, CompactReader.Value value) {
      switch (id) {
        case 1 -> bitWidth = value.int8();
        case 2 -> signed = value.bool();
        default -> {}
      }
    }
  }

  /// Returns the logical type for a number of `ConvertedType`, [LogicalType.None] if unknown.
  ///
  /// @param precision the precision of the schema element, for decimals
  /// @param scale the scale of the schema element, for decimals
  static LogicalType converted(int number, int precision, int scale) {
    return switch (number) {
      case 0, 4 -> new LogicalType.Text();
      case 1, 2 -> new LogicalType.Map();
      case 3 -> new LogicalType.List();
      case 5 -> new LogicalType.Decimal(precision, scale);
      case 6 -> new LogicalType.Date();
      case 7 -> new LogicalType.Time(Unit.MILLISECONDS);
      case 8 -> new LogicalType.Time(Unit.MICROSECONDS);
      case 9 -> new LogicalType.Timestamp(Unit.MILLISECONDS, /* isUtc= */ true);
      case 10 -> new LogicalType.Timestamp(Unit.MICROSECONDS, /* isUtc= */ true);
      case 11, 12, 13, 14 -> new LogicalType.Int(Byte.SIZE << number - 11, /* signed= */ false);
      case 15, 16, 17, 18 -> new LogicalType.Int(Byte.SIZE << number - 15, /* signed= */ true);
      case 19 -> new LogicalType.Json();
      case 20 -> new LogicalType.Bson();
      case 21 -> new LogicalType.Interval();
      default -> new LogicalType.None();
    };
  }
}
