package dev.quiver.formats;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A type that the engine and Arrow share, and in which text can be read.
///
/// @param sql the engine's name
/// @param kind how its values are written
/// @param precision the digits of a decimal, or else 0
/// @param scale those after the point
public record ColumnType(String sql, Kind kind, int precision, int scale) {

  public enum Kind {
    TEXT,
    BOOLEAN,
    INTEGER,
    DECIMAL,
    FLOAT,
    DATE,
    TIME,
    TIMESTAMP,
    UUID,
    /// Bytes as base64.
    BINARY,
    /// A float whose values have 16 bits.
    HALF,
    /// A number with a percent sign, as a hundredth of it.
    PERCENT,
    /// A number whose digits may be in groups of thousands.
    GROUPED
  }

  static final String NAMES =
      "boolean, tinyint, smallint, integer, bigint, utinyint, usmallint, uinteger, ubigint, float,"
          + " double, decimal(p,s), varchar, date, time, timestamp, timestamp_ns, timestamptz, uuid";

  /// The names of types that only text as people write it has.
  static final String WRITTEN_NAMES = ", percent, grouped";

  public static final ColumnType VARCHAR = new ColumnType("VARCHAR", Kind.TEXT, 0, 0);
  public static final ColumnType BOOLEAN = new ColumnType("BOOLEAN", Kind.BOOLEAN, 0, 0);
  public static final ColumnType BIGINT = new ColumnType("BIGINT", Kind.INTEGER, 0, 0);
  public static final ColumnType DECIMAL_38 = new ColumnType("DECIMAL(38,0)", Kind.DECIMAL, 38, 0);
  public static final ColumnType DOUBLE = new ColumnType("DOUBLE", Kind.FLOAT, 0, 0);
  public static final ColumnType FLOAT = new ColumnType("FLOAT", Kind.FLOAT, 0, 0);
  public static final ColumnType HALF = new ColumnType("FLOAT", Kind.HALF, 0, 0);
  public static final ColumnType DATE = new ColumnType("DATE", Kind.DATE, 0, 0);
  public static final ColumnType TIME = new ColumnType("TIME", Kind.TIME, 0, 0);
  public static final ColumnType TIME_NS = new ColumnType("TIME_NS", Kind.TIME, 0, 0);
  public static final ColumnType TIMESTAMP = new ColumnType("TIMESTAMP", Kind.TIMESTAMP, 0, 0);
  public static final ColumnType TIMESTAMP_NS =
      new ColumnType("TIMESTAMP_NS", Kind.TIMESTAMP, 0, 0);
  public static final ColumnType TIMESTAMPTZ = new ColumnType("TIMESTAMPTZ", Kind.TIMESTAMP, 0, 0);

  public static final ColumnType TIMESTAMPTZ_NS =
      new ColumnType("TIMESTAMPTZ_NS", Kind.TIMESTAMP, 0, 0);
  public static final ColumnType UUID = new ColumnType("UUID", Kind.UUID, 0, 0);
  public static final ColumnType BINARY = new ColumnType("BLOB", Kind.BINARY, 0, 0);

  public static final ColumnType PERCENT = new ColumnType("DOUBLE", Kind.PERCENT, 0, 0);

  /// Whole numbers in groups.
  public static final ColumnType GROUPED = new ColumnType("BIGINT", Kind.GROUPED, 0, 0);

  /// Numbers in groups, some with a fraction.
  public static final ColumnType GROUPED_FRACTIONS = new ColumnType("DOUBLE", Kind.GROUPED, 0, 0);

  private static final Map<String, Kind> KINDS =
      Map.ofEntries(
          Map.entry("boolean", Kind.BOOLEAN),
          Map.entry("tinyint", Kind.INTEGER),
          Map.entry("smallint", Kind.INTEGER),
          Map.entry("integer", Kind.INTEGER),
          Map.entry("bigint", Kind.INTEGER),
          Map.entry("utinyint", Kind.INTEGER),
          Map.entry("usmallint", Kind.INTEGER),
          Map.entry("uinteger", Kind.INTEGER),
          Map.entry("ubigint", Kind.INTEGER),
          Map.entry("float", Kind.FLOAT),
          Map.entry("double", Kind.FLOAT),
          Map.entry("varchar", Kind.TEXT),
          Map.entry("date", Kind.DATE),
          Map.entry("time", Kind.TIME),
          Map.entry("timestamp", Kind.TIMESTAMP),
          Map.entry("timestamp_ns", Kind.TIMESTAMP),
          Map.entry("timestamptz", Kind.TIMESTAMP),
          Map.entry("uuid", Kind.UUID));

  /// Other names of these types: Arrow's, and common ones.
  private static final Map<String, String> OTHER_NAMES =
      Map.ofEntries(
          Map.entry("bool", "boolean"),
          Map.entry("int8", "tinyint"),
          Map.entry("int16", "smallint"),
          Map.entry("int", "integer"),
          Map.entry("int32", "integer"),
          Map.entry("int64", "bigint"),
          Map.entry("uint8", "utinyint"),
          Map.entry("uint16", "usmallint"),
          Map.entry("uint32", "uinteger"),
          Map.entry("uint64", "ubigint"),
          Map.entry("float32", "float"),
          Map.entry("float64", "double"),
          Map.entry("utf8", "varchar"),
          Map.entry("string", "varchar"),
          Map.entry("text", "varchar"),
          Map.entry("date32", "date"));

