package dev.quiver.arrow.text;

import static dev.quiver.arrow.text.Rendered.INT64;
import static dev.quiver.arrow.text.Rendered.INT8;
import static dev.quiver.arrow.text.Rendered.UTF8;
import static dev.quiver.arrow.text.Rendered.batch;
import static dev.quiver.arrow.text.Rendered.big;
import static dev.quiver.arrow.text.Rendered.encoded;
import static dev.quiver.arrow.text.Rendered.field;
import static dev.quiver.arrow.text.Rendered.named;
import static dev.quiver.arrow.text.Rendered.render;
import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.UnionMode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests whole tables as text: rows, names, nulls and limits. [TypeTextTest] tests the text of each
/// type.
class RendererTest {

  @Test
  void writesNumbersThatReadersWouldRoundAsStringsOnRequest() throws IOException {
    Schema schema =
        Schema.of(
            named("i32", new ArrowType.Int(32, true)),
            named("i64", INT64),
            named("u64", new ArrowType.Int(64, false)),
            named("dec", new ArrowType.Decimal(5, 2, 128)),
            named("f64", new ArrowType.FloatingPoint(Precision.DOUBLE)),
            named("list", new ArrowType.List(), named("item", INT64)));
    RecordBatch batch =
        new ArrayBuilder(Arena.ofAuto())
            .recordBatch(
                schema,
                1,
                List.of(
                    List.of(1),
                    List.of(2),
                    List.of(3),
                    List.of(new BigDecimal("4.00")),
                    List.of(5.5),
                    List.of(asList(6L, null))));
    assertThat(render(TextFormat.JSON_LINES, JsonNumbers.STRING, batch))
        .isEqualTo(
            """
            {"i32":1,"i64":"2","u64":"3","dec":"4.00","f64":5.5,"list":["6",null]}
            """);
    assertThat(render(TextFormat.JSON_LINES, JsonNumbers.NUMBER, batch))
        .isEqualTo(
            """
            {"i32":1,"i64":2,"u64":3,"dec":4.00,"f64":5.5,"list":[6,null]}
            """);
    assertThat(render(TextFormat.CSV, JsonNumbers.STRING, batch))
        .isEqualTo("i32,i64,u64,dec,f64,list\r\n1,2,3,4.00,5.5,\"[\"\"6\"\",null]\"\r\n");
    assertThat(render(TextFormat.TSV, JsonNumbers.STRING, batch))
        .isEqualTo("i32\ti64\tu64\tdec\tf64\tlist\n1\t2\t3\t4.00\t5.5\t[\"6\",null]\n");
  }

  private static RecordBatch twoColumns(int... numbers) {
    Schema schema = Schema.of(Field.of("n", false, INT8), Field.of("m", false, INT8));
    List<Integer> values = java.util.Arrays.stream(numbers).boxed().toList();
    return new ArrayBuilder(Arena.ofAuto())
        .recordBatch(schema, numbers.length, List.of(values, values));
  }

  @Test
  void separatesRowsAcrossBatchesIncludingEmptyOnes() throws IOException {
    RecordBatch[] batches = {twoColumns(), twoColumns(1, 2), twoColumns(), twoColumns(3)};
    assertThat(render(TextFormat.JSON, JsonNumbers.NUMBER, batches))
        .isEqualTo(
            """
            [
            {"n":1,"m":1},
            {"n":2,"m":2},
            {"n":3,"m":3}
            ]
            """);
    assertThat(render(TextFormat.JSON_LINES, JsonNumbers.NUMBER, batches))
        .isEqualTo("{\"n\":1,\"m\":1}\n{\"n\":2,\"m\":2}\n{\"n\":3,\"m\":3}\n");
    assertThat(render(TextFormat.CSV, JsonNumbers.NUMBER, batches))
        .isEqualTo("n,m\r\n1,1\r\n2,2\r\n3,3\r\n");
    assertThat(render(TextFormat.TSV, JsonNumbers.NUMBER, batches))
        .isEqualTo("n\tm\n1\t1\n2\t2\n3\t3\n");
  }

