package dev.quiver.arrow.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.type.UnionMode;
import dev.quiver.arrow.validate.Level;
import dev.quiver.arrow.validate.Validator;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The fields that each list of columns selects, or its error, and the values and buffers of
/// selected columns.
class ProjectionTest {

  private static final ArrowType UTF8 = new ArrowType.Utf8();
  private static final ArrowType INT32 = new ArrowType.Int(32, true);
  private static final ArrowType STRUCT = new ArrowType.Struct();

  private static final Field POINT =
      Field.of("p", true, STRUCT, Field.of("x", true, INT32), Field.of("y", true, UTF8));

  private static final Schema SCHEMA =
      Schema.of(
              Field.of("a", true, INT32),
              Field.of("b", true, STRUCT, Field.of("c", true, UTF8), renamed(POINT, "d")),
              Field.of("b.c", true, INT32),
              Field.of("l", true, new ArrowType.List(), renamed(POINT, "item")),
              Field.of(
                  "f",
                  true,
                  new ArrowType.FixedSizeList(2),
                  Field.of("item", true, new ArrowType.LargeListView(), renamed(POINT, "item"))),
              Field.of(
                  "m",
                  true,
                  new ArrowType.Map(false),
                  Field.of(
                      "entries",
                      false,
                      STRUCT,
                      Field.of("key", false, UTF8),
                      Field.of("value", true, INT32))),
              Field.of("e", true, STRUCT, Field.of("x", true, UTF8))
                  .withDictionary(new DictionaryEncoding(1, new ArrowType.Int(8, true), false)),
              Field.of(
                  "r",
                  true,
                  new ArrowType.RunEndEncoded(),
                  Field.of("run_ends", false, INT32),
                  renamed(POINT, "values")),
              Field.of("u", true, new ArrowType.Union(UnionMode.DENSE, List.of(0)), POINT),
              Field.of("t", true, UTF8),
              Field.of("t", true, INT32),
              Field.of(
                  "s",
                  true,
                  STRUCT,
                  Field.of("x,y", true, INT32),
                  Field.of("q", true, INT32),
                  Field.of("q", true, UTF8),
                  Field.of("say \"x\"", true, INT32),
                  Field.of("[0]", true, INT32),
                  Field.of("", true, INT32)),
              Field.of("\"z\"", true, INT32),
              Field.of("größe", true, INT32))
          .withMetadata(Metadata.of(KeyValue.of("key", "value")));

  @Test
  void keepsColumnsWithDictionaries() {
    Field encoded =
        Field.of("e", true, UTF8)
            .withDictionary(new DictionaryEncoding(1, new ArrowType.Int(8, true), false));
    Schema schema =
        Schema.of(
            Field.of("a", true, INT32),
            encoded,
            Field.of("s", true, STRUCT, encoded, Field.of("x", true, INT32)),
            Field.of("l", true, new ArrowType.List(), encoded));
    Projection all = Projection.all(schema);
    assertThat(all.keepsAll()).isTrue();
    assertThat(all.withDictionaries().positions()).isEqualTo("1.2.3");
    assertThat(all.withDictionaries().schema().fields()).isEqualTo(schema.fields().subList(1, 4));
    Projection some = Projection.of(schema, List.of("l,a,s.x"));
    assertThat(some.withDictionaries().positions()).isEqualTo("3");
    assertThat(Projection.of(schema, List.of("s.e")).withDictionaries().positions())
        .isEqualTo("2(0)");
    assertThat(Projection.of(schema, List.of("a")).withDictionaries().schema().fields()).isEmpty();
  }