  private static final Pattern DECIMAL =
      Pattern.compile("decimal(?:128)?\\((\\d{1,2}), ?(\\d{1,2})\\)");
  private static final int PRECISION_MAXIMUM = 38;
  private static final int WIDE_PRECISION_MAXIMUM = 76;

  /// Returns the type of a name in any case, or null if unknown.
  static @Nullable ColumnType parse(String name) {
    String stated = name.strip().toLowerCase(Locale.ROOT);
    String lowerCase = OTHER_NAMES.getOrDefault(stated, stated);
    Kind kind = KINDS.get(lowerCase);
    if (kind != null) {
      return new ColumnType(lowerCase.toUpperCase(Locale.ROOT), kind, 0, 0);
    }
    Matcher decimal = DECIMAL.matcher(lowerCase);
    if (!decimal.matches()) {
      return null;
    }
    int precision = Integer.parseInt(decimal.group(1));
    int scale = Integer.parseInt(decimal.group(2));
    return decimal(precision, scale);
  }

  /// Returns the type of a name in any case, one of text as people write it included, or null if
  /// unknown.
  static @Nullable ColumnType parseWritten(String name) {
    return switch (name.strip().toLowerCase(Locale.ROOT)) {
      case "percent" -> PERCENT;
      case "grouped" -> GROUPED;
      default -> parse(name);
    };
  }

  /// Returns a type of decimals, or null if the engine has none of these digits.
  static @Nullable ColumnType decimal(int precision, int scale) {
    return precision > PRECISION_MAXIMUM ? null : wideDecimal(precision, scale);
  }

  /// Returns a type of decimals, or null if Arrow's widest decimals do not have these digits. The
  /// engine may lack the type.
  static @Nullable ColumnType wideDecimal(int precision, int scale) {
    return precision < 1 || precision > WIDE_PRECISION_MAXIMUM || scale < 0 || scale > precision
        ? null
        : new ColumnType(
            "DECIMAL(%d,%d)".formatted(precision, scale), Kind.DECIMAL, precision, scale);
  }

  /// Returns a type of integers.
  static ColumnType integer(int bitWidth, boolean signed) {
    String name =
        switch (bitWidth) {
          case Byte.SIZE -> "TINYINT";
          case Short.SIZE -> "SMALLINT";
          case Integer.SIZE -> "INTEGER";
          default -> "BIGINT";
        };
    return new ColumnType(signed ? name : "U" + name, Kind.INTEGER, 0, 0);
  }

  /// Returns the Arrow type of its values.
  public ArrowType arrow() {
    return switch (kind) {
      case TEXT -> new ArrowType.Utf8();
      case BOOLEAN -> new ArrowType.Bool();
      case INTEGER -> integer();
      case DECIMAL ->
          new ArrowType.Decimal(precision, scale, precision > PRECISION_MAXIMUM ? 256 : 128);
      case FLOAT ->
          new ArrowType.FloatingPoint(equals(FLOAT) ? Precision.SINGLE : Precision.DOUBLE);
      case HALF -> new ArrowType.FloatingPoint(Precision.HALF);
      case PERCENT -> new ArrowType.FloatingPoint(Precision.DOUBLE);
      case GROUPED ->
          equals(GROUPED)
              ? new ArrowType.Int(Long.SIZE, /* signed= */ true)
              : new ArrowType.FloatingPoint(Precision.DOUBLE);
      case DATE -> new ArrowType.Date(DateUnit.DAY);
      case TIME -> new ArrowType.Time(unit(), /* bitWidth= */ 64);
      case TIMESTAMP ->
          new ArrowType.Timestamp(
              unit(), equals(TIMESTAMPTZ) || equals(TIMESTAMPTZ_NS) ? "UTC" : null);
      case UUID -> new ArrowType.FixedSizeBinary(2 * Long.BYTES);
      case BINARY -> new ArrowType.Binary();
    };
  }

  /// Returns a nullable field of this type.
  public Field field(String name) {
    Field field = Field.of(name, /* nullable= */ true, arrow());
    return kind == Kind.UUID
        ? field.withMetadata(
            Metadata.of(new KeyValue(Field.EXTENSION_NAME, ByteString.of("arrow.uuid"))))
        : field;
  }

  private ArrowType.Int integer() {
    boolean signed = !sql.startsWith("U");
    return new ArrowType.Int(
        switch (signed ? sql : sql.substring(1)) {
          case "TINYINT" -> Byte.SIZE;
          case "SMALLINT" -> Short.SIZE;
          case "INTEGER" -> Integer.SIZE;
          default -> Long.SIZE;
        },
        signed);
  }

  private TimeUnit unit() {
    return sql.endsWith("_NS") ? TimeUnit.NANOSECOND : TimeUnit.MICROSECOND;
  }

  /// Returns whether only text as people write it has the type.
  public boolean isWritten() {
    return kind == Kind.PERCENT || kind == Kind.GROUPED;
  }

  /// Returns whether options can state the type by its name for people.
  public boolean isNamed() {
    return parseWritten(displayName()) != null;
  }

  /// Returns the name for people, as in options.
  public String displayName() {
    return switch (kind) {
      case BINARY -> "base64";
      case HALF -> "float16";
      case PERCENT -> "percent";
      case GROUPED -> "grouped";
      default -> sql.toLowerCase(Locale.ROOT);
    };
  }
}