  @Test
  void escapesWhatEndsACellOrARowInTsv() throws IOException {
    String text = "\"a\tb\nc\rd\\e,\t" + "x".repeat(2_000) + "\\";
    String escaped = "\"a\\tb\\nc\\rd\\\\e,\\t" + "x".repeat(2_000) + "\\\\";
    Field name = named("\t\n\r\\\"", UTF8);
    assertThat(
            render(
                TextFormat.TSV,
                JsonNumbers.NUMBER,
                batch(name, asList(text, null, "", " ", "\\N"))))
        .isEqualTo("\\t\\n\\r\\\\\"\n" + escaped + "\n\\N\n\n \n\\\\N\n");
  }

  @Test
  void escapesTheBackslashesOfJsonInTsv() throws IOException {
    Field list = field(new ArrowType.List(), named("item", UTF8));
    Field struct = field(new ArrowType.Struct(), named("\"\\\n\u0001", UTF8));
    assertThat(
            render(
                TextFormat.TSV,
                JsonNumbers.NUMBER,
                batch(list, List.of(List.of("a\"b", "\t", "\\", "\u0001")))))
        .isEqualTo("c\n[\"a\\\\\"b\",\"\\\\t\",\"\\\\\\\\\",\"\\\\u0001\"]\n");
    assertThat(
            render(
                TextFormat.TSV, JsonNumbers.NUMBER, batch(struct, List.of(asList((String) null)))))
        .isEqualTo("c\n{\"\\\\\"\\\\\\\\\\\\n\\\\u0001\":null}\n");
  }

  @Test
  void writesTablesWithoutRows() throws IOException {
    assertThat(render(TextFormat.JSON, JsonNumbers.NUMBER, twoColumns())).isEqualTo("[]\n");
    assertThat(render(TextFormat.JSON_LINES, JsonNumbers.NUMBER, twoColumns())).isEmpty();
    assertThat(render(TextFormat.CSV, JsonNumbers.NUMBER, twoColumns())).isEqualTo("n,m\r\n");
    assertThat(render(TextFormat.TSV, JsonNumbers.NUMBER, twoColumns())).isEqualTo("n\tm\n");
  }

  @Test
  void rejectsTooManyRowsBeforeWritingAny() throws IOException {
    Limit limit = new Limit("text-response-bytes", 200);
    Renderer renderer =
        Renderer.begin(TextFormat.CSV, TextOptions.DEFAULT, Schema.of(), part -> {}, limit);
    renderer.requireRoom(100);
    assertThatThrownBy(() -> renderer.requireRoom(101))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessage(
            "Expected at most 200 bytes of rendered text (text-response-bytes) but found"
                + " 202 at 101 rows of 2 bytes or more");
    Renderer tabs =
        Renderer.begin(TextFormat.TSV, TextOptions.DEFAULT, Schema.of(), part -> {}, limit);
    tabs.requireRoom(200);
    assertThatThrownBy(() -> tabs.requireRoom(201)).isInstanceOf(TooLargeInputException.class);
  }

  @Test
  void writesRowsWithoutColumns() throws IOException {
    RecordBatch batch = new RecordBatch(Schema.of(), 2, List.of());
    assertThat(render(TextFormat.JSON, JsonNumbers.NUMBER, batch)).isEqualTo("[\n{},\n{}\n]\n");
    assertThat(render(TextFormat.JSON_LINES, JsonNumbers.NUMBER, batch)).isEqualTo("{}\n{}\n");
    assertThat(render(TextFormat.CSV, JsonNumbers.NUMBER, batch)).isEqualTo("\r\n\r\n\r\n");
  }

