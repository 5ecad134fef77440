package dev.quiver.golden;

import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.type.UnionMode;
import java.util.ArrayList;
import java.util.List;

/// The properties of a field that determine its layout and the meaning of its values: a type with
/// its relevant parameters, or the index type of a dictionary-encoded field.
///
/// @param name such as `decimal256`, `timestamp[us, tz]` or `dictionary<int8>`
record ArrayKind(String name) {

  @FunctionalInterface
  private interface FieldFactory {
    Field create(String name, boolean nullable, RandomData data);
  }

  private record Example(ArrayKind kind, FieldFactory factory) {}

  private static final int CHILD_DEPTH = 2;

  private static final List<Example> EXAMPLES = examples();

  /// All kinds.
  static final List<ArrayKind> ALL = EXAMPLES.stream().map(Example::kind).toList();

  /// Returns the kind of a field.
  static ArrayKind of(Field field) {
    if (field.dictionary() != null) {
      return new ArrayKind("dictionary<" + field.dictionary().indexType() + ">");
    }
    return new ArrayKind(
        switch (field.type()) {
          case ArrowType.Decimal(_, _, int bitWidth) -> "decimal" + bitWidth;
          case ArrowType.Timestamp(TimeUnit unit, String timezone) ->
              "timestamp[" + unit.symbol() + (timezone == null ? "]" : ", tz]");
          case ArrowType.FixedSizeBinary(int byteWidth) ->
              byteWidth == 0 ? "fixed_size_binary[0]" : "fixed_size_binary";
          case ArrowType.FixedSizeList(int listSize) ->
              listSize == 0 ? "fixed_size_list[0]" : "fixed_size_list";
          case ArrowType.Struct() ->
              field.children().isEmpty() ? "struct without children" : "struct";
          case ArrowType.Map _ -> "map";
          case ArrowType.Union(UnionMode mode, _) ->
              mode == UnionMode.SPARSE ? "sparse_union" : "dense_union";
          case ArrowType.RunEndEncoded() ->
              "run_end_encoded<" + field.children().getFirst().type() + ">";
          default -> field.type().toString();
        });
  }

  /// Returns a field of this kind, with children of any kind.
  Field field(String name, boolean nullable, RandomData data) {
    for (Example example : EXAMPLES) {
      if (example.kind.equals(this)) {
        return example.factory.create(name, nullable, data);
      }
    }
    throw new IllegalArgumentException(name());
  }

  private static List<Example> examples() {
    List<Example> examples = new ArrayList<>();
    List<ArrowType.Int> integers = new ArrayList<>();
    for (int bitWidth = 8; bitWidth <= 64; bitWidth <<= 1) {
      integers.add(new ArrowType.Int(bitWidth, true));
      integers.add(new ArrowType.Int(bitWidth, false));
    }
    List<ArrowType> types = new ArrayList<>(integers);
    types.add(new ArrowType.Null());
    types.add(new ArrowType.Bool());
    for (Precision precision : Precision.values()) {
      types.add(new ArrowType.FloatingPoint(precision));
    }
    for (int bitWidth = 32; bitWidth <= 256; bitWidth <<= 1) {
      types.add(new ArrowType.Decimal(7, 2, bitWidth));
    }
    for (DateUnit unit : DateUnit.values()) {
      types.add(new ArrowType.Date(unit));
    }
    for (TimeUnit unit : TimeUnit.values()) {
      types.add(new ArrowType.Time(unit, ArrowType.Time.bitWidthOf(unit)));
      types.add(new ArrowType.Timestamp(unit, null));
      types.add(new ArrowType.Timestamp(unit, "Asia/Kathmandu"));
      types.add(new ArrowType.Duration(unit));
    }
    for (IntervalUnit unit : IntervalUnit.values()) {
      types.add(new ArrowType.Interval(unit));
    }
    types.add(new ArrowType.FixedSizeBinary(0));
    types.add(new ArrowType.FixedSizeBinary(5));
    types.add(new ArrowType.Binary());
    types.add(new ArrowType.LargeBinary());
    types.add(new ArrowType.BinaryView());
    types.add(new ArrowType.Utf8());
    types.add(new ArrowType.LargeUtf8());
    types.add(new ArrowType.Utf8View());
    types.add(new ArrowType.List());
    types.add(new ArrowType.LargeList());
    types.add(new ArrowType.ListView());
    types.add(new ArrowType.LargeListView());
    types.add(new ArrowType.FixedSizeList(0));
    types.add(new ArrowType.FixedSizeList(3));
    types.add(new ArrowType.Map(false));
    types.add(new ArrowType.Union(UnionMode.SPARSE, List.of(7, 3)));
    types.add(new ArrowType.Union(UnionMode.DENSE, List.of(5, 7, 127)));
    for (ArrowType type : types) {
      add(examples, (name, nullable, data) -> data.plain(name, nullable, type, CHILD_DEPTH));
    }
    add(examples, (name, nullable, _) -> Field.of(name, nullable, new ArrowType.Struct()));
    add(
        examples,
        (name, nullable, data) ->
            Field.of(
                name,
                nullable,
                new ArrowType.Struct(),
                data.field("left", CHILD_DEPTH),
                data.field("right", CHILD_DEPTH)));
    for (int bitWidth = 16; bitWidth <= 64; bitWidth <<= 1) {
      Field runEnds = Field.of("run_ends", false, new ArrowType.Int(bitWidth, true));
      add(
          examples,
          (name, nullable, data) ->
              Field.of(
                  name,
                  nullable,
                  new ArrowType.RunEndEncoded(),
                  runEnds,
                  data.field("values", CHILD_DEPTH)));
    }
    for (ArrowType.Int indexType : integers) {
      add(
          examples,
          (name, nullable, data) -> data.dictionaryEncoded(name, nullable, indexType, CHILD_DEPTH));
    }
    return examples;
  }

  private static void add(List<Example> examples, FieldFactory factory) {
    examples.add(new Example(of(factory.create("", true, new RandomData(0))), factory));
  }

  @Override
  public String toString() {
    return name;
  }
}
