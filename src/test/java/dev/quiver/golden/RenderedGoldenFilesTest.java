package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Trials;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.UnionValue;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.text.Renderer;
import dev.quiver.arrow.text.TextFormat;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.shadow.de.siegmar.fastcsv.reader.CsvReader;
import org.junit.jupiter.params.shadow.de.siegmar.fastcsv.reader.CsvRecord;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.StringNode;

/// Tests that rendered text represents the data: golden files and random tables are rendered,
/// parsed by independent parsers, and compared with the values. `TypeTextTest` tests the exact
/// text.
@Tag("random")
class RenderedGoldenFilesTest {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
          .build();

  private static final ByteString EMPTY = ByteString.of(new byte[0]);
  private static final Set<String> NOT_FINITE = Set.of("", "NaN", "Infinity", "-Infinity");

  private final Arena arena = Arena.ofConfined();

  @AfterEach
  void close() {
    arena.close();
  }

  static Stream<GoldenCase> cases() {
    return GoldenCase.modern();
  }

  static LongStream seeds() {
    return LongStream.range(0, Trials.of(300));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void goldenFileRoundTripsThroughText(GoldenCase golden) throws IOException {
    Decoded expected = Decoded.of(golden.json());
    for (TextFormat format : TextFormat.values()) {
      Text text = new Text(format, expected.schema());
      Decoded.forEachBatchOfStream(golden.stream(arena), text::write);
      text.assertHolds(expected);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void randomTableRoundTripsThroughText(long seed) throws IOException {
    Written written = Written.random(seed, 3, arena);
    for (TextFormat format : TextFormat.values()) {
      Text text = new Text(format, written.schema());
      for (RecordBatch batch : written.batches()) {
        text.write(batch);
      }
      text.assertHolds(written.expected());
    }
  }

  static Stream<ArrayKind> kinds() {
    return ArrayKind.ALL.stream();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void columnOfEveryKindRoundTripsThroughText(ArrayKind kind) throws IOException {
    RandomData data = new RandomData(kind.name().hashCode());
    Schema schema = Schema.of(kind.field("f", true, data));
    Written written = Written.of(schema, data, new int[] {9, 0, 3}, arena);
    for (TextFormat format : TextFormat.values()) {
      Text text = new Text(format, schema);
      for (RecordBatch batch : written.batches()) {
        text.write(batch);
      }
      text.assertHolds(written.expected());
    }
  }

  @Test
  void comparisonDetectsADifferentValue() throws IOException {
    Schema schema = Schema.of(Field.of("n", true, new ArrowType.Int(64, true)));
    RecordBatch batch = new ArrayBuilder(arena).recordBatch(schema, 1, List.of(List.of(1L)));
    for (TextFormat format : TextFormat.values()) {
      Text text = new Text(format, schema);
      text.write(batch);
      Decoded other = new Decoded(schema, List.of(List.of(List.of(2L))));
      assertThatThrownBy(() -> text.assertHolds(other)).isInstanceOf(AssertionError.class);
    }
  }

  /// A renderer with a matching parser.
  private static final class Text {
    private final TextFormat format;
    private final List<Field> fields;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Renderer renderer;

    Text(TextFormat format, Schema schema) throws IOException {
      this.format = format;
      this.fields = schema.fields();
      this.renderer =
          Renderer.begin(
              format,
              TextOptions.DEFAULT,
              schema,
              part -> bytes.writeBytes(part.toArray(LittleEndian.INT8)),
              new Limit("text-response-bytes", Long.MAX_VALUE));
    }

    void write(RecordBatch batch) throws IOException {
      renderer.write(batch);
    }

    void assertHolds(Decoded expected) throws IOException {
      renderer.end();
      // `RendererTest` tests rows without columns.
      if (!fields.isEmpty()) {
        assertThat(parsed()).as(format.toString()).isEqualTo(rows(expected.batches()));
      }
    }

    private List<List<@Nullable Object>> parsed() throws IOException {
      String text = bytes.toString(StandardCharsets.UTF_8);
      Stream<JsonNode> rows =
          switch (format) {
            case JSON -> JSON.readTree(text).valueStream();
            case JSON_LINES -> text.lines().map(JSON::readTree);
            case CSV -> csv(text);
            case TSV -> tsv(text);
          };
      return rows.map(row -> RenderedValues.tuple(fields, row))
          .map(row -> tuple(fields, row))
          .toList();
    }

    private Stream<JsonNode> csv(String text) throws IOException {
      List<JsonNode> rows = new ArrayList<>();
      try (var reader = CsvReader.builder().skipEmptyLines(false).ofCsvRecord(text)) {
        for (CsvRecord record : reader) {
          ArrayNode row = JSON.createArrayNode();
          for (int i = 0; i < fields.size(); i++) {
            String cell = record.getField(i);
            row.add(rows.isEmpty() || cell.isEmpty() ? JSON.nullNode() : cell(fields.get(i), cell));
          }
          rows.add(row);
        }
      }
      // Skips the header.
      return rows.stream().skip(1);
    }

    private Stream<JsonNode> tsv(String text) {
      // The lines of a text in Java end at carriage returns, too.
      List<String> lines = List.of(text.split("\n", -1));
      return lines.subList(1, lines.size() - 1).stream()
          .map(line -> {
            String[] cells = line.split("\t", -1);
            assertThat(cells).hasSize(fields.size());
            ArrayNode row = JSON.createArrayNode();
            for (int i = 0; i < cells.length; i++) {
              // Java has these escapes, too.
              row.add(
                  cells[i].equals("\\N")
                      ? JSON.nullNode()
                      : cell(fields.get(i), cells[i].translateEscapes()));
            }
            return row;
          });
    }

    private static JsonNode cell(Field field, String cell) {
      return switch (field.type()) {
        case ArrowType.RunEndEncoded() -> cell(field.children().getLast(), cell);
        case ArrowType.Null _,
            ArrowType.Bool _,
            ArrowType.Int _,
            ArrowType.Decimal _,
            ArrowType.FloatingPoint _,
            ArrowType.List _,
            ArrowType.LargeList _,
            ArrowType.ListView _,
            ArrowType.LargeListView _,
            ArrowType.FixedSizeList _,
            ArrowType.Struct _,
            ArrowType.Map _,
            ArrowType.Union _ ->
            NOT_FINITE.contains(cell) ? JSON.nullNode() : JSON.readTree(cell);
        default -> StringNode.valueOf(cell);
      };
    }

    private List<List<@Nullable Object>> rows(List<List<List<@Nullable Object>>> batches) {
      List<List<@Nullable Object>> rows = new ArrayList<>();
      for (List<List<@Nullable Object>> columns : batches) {
        for (int slot = 0; slot < columns.getFirst().size(); slot++) {
          List<@Nullable Object> row = new ArrayList<>();
          for (List<@Nullable Object> column : columns) {
            row.add(column.get(slot));
          }
          rows.add(tuple(fields, row));
        }
      }
      return rows;
    }

    private List<@Nullable Object> tuple(List<Field> tupleFields, List<?> values) {
      List<@Nullable Object> tuple = new ArrayList<>();
      for (int i = 0; i < tupleFields.size(); i++) {
        tuple.add(comparable(tupleFields.get(i), values.get(i), tupleFields == fields));
      }
      return tuple;
    }

    /// Returns the value as far as text preserves it. JSON has no infinity, decimal numbers have no
    /// negative zero, and readers keep the last of duplicate members. For this reader of CSV, an
    /// empty text is an empty cell.
    private @Nullable Object comparable(Field field, @Nullable Object value, boolean isCell) {
      if (field.type() instanceof ArrowType.RunEndEncoded) {
        return comparable(field.children().getLast(), value, isCell);
      }
      return switch (value) {
        case null -> null;
        case Double number -> Double.isFinite(number) ? (Object) (number + 0.0) : null;
        case String text when isCell && format == TextFormat.CSV && text.isEmpty() -> null;
        case ByteString bytes when isCell && format == TextFormat.CSV && bytes.equals(EMPTY) ->
            null;
        case UnionValue(int typeId, var selected) -> {
          int child = ((ArrowType.Union) field.type()).typeIds().indexOf(typeId);
          yield new UnionValue(typeId, comparable(field.children().get(child), selected, false));
        }
        case List<?> items when field.type() instanceof ArrowType.Struct ->
            tuple(field.children(), items);
        case List<?> items -> {
          Map<Object, @Nullable Object> distinct = new LinkedHashMap<>();
          for (Object item : items) {
            Object comparable = comparable(field.children().getFirst(), item, false);
            Object name =
                field.type() instanceof ArrowType.Map
                        && comparable instanceof List<?> entry
                        && entry.getFirst() instanceof String key
                    ? key
                    : distinct.size();
            distinct.put(name, comparable);
          }
          yield new ArrayList<>(distinct.values());
        }
        default -> value;
      };
    }
  }
}
