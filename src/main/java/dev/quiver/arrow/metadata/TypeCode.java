package dev.quiver.arrow.metadata;

import dev.quiver.arrow.type.ArrowType;

/// The members of the union `Type` of Schema.fbs; the ordinal is the code.
enum TypeCode {
  NONE,
  NULL,
  INT,
  FLOATING_POINT,
  BINARY,
  UTF8,
  BOOL,
  DECIMAL,
  DATE,
  TIME,
  TIMESTAMP,
  INTERVAL,
  LIST,
  STRUCT,
  UNION,
  FIXED_SIZE_BINARY,
  FIXED_SIZE_LIST,
  MAP,
  DURATION,
  LARGE_BINARY,
  LARGE_UTF8,
  LARGE_LIST,
  RUN_END_ENCODED,
  BINARY_VIEW,
  UTF8_VIEW,
  LIST_VIEW,
  LARGE_LIST_VIEW;

  static TypeCode of(ArrowType type) {
    return switch (type) {
      case ArrowType.Null() -> NULL;
      case ArrowType.Int _ -> INT;
      case ArrowType.FloatingPoint _ -> FLOATING_POINT;
      case ArrowType.Binary() -> BINARY;
      case ArrowType.Utf8() -> UTF8;
      case ArrowType.Bool() -> BOOL;
      case ArrowType.Decimal _ -> DECIMAL;
      case ArrowType.Date _ -> DATE;
      case ArrowType.Time _ -> TIME;
      case ArrowType.Timestamp _ -> TIMESTAMP;
      case ArrowType.Interval _ -> INTERVAL;
      case ArrowType.List() -> LIST;
      case ArrowType.Struct() -> STRUCT;
      case ArrowType.Union _ -> UNION;
      case ArrowType.FixedSizeBinary _ -> FIXED_SIZE_BINARY;
      case ArrowType.FixedSizeList _ -> FIXED_SIZE_LIST;
      case ArrowType.Map _ -> MAP;
      case ArrowType.Duration _ -> DURATION;
      case ArrowType.LargeBinary() -> LARGE_BINARY;
      case ArrowType.LargeUtf8() -> LARGE_UTF8;
      case ArrowType.LargeList() -> LARGE_LIST;
      case ArrowType.RunEndEncoded() -> RUN_END_ENCODED;
      case ArrowType.BinaryView() -> BINARY_VIEW;
      case ArrowType.Utf8View() -> UTF8_VIEW;
      case ArrowType.ListView() -> LIST_VIEW;
      case ArrowType.LargeListView() -> LARGE_LIST_VIEW;
    };
  }
}
