package dev.quiver.arrow.metadata;

import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.UnionMode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.FieldType;

/// A conversion of our fields to the equivalent ones of Arrow Java.
final class ArrowJavaTypes {

  private ArrowJavaTypes() {}

  static org.apache.arrow.vector.types.pojo.Schema schema(Schema schema) {
    return new org.apache.arrow.vector.types.pojo.Schema(
        schema.fields().stream().map(ArrowJavaTypes::field).toList(), metadata(schema.metadata()));
  }

  static Map<String, String> metadata(Metadata metadata) {
    Map<String, String> entries = new LinkedHashMap<>();
    metadata.entries().forEach(entry -> entries.put(entry.key(), entry.value().toString()));
    return entries;
  }

  private static org.apache.arrow.vector.types.pojo.Field field(Field field) {
    DictionaryEncoding dictionary =
        field.dictionary() == null
            ? null
            : new DictionaryEncoding(
                field.dictionary().id(),
                field.dictionary().ordered(),
                (ArrowType.Int) type(field.dictionary().indexType()));
    return new org.apache.arrow.vector.types.pojo.Field(
        field.name(),
        new FieldType(field.nullable(), type(field.type()), dictionary, metadata(field.metadata())),
        field.children().stream().map(ArrowJavaTypes::field).toList());
  }

  private static ArrowType type(dev.quiver.arrow.type.ArrowType type) {
    return switch (type) {
      case dev.quiver.arrow.type.ArrowType.Null() -> new ArrowType.Null();
      case dev.quiver.arrow.type.ArrowType.Int(int bitWidth, boolean signed) ->
          new ArrowType.Int(bitWidth, signed);
      case dev.quiver.arrow.type.ArrowType.FloatingPoint(var precision) ->
          new ArrowType.FloatingPoint(FloatingPointPrecision.valueOf(precision.name()));
      case dev.quiver.arrow.type.ArrowType.Binary() -> new ArrowType.Binary();
      case dev.quiver.arrow.type.ArrowType.Utf8() -> new ArrowType.Utf8();
      case dev.quiver.arrow.type.ArrowType.Bool() -> new ArrowType.Bool();
      case dev.quiver.arrow.type.ArrowType.Decimal(int precision, int scale, int bitWidth) ->
          new ArrowType.Decimal(precision, scale, bitWidth);
      case dev.quiver.arrow.type.ArrowType.Date(var unit) ->
          new ArrowType.Date(DateUnit.valueOf(unit.name()));
      case dev.quiver.arrow.type.ArrowType.Time(var unit, int bitWidth) ->
          new ArrowType.Time(TimeUnit.valueOf(unit.name()), bitWidth);
      case dev.quiver.arrow.type.ArrowType.Timestamp(var unit, var timezone) ->
          new ArrowType.Timestamp(TimeUnit.valueOf(unit.name()), timezone);
      case dev.quiver.arrow.type.ArrowType.Interval(var unit) ->
          new ArrowType.Interval(IntervalUnit.valueOf(unit.name()));
      case dev.quiver.arrow.type.ArrowType.List() -> new ArrowType.List();
      case dev.quiver.arrow.type.ArrowType.Struct() -> new ArrowType.Struct();
      case dev.quiver.arrow.type.ArrowType.Union(var mode, var typeIds) ->
          new ArrowType.Union(
              mode == dev.quiver.arrow.type.UnionMode.SPARSE ? UnionMode.Sparse : UnionMode.Dense,
              typeIds.stream().mapToInt(Integer::intValue).toArray());
      case dev.quiver.arrow.type.ArrowType.FixedSizeBinary(int byteWidth) ->
          new ArrowType.FixedSizeBinary(byteWidth);
      case dev.quiver.arrow.type.ArrowType.FixedSizeList(int listSize) ->
          new ArrowType.FixedSizeList(listSize);
      case dev.quiver.arrow.type.ArrowType.Map(boolean keysSorted) -> new ArrowType.Map(keysSorted);
      case dev.quiver.arrow.type.ArrowType.Duration(var unit) ->
          new ArrowType.Duration(TimeUnit.valueOf(unit.name()));
      case dev.quiver.arrow.type.ArrowType.LargeBinary() -> new ArrowType.LargeBinary();
      case dev.quiver.arrow.type.ArrowType.LargeUtf8() -> new ArrowType.LargeUtf8();
      case dev.quiver.arrow.type.ArrowType.LargeList() -> new ArrowType.LargeList();
      case dev.quiver.arrow.type.ArrowType.RunEndEncoded() -> new ArrowType.RunEndEncoded();
      case dev.quiver.arrow.type.ArrowType.BinaryView() -> new ArrowType.BinaryView();
      case dev.quiver.arrow.type.ArrowType.Utf8View() -> new ArrowType.Utf8View();
      case dev.quiver.arrow.type.ArrowType.ListView() -> new ArrowType.ListView();
      case dev.quiver.arrow.type.ArrowType.LargeListView() -> new ArrowType.LargeListView();
    };
  }
}
