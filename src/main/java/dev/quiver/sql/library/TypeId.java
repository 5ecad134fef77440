package dev.quiver.sql.library;

/// The types of DuckDB by their number.
public enum TypeId {
  INVALID,
  BOOLEAN,
  TINYINT,
  SMALLINT,
  INTEGER,
  BIGINT,
  UTINYINT,
  USMALLINT,
  UINTEGER,
  UBIGINT,
  FLOAT,
  DOUBLE,
  TIMESTAMP,
  DATE,
  TIME,
  INTERVAL,
  HUGEINT,
  VARCHAR,
  BLOB,
  DECIMAL,
  TIMESTAMP_S,
  TIMESTAMP_MS,
  TIMESTAMP_NS,
  ENUM,
  LIST,
  STRUCT,
  MAP,
  UUID,
  UNION,
  BIT,
  TIME_TZ,
  TIMESTAMP_TZ,
  UHUGEINT,
  ARRAY,
  ANY,
  BIGNUM,
  NULL,
  STRING_LITERAL,
  INTEGER_LITERAL,
  TIME_NS,
  GEOMETRY,
  VARIANT,
  TIMESTAMP_TZ_NS;

  private static final TypeId[] ALL = values();

  /// Returns the type with this number, or `INVALID` if the number is unknown.
  public static TypeId of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : INVALID;
  }

  public int number() {
    return ordinal();
  }
}
