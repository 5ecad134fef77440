package dev.quiver.arrow.metadata;

import dev.quiver.arrow.metadata.MessageHeader.SchemaHeader;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.type.UnionMode;
import java.util.ArrayList;
import java.util.List;

/// Fields of every type, with all values of every parameter that has few.
final class Samples {

  static final ArrowType.Int INT32 = new ArrowType.Int(32, true);

  private Samples() {}

  static List<Field> fields() {
    List<Field> fields = new ArrayList<>();
    leafTypes().forEach(type -> fields.add(Field.of(type.toString(), true, type)));
    fields.addAll(nested());
    fields.addAll(dictionaries());
    fields.add(Field.of("", false, new ArrowType.Bool()));
    fields.add(
        Field.of("größe 𝄞", true, INT32)
            .withMetadata(
                Metadata.of(KeyValue.of("k", "1"), KeyValue.of("k", "2"), KeyValue.of("", ""))));
    return fields;
  }

  static Message schemaMessage(Field... fields) {
    return new Message(MetadataVersion.V5, new SchemaHeader(Schema.of(fields)), 0, Metadata.EMPTY);
  }

  private static List<ArrowType> leafTypes() {
    List<ArrowType> types = new ArrayList<>();
    types.add(new ArrowType.Null());
    for (int bitWidth : new int[] {8, 16, 32, 64}) {
      types.add(new ArrowType.Int(bitWidth, true));
      types.add(new ArrowType.Int(bitWidth, false));
    }
    for (Precision precision : Precision.values()) {
      types.add(new ArrowType.FloatingPoint(precision));
    }
    types.add(new ArrowType.Binary());
    types.add(new ArrowType.Utf8());
    types.add(new ArrowType.Bool());
    types.add(new ArrowType.Decimal(9, 2, 32));
    types.add(new ArrowType.Decimal(18, -3, 64));
    types.add(new ArrowType.Decimal(38, 10, 128));
    types.add(new ArrowType.Decimal(76, 40, 256));
    for (DateUnit unit : DateUnit.values()) {
      types.add(new ArrowType.Date(unit));
    }
    for (TimeUnit unit : TimeUnit.values()) {
      types.add(new ArrowType.Time(unit, ArrowType.Time.bitWidthOf(unit)));
      types.add(new ArrowType.Timestamp(unit, null));
      types.add(new ArrowType.Timestamp(unit, "Europe/Zurich"));
      types.add(new ArrowType.Duration(unit));
    }
    for (IntervalUnit unit : IntervalUnit.values()) {
      types.add(new ArrowType.Interval(unit));
    }
    types.add(new ArrowType.FixedSizeBinary(0));
    types.add(new ArrowType.FixedSizeBinary(19));
    types.add(new ArrowType.LargeBinary());
    types.add(new ArrowType.LargeUtf8());
    types.add(new ArrowType.BinaryView());
    types.add(new ArrowType.Utf8View());
    return types;
  }

  private static List<Field> nested() {
    Field item = Field.of("item", false, INT32);
    Field text = Field.of("text", true, new ArrowType.Utf8());
    Field entries =
        Field.of(
            "entries",
            false,
            new ArrowType.Struct(),
            Field.of("key", false, new ArrowType.Utf8()),
            Field.of("value", true, INT32));
    return List.of(
        Field.of("list", true, new ArrowType.List(), item),
        Field.of("large_list", true, new ArrowType.LargeList(), item),
        Field.of("list_view", true, new ArrowType.ListView(), item),
        Field.of("large_list_view", true, new ArrowType.LargeListView(), item),
        Field.of("fixed_size_list", true, new ArrowType.FixedSizeList(3), item),
        Field.of("fixed_size_list_0", true, new ArrowType.FixedSizeList(0), item),
        Field.of("struct", true, new ArrowType.Struct(), item, text),
        Field.of("empty_struct", true, new ArrowType.Struct()),
        Field.of("map", true, new ArrowType.Map(false), entries),
        Field.of("sorted_map", true, new ArrowType.Map(true), entries),
        Field.of(
            "sparse", false, new ArrowType.Union(UnionMode.SPARSE, List.of(5, 127)), item, text),
        Field.of("dense", false, new ArrowType.Union(UnionMode.DENSE, List.of(1, 0)), item, text),
        Field.of(
            "run_end_encoded",
            false,
            new ArrowType.RunEndEncoded(),
            Field.of("run_ends", false, new ArrowType.Int(16, true)),
            Field.of("values", true, new ArrowType.List(), item)));
  }

  private static List<Field> dictionaries() {
    Field inner =
        Field.of("item", true, new ArrowType.Utf8())
            .withDictionary(new DictionaryEncoding(-7, new ArrowType.Int(8, true), false));
    return List.of(
        Field.of("color", true, new ArrowType.Utf8())
            .withDictionary(new DictionaryEncoding(3, INT32, true)),
        Field.of("other color", false, new ArrowType.Utf8())
            .withDictionary(new DictionaryEncoding(3, new ArrowType.Int(64, false), false)),
        Field.of("dictionary in dictionary", true, new ArrowType.List(), inner)
            .withDictionary(
                new DictionaryEncoding(Long.MAX_VALUE, new ArrowType.Int(16, false), false)));
  }
}
