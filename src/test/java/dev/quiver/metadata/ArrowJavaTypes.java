package dev.quiver.metadata;

import dev.quiver.columnar.Field;
import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.Schema;
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

  private static ArrowType type(dev.quiver.columnar.ArrowType type) {
    return switch (type) {
      case dev.quiver.columnar.ArrowType.Null() -> new ArrowType.Null();
      case dev.quiver.columnar.ArrowType.Int(int bitWidth, boolean signed) ->
          new ArrowType.Int(bitWidth, signed);
      case dev.quiver.columnar.ArrowType.FloatingPoint(var precision) ->
          new ArrowType.FloatingPoint(FloatingPointPrecision.valueOf(precision.name()));
      case dev.quiver.columnar.ArrowType.Binary() -> new ArrowType.Binary();
      case dev.quiver.columnar.ArrowType.Utf8() -> new ArrowType.Utf8();
      case dev.quiver.columnar.ArrowType.Bool() -> new ArrowType.Bool();
      case dev.quiver.columnar.ArrowType.Decimal(int precision, int scale, int bitWidth) ->
          new ArrowType.Decimal(precision, scale, bitWidth);
      case dev.quiver.columnar.ArrowType.Date(var unit) ->
          new ArrowType.Date(DateUnit.valueOf(unit.name()));
      case dev.quiver.columnar.ArrowType.Time(var unit, int bitWidth) ->
          new ArrowType.Time(TimeUnit.valueOf(unit.name()), bitWidth);
      case dev.quiver.columnar.ArrowType.Timestamp(var unit, var timezone) ->
          new ArrowType.Timestamp(TimeUnit.valueOf(unit.name()), timezone);
      case dev.quiver.columnar.ArrowType.Interval(var unit) ->
          new ArrowType.Interval(IntervalUnit.valueOf(unit.name()));
      case dev.quiver.columnar.ArrowType.List() -> new ArrowType.List();
      case dev.quiver.columnar.ArrowType.Struct() -> new ArrowType.Struct();
      case dev.quiver.columnar.ArrowType.Union(var mode, var typeIds) ->
          new ArrowType.Union(
              mode == dev.quiver.columnar.UnionMode.SPARSE ? UnionMode.Sparse : UnionMode.Dense,
              typeIds.stream().mapToInt(Integer::intValue).toArray());
      case dev.quiver.columnar.ArrowType.FixedSizeBinary(int byteWidth) ->
          new ArrowType.FixedSizeBinary(byteWidth);
      case dev.quiver.columnar.ArrowType.FixedSizeList(int listSize) ->
          new ArrowType.FixedSizeList(listSize);
      case dev.quiver.columnar.ArrowType.Map(boolean keysSorted) -> new ArrowType.Map(keysSorted);
      case dev.quiver.columnar.ArrowType.Duration(var unit) ->
          new ArrowType.Duration(TimeUnit.valueOf(unit.name()));
      case dev.quiver.columnar.ArrowType.LargeBinary() -> new ArrowType.LargeBinary();
      case dev.quiver.columnar.ArrowType.LargeUtf8() -> new ArrowType.LargeUtf8();
      case dev.quiver.columnar.ArrowType.LargeList() -> new ArrowType.LargeList();
      case dev.quiver.columnar.ArrowType.RunEndEncoded() -> new ArrowType.RunEndEncoded();
      case dev.quiver.columnar.ArrowType.BinaryView() -> new ArrowType.BinaryView();
      case dev.quiver.columnar.ArrowType.Utf8View() -> new ArrowType.Utf8View();
      case dev.quiver.columnar.ArrowType.ListView() -> new ArrowType.ListView();
      case dev.quiver.columnar.ArrowType.LargeListView() -> new ArrowType.LargeListView();
    };
  }
}