  private static Field renamed(Field field, String name) {
    return Field.of(name, true, field.type(), field.children().toArray(Field[]::new));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "a | a: int32",
        "größe,a | größe: int32; a: int32",
        "a,b,a | a: int32; b: struct<c: utf8, d: struct<x: int32, y: utf8>>",
        // The full name of a column takes precedence over a path.
        "b.c | b.c: int32",
        "\"b\".c | b: struct<c: utf8>",
        "b.\"c\" | b: struct<c: utf8>",
        "\"b.c\" | b.c: int32",
        "b.d.y | b: struct<d: struct<y: utf8>>",
        // Paths below one parent are merged, in the requested order.
        "b.d.y,a,b.\"c\" | b: struct<d: struct<y: utf8>, c: utf8>; a: int32",
        "b.d.y,b.d.x | b: struct<d: struct<y: utf8, x: int32>>",
        "b.d.y,b.d | b: struct<d: struct<x: int32, y: utf8>>",
        "b.d,b.d.y | b: struct<d: struct<x: int32, y: utf8>>",
        "b.d.x,a,b | b: struct<c: utf8, d: struct<x: int32, y: utf8>>; a: int32",
        // Paths through lists.
        "l.y | l: list<item: struct<y: utf8>>",
        "f.x | f: fixed_size_list[2]<item: large_list_view<item: struct<x: int32>>>",
        "l | l: list<item: struct<x: int32, y: utf8>>",
        // Types that are selected only as a whole.
        "m | m: map<entries: struct<key: utf8 not null, value: int32> not null>",
        "e | e: dictionary<int8, struct<x: utf8>>",
        "r | r: run_end_encoded<run_ends: int32 not null, values: struct<x: int32, y: utf8>>",
        "u | u: dense_union<p: struct<x: int32, y: utf8>>",
        // Positions and quotes.
        "[0] | a: int32",
        "[10],[9] | t: int32; t: utf8",
        "[1].[1].[0] | b: struct<d: struct<x: int32>>",
        "s.\"x,y\",a | s: struct<x,y: int32>; a: int32",
        "s.[2],s.[1] | s: struct<q: utf8, q: int32>",
        "s.\"say \"\"x\"\"\" | s: struct<say \"x\": int32>",
        "s.say \"x\" | s: struct<say \"x\": int32>",
        "s.\"[0]\" | s: struct<[0]: int32>",
        "s.\"\" | s: struct<: int32>",
        "\"z\" | \"z\": int32",
        "\"\"\"z\"\"\" | \"z\": int32"
      })
  void selectsColumnsAndNestedFields(String list, String fields) {
    Schema projected = Projection.of(SCHEMA, List.of(list)).schema();
    assertThat(String.join("; ", projected.fields().stream().map(Field::toString).toList()))
        .isEqualTo(fields);
    assertThat(projected.metadata()).isEqualTo(SCHEMA.metadata());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "x | Expected one field named \"x\" but found none at columns \"x\"",
        "A | Expected one field named \"A\" but found none at columns \"A\": the nearest is \"a\"",
        "t | Expected one field named \"t\" but found [9] and [10] at columns \"t\"",
        "s.q | Expected one field named \"q\" but found [1] and [2] at columns \"s.q\"",
        "a,b.x | Expected one field named \"x\" but found none at columns \"b.x\"",
        "l.item | Expected one field named \"item\" but found none at columns \"l.item\"",
        "[14] | Expected a position less than 14 but found [14] at columns \"[14]\"",
        "[-1] | Expected one field named \"[-1]\" but found none at columns \"[-1]\"",
        "a.b | Expected a path through structs and lists but found a: int32 at columns \"a.b\"",
        "m.key | Expected a path through structs and lists but found m: map<entries:"
            + " struct<key: utf8 not null, value: int32> not null> at columns \"m.key\"",
        "e.x | Expected a path through structs and lists but found e:"
            + " dictionary<int8, struct<x: utf8>> at columns \"e.x\"",
        "u.p | Expected a path through structs and lists but found u:"
            + " dense_union<p: struct<x: int32, y: utf8>> at columns \"u.p\"",
        "r.values | Expected a path through structs and lists but found r: run_end_encoded<"
            + "run_ends: int32 not null, values: struct<x: int32, y: utf8>> at columns"
            + " \"r.values\"",
        // Quotes within a name are part of it.
        "x\"y,a | Expected one field named \"x\"y\" but found none at columns \"x\"y\"",
        "a, | Expected a name but found none at columns \"\"",
        "b..c | Expected a name but found none at columns \"b..c\"",
        "b. | Expected a name but found none at columns \"b.\"",
        "\"b | Expected a quote after \"b but found none at columns \"\"b\"",
        "\"b\"c | Expected a dot after \"b\" but found \"c\" at columns \"\"b\"c\""
      })
  void rejectsInvalidColumns(String list, String message) {
    assertThatThrownBy(() -> Projection.of(SCHEMA, List.of(list)))
        .isInstanceOf(InvalidColumnsException.class)
        .hasMessage(message);
  }

  @Test
  void errorForAColumnHasExcerptsOfLongTexts() {
    Schema wide =
        Schema.of(Field.of("u", true, new ArrowType.Timestamp(TimeUnit.SECOND, "z".repeat(1000))));
    String token = "u." + "x".repeat(1000);
    assertThatThrownBy(() -> Projection.of(wide, List.of(token)))
        .isInstanceOf(InvalidColumnsException.class)
        .hasMessage(
            "Expected a path through structs and lists but found "
                + wide.fields().getFirst().toString().substring(0, 100)
                + "… at columns \"u."
                + "x".repeat(98)
                + "…\"");
  }

  @Test
  void mergesSeveralListsOfColumns() {
    assertThat(Projection.of(SCHEMA, List.of("a", "b.d.y,a", "b.d.x")).schema().fields())
        .hasToString("[a: int32, b: struct<d: struct<y: utf8, x: int32>>]");
  }

  @Test
  void keepsAnExtensionOnlyOnAWholeField() {
    Metadata metadata =
        Metadata.of(
            KeyValue.of("ARROW:extension:name", "point"),
            KeyValue.of("ARROW:extension:metadata", ""),
            KeyValue.of("unit", "metre"));
    Schema schema = Schema.of(POINT.withMetadata(metadata));
    assertThat(Projection.of(schema, List.of("p")).schema()).isEqualTo(schema);
    assertThat(Projection.of(schema, List.of("p.x")).schema().fields().getFirst().metadata())
        .isEqualTo(Metadata.of(KeyValue.of("unit", "metre")));
  }

  @Test
  void projectedBatchKeepsItsValuesAndBuffers() {
    try (Arena arena = Arena.ofConfined()) {
      ArrayBuilder builder = new ArrayBuilder(arena, Map.of(1L, List.of(List.of("one"))));
      List<List<@Nullable Object>> columns = new ArrayList<>();
      Schema schema = Schema.of(SCHEMA.fields().subList(0, 4).toArray(Field[]::new));
      columns.add(listOf(1, null, 3));
      columns.add(listOf(listOf("c", listOf(1, "y1")), null, listOf(null, listOf(2, "y2"))));
      columns.add(listOf(4, 5, 6));
      columns.add(listOf(listOf(listOf(7, "a"), listOf(8, "b")), listOf(), null));
      Metadata customMetadata = Metadata.of(KeyValue.of("key", "value"));
      RecordBatch built = builder.recordBatch(schema, 3, columns);
      RecordBatch batch = new RecordBatch(schema, 3, built.columns(), customMetadata);

      Projection projection = Projection.of(schema, List.of("l.y,b.d.y,a"));
      RecordBatch projected = projection.apply(batch);

      assertThat(projected.schema()).isEqualTo(projection.schema());
      assertThat(projected.customMetadata()).isEqualTo(customMetadata);
      assertThat(projected.length()).isEqualTo(3);
      assertThat(projected.columns().stream().map(ArrayData::field).toList())
          .isEqualTo(projection.schema().fields());
      assertThat(Validator.validate(projected, Level.VALUES)).isEmpty();
      assertThat(projected.columns().stream().map(Values::of).toList())
          .isEqualTo(
              List.of(
                  listOf(listOf(listOf("a"), listOf("b")), listOf(), null),
                  listOf(listOf(listOf("y1")), null, listOf(listOf("y2"))),
                  columns.getFirst().stream()
                      .map(value -> value == null ? null : ((Integer) value).longValue())
                      .toList()));
      assertThat(projected.columns().getFirst().buffer(BufferRole.OFFSETS))
          .isSameAs(batch.columns().getLast().buffer(BufferRole.OFFSETS));
      assertThat(projected.columns().getLast()).isSameAs(batch.columns().getFirst());
    }
  }

  private static List<@Nullable Object> listOf(@Nullable Object... values) {
    return new ArrayList<>(Arrays.asList(values));
  }
}