  @Test
  void writesDistinctEscapedNames() throws IOException {
    List<String> names = List.of("a", "", "a", "a_2", "", "a", "x,\"\n", "\ud800");
    List<Field> fields = names.stream().map(name -> named(name, INT8)).toList();
    List<List<Integer>> columns = names.stream().map(_ -> List.of(1)).toList();
    RecordBatch batch =
        new ArrayBuilder(Arena.ofAuto())
            .recordBatch(Schema.of(fields.toArray(Field[]::new)), 1, columns);
    assertThat(render(TextFormat.JSON_LINES, JsonNumbers.NUMBER, batch))
        .isEqualTo(
            "{\"a\":1,\"\":1,\"a_3\":1,\"a_2\":1,\"_2\":1,\"a_4\":1,\"x,\\\"\\n\":1,\"\\ud800\":1}\n");
    assertThat(render(TextFormat.CSV, JsonNumbers.NUMBER, batch))
        .isEqualTo("a,\"\",a_3,a_2,_2,a_4,\"x,\"\"\n\",?\r\n1,1,1,1,1,1,1,1\r\n");
  }

  /// A search that started over for each name would take five billion steps.
  @Test
  void distinguishesManyEqualNamesInLinearTime() {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      fields.add(named("x_" + (i + 2), INT8));
    }
    for (int i = 0; i < 50_000; i++) {
      fields.add(named("x", INT8));
    }
    assertThat(UniqueNames.distinct(fields)).doesNotHaveDuplicates().endsWith("x_100000");
  }

  @Test
  void writesTheStorageOfExtensions() throws IOException {
    Field uuid =
        field(new ArrowType.FixedSizeBinary(2))
            .withMetadata(Metadata.of(KeyValue.of("ARROW:extension:name", "arrow.uuid")));
    assertThat(render(TextFormat.JSON_LINES, JsonNumbers.NUMBER, batch(uuid, List.of(new byte[2]))))
        .isEqualTo("{\"c\":\"AAA=\"}\n");
  }

  @Test
  void writesDecimalsBeyondTheirPrecision() throws IOException {
    ArrayData wide =
        new ArrayBuilder(Arena.ofAuto())
            .array(field(new ArrowType.Decimal(38, 0, 128)), List.of(big("9".repeat(38))));
    Field narrow = field(new ArrowType.Decimal(1, 1, 128));
    ArrayData data = new ArrayData(narrow, 1, 0, wide.buffers(), List.of(), null);
    assertThat(
            render(
                TextFormat.JSON_LINES,
                JsonNumbers.NUMBER,
                new RecordBatch(Schema.of(narrow), 1, List.of(data))))
        .isEqualTo("{\"c\":" + "9".repeat(37) + ".9}\n");
  }

  /// The offsets, indices, views and type ids below the nulls are out of bounds.
  @Test
  void neverReadsGarbageBelowNulls() throws IOException {
    MemorySegment garbage = MemorySegment.ofArray(new byte[16]).fill((byte) 0x7F);
    MemorySegment noValidity = MemorySegment.ofArray(new byte[1]);
    Field text = named("t", UTF8);
    ArrayData texts =
        new ArrayData(
            text, 1, 0, List.of(MemorySegment.NULL, garbage, MemorySegment.NULL), List.of(), null);
    Field union = named("u", new ArrowType.Union(UnionMode.DENSE, List.of(1)), text);
    ArrayData unions = new ArrayData(union, 1, 0, List.of(garbage, garbage), List.of(texts), null);
    ArrayData indices =
        new ArrayData(
            named("d", UTF8).withDictionary(new DictionaryEncoding(7, INT8, false)),
            1,
            0,
            List.of(MemorySegment.NULL, garbage),
            List.of(),
            texts);
    ArrayData views =
        new ArrayData(
            named("v", new ArrowType.Utf8View()),
            1,
            1,
            List.of(noValidity, garbage),
            List.of(),
            null);
    Field struct = field(new ArrowType.Struct(), text, union, indices.field(), views.field());
    ArrayData structs =
        new ArrayData(
            struct, 1, 1, List.of(noValidity), List.of(texts, unions, indices, views), null);
    Schema schema = Schema.of(struct, views.field());
    RecordBatch batch = new RecordBatch(schema, 1, List.of(structs, views));
    assertThat(render(TextFormat.JSON_LINES, JsonNumbers.NUMBER, batch))
        .isEqualTo("{\"c\":null,\"v\":null}\n");
    assertThat(render(TextFormat.CSV, JsonNumbers.NUMBER, batch)).isEqualTo("c,v\r\n,\r\n");
  }

  @Test
  void writesNullsOfAFieldWithoutADictionary() throws IOException {
    Field field = encoded(INT8);
    MemorySegment none = MemorySegment.ofArray(new byte[1]);
    ArrayData data = new ArrayData(field, 1, 1, List.of(none, none), List.of(), null);
    assertThat(
            render(
                TextFormat.JSON_LINES,
                JsonNumbers.NUMBER,
                new RecordBatch(Schema.of(field), 1, List.of(data))))
        .isEqualTo("{\"c\":null}\n");
  }

  @Test
  void escapesAndQuotesLongText() throws IOException {
    String text = ("x".repeat(5_000) + "\"").repeat(20) + "\u0000";
    RecordBatch batch = batch(field(UTF8), List.of(text));
    assertThat(render(TextFormat.JSON_LINES, JsonNumbers.NUMBER, batch))
        .isEqualTo("{\"c\":\"" + text.replace("\"", "\\\"").replace("\u0000", "\\u0000") + "\"}\n");
    assertThat(render(TextFormat.CSV, JsonNumbers.NUMBER, batch))
        .isEqualTo("c\r\n\"" + text.replace("\"", "\"\"") + "\"\r\n");
  }

  @ParameterizedTest
  @EnumSource
  void acceptsATextOfExactlyTheLimit(TextFormat format) throws IOException {
    RecordBatch batch = twoColumns(1, 2, 3);
    int length = render(format, JsonNumbers.NUMBER, batch).length();
    assertThat(renderedByteSize(format, batch, length)).isEqualTo(length);
    assertThatThrownBy(() -> renderedByteSize(format, batch, length - 1))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessage(
            "Expected at most %d bytes of rendered text (text-response-bytes) but found %d at row 3"
                .formatted(length - 1, length));
  }

  /// One megabyte of 100,000 list views of the same 100,000 items represents ten billion items.
  @ParameterizedTest
  @EnumSource
  void limitsTheTextThatFewBytesExpandTo(TextFormat format) {
    int count = 100_000;
    Field item = Field.of("item", false, INT8);
    Field list = Field.of("l", false, new ArrowType.ListView(), item);
    MemorySegment sizes = MemorySegment.ofArray(new byte[4 * count]);
    for (int i = 0; i < count; i++) {
      LittleEndian.setInt32(sizes, 4L * i, count);
    }
    MemorySegment zeros = MemorySegment.ofArray(new byte[4 * count]);
    ArrayData items =
        new ArrayData(item, count, 0, List.of(MemorySegment.NULL, zeros), List.of(), null);
    ArrayData lists =
        new ArrayData(
            list, count, 0, List.of(MemorySegment.NULL, zeros, sizes), List.of(items), null);
    RecordBatch batch = new RecordBatch(Schema.of(list), count, List.of(lists));
    long[] renderedByteSize = {0};
    assertThatThrownBy(
            () -> {
              Renderer renderer =
                  Renderer.begin(
                      format,
                      TextOptions.DEFAULT,
                      batch.schema(),
                      part -> renderedByteSize[0] += part.byteSize(),
                      new Limit("text-response-bytes", 1_000_000));
              renderer.write(batch);
            })
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageMatching(
            "Expected at most 1000000 bytes of rendered text \\(text-response-bytes\\)"
                + " but found 10\\d{5} at row 5");
    assertThat(renderedByteSize[0]).isBetween(900_000L, 1_000_000L);
  }

  private static long renderedByteSize(TextFormat format, RecordBatch batch, long limit)
      throws IOException {
    long[] renderedByteSize = {0};
    Renderer renderer =
        Renderer.begin(
            format,
            TextOptions.DEFAULT,
            batch.schema(),
            part -> renderedByteSize[0] += part.byteSize(),
            new Limit("text-response-bytes", limit));
    renderer.write(batch);
    renderer.end();
    return renderedByteSize[0];
  }
}
