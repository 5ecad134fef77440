package dev.quiver.golden;

import dev.quiver.arrow.array.UnionValue;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.IntervalValue;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.UnionMode;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The expected content of a golden file: its schema and values, parsed from the JSON without any
/// code under test. Values have the form of [dev.quiver.arrow.array.Values].
///
/// The JSON has data in null slots and names for dictionary columns; both are ignored.
record IntegrationJson(Schema schema, List<List<List<@Nullable Object>>> batches) {

  static IntegrationJson read(Path gzipped) throws IOException {
    try (InputStream input = new GZIPInputStream(Files.newInputStream(gzipped))) {
      JsonNode json = JsonMapper.shared().readTree(input);
      Schema schema = JsonSchema.schema(json.required("schema"));
      Columns columns = new Columns(json.path("dictionaries"));
      List<List<List<@Nullable Object>>> batches = new ArrayList<>();
      for (JsonNode batch : json.required("batches")) {
        List<List<@Nullable Object>> values = new ArrayList<>();
        for (int i = 0; i < schema.fields().size(); i++) {
          values.add(columns.values(schema.fields().get(i), batch.required("columns").get(i)));
        }
        batches.add(values);
      }
      return new IntegrationJson(schema, batches);
    }
  }

  private static final class Columns {
    private final Map<Long, JsonNode> dictionaries = new HashMap<>();

    Columns(JsonNode json) {
      for (JsonNode dictionary : json) {
        dictionaries.put(
            dictionary.required("id").longValue(),
            dictionary.required("data").required("columns").get(0));
      }
    }

    List<@Nullable Object> values(Field field, JsonNode column) {
      int count = column.required("count").intValue();
      IntFunction<@Nullable Object> slots =
          field.dictionary() == null
              ? slots(field, column)
              : dictionarySlots(field, field.dictionary(), column);
      JsonNode validity = column.path("VALIDITY");
      // Unions of release 0.17 list a validity, which later releases removed.
      boolean hasValidity = !(field.storageType() instanceof ArrowType.Union);
      List<@Nullable Object> values = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        boolean isNull =
            hasValidity && !validity.isMissingNode() && validity.get(i).intValue() == 0;
        values.add(isNull ? null : slots.apply(i));
      }
      return Collections.unmodifiableList(values);
    }

    private IntFunction<@Nullable Object> dictionarySlots(
        Field field, DictionaryEncoding encoding, JsonNode column) {
      JsonNode dictionary = dictionaries.get(encoding.id());
      List<@Nullable Object> values = new ArrayList<>();
      if (dictionary != null) {
        values.addAll(values(field.withDictionary(null), dictionary));
      }
      return i -> values.get(column.required("DATA").get(i).asInt());
    }

    private IntFunction<@Nullable Object> slots(Field field, JsonNode column) {
      JsonNode data = column.path("DATA");
      return switch (field.type()) {
        case ArrowType.Null() -> i -> null;
        case ArrowType.Bool() -> i -> data.get(i).asBoolean();
        case ArrowType.Int _ -> i -> integer(data.get(i));
        case ArrowType.FloatingPoint(Precision precision) ->
            switch (precision) {
              case HALF ->
                  i ->
                      (double) Float.float16ToFloat(Float.floatToFloat16(data.get(i).floatValue()));
              case SINGLE -> i -> (double) (float) data.get(i).doubleValue();
              case DOUBLE -> i -> data.get(i).doubleValue();
            };
        case ArrowType.Decimal _ -> i -> new BigInteger(data.get(i).stringValue());
        case ArrowType.Date _, ArrowType.Time _, ArrowType.Timestamp _, ArrowType.Duration _ ->
            i -> integer(data.get(i));
        case ArrowType.Interval(IntervalUnit unit) -> i -> interval(unit, data.get(i));
        case ArrowType.Utf8(), ArrowType.LargeUtf8() -> i -> data.get(i).stringValue();
        case ArrowType.Binary(), ArrowType.LargeBinary(), ArrowType.FixedSizeBinary _ ->
            i -> hex(data.get(i));
        case ArrowType.Utf8View(), ArrowType.BinaryView() -> views(field, column);
        case ArrowType.List(), ArrowType.LargeList(), ArrowType.Map _ -> {
          List<@Nullable Object> items = child(field, column, 0);
          JsonNode offsets = column.required("OFFSET");
          yield i -> items.subList(offsets.get(i).asInt(), offsets.get(i + 1).asInt());
        }
        case ArrowType.ListView(), ArrowType.LargeListView() -> {
          List<@Nullable Object> items = child(field, column, 0);
          JsonNode offsets = column.required("OFFSET");
          JsonNode sizes = column.required("SIZE");
          yield i ->
              items.subList(offsets.get(i).asInt(), offsets.get(i).asInt() + sizes.get(i).asInt());
        }
        case ArrowType.FixedSizeList(int listSize) -> {
          List<@Nullable Object> items = child(field, column, 0);
          yield i -> items.subList(i * listSize, (i + 1) * listSize);
        }
        case ArrowType.Struct() -> {
          List<List<@Nullable Object>> children = new ArrayList<>();
          for (int c = 0; c < field.children().size(); c++) {
            children.add(child(field, column, c));
          }
          yield i -> tuple(children, i);
        }
        case ArrowType.Union type -> union(field, type, column);
        case ArrowType.RunEndEncoded() -> {
          List<@Nullable Object> runEnds = child(field, column, 0);
          List<@Nullable Object> values = child(field, column, 1);
          yield i -> values.get(run(runEnds, i));
        }
      };
    }

    private List<@Nullable Object> child(Field field, JsonNode column, int childIndex) {
      return values(field.children().get(childIndex), column.required("children").get(childIndex));
    }

    private IntFunction<@Nullable Object> union(
        Field field, ArrowType.Union type, JsonNode column) {
      List<List<@Nullable Object>> children = new ArrayList<>();
      for (int c = 0; c < field.children().size(); c++) {
        children.add(child(field, column, c));
      }
      return i -> {
        int typeId = column.required("TYPE_ID").get(i).intValue();
        int slot =
            type.mode() == UnionMode.SPARSE ? i : column.required("OFFSET").get(i).intValue();
        return new UnionValue(typeId, children.get(type.typeIds().indexOf(typeId)).get(slot));
      };
    }

    private static IntFunction<@Nullable Object> views(Field field, JsonNode column) {
      boolean text = field.type() instanceof ArrowType.Utf8View;
      JsonNode views = column.required("VIEWS");
      JsonNode buffers = column.required("VARIADIC_DATA_BUFFERS");
      return i -> {
        JsonNode view = views.get(i);
        int byteSize = view.required("SIZE").intValue();
        JsonNode inlined = view.path("INLINED");
        if (!inlined.isMissingNode()) {
          return text ? inlined.stringValue() : hex(inlined);
        }
        byte[] buffer = hex(buffers.get(view.required("BUFFER_INDEX").intValue())).toByteArray();
        int start = view.required("OFFSET").intValue();
        ByteString bytes = ByteString.of(Arrays.copyOfRange(buffer, start, start + byteSize));
        return text ? bytes.toString() : bytes;
      };
    }

    private static List<@Nullable Object> tuple(List<List<@Nullable Object>> children, int slot) {
      List<@Nullable Object> tuple = new ArrayList<>();
      children.forEach(child -> tuple.add(child.get(slot)));
      return Collections.unmodifiableList(tuple);
    }

    private static int run(List<@Nullable Object> runEnds, int slot) {
      int run = 0;
      while (((Number) Objects.requireNonNull(runEnds.get(run))).longValue() <= slot) {
        run++;
      }
      return run;
    }

    /// 64-bit integers are text because most JSON parsers read numbers as double.
    private static Object integer(JsonNode json) {
      BigInteger integer =
          json.isString() ? new BigInteger(json.stringValue()) : json.bigIntegerValue();
      return integer.bitLength() < Long.SIZE ? (Object) integer.longValue() : integer;
    }

    private static Object interval(IntervalUnit unit, JsonNode json) {
      return switch (unit) {
        case YEAR_MONTH -> integer(json);
        case DAY_TIME ->
            new IntervalValue.DayTime(
                json.required("days").intValue(), json.required("milliseconds").intValue());
        case MONTH_DAY_NANO ->
            new IntervalValue.MonthDayNano(
                json.required("months").intValue(),
                json.required("days").intValue(),
                json.required("nanoseconds").longValue());
      };
    }

    private static ByteString hex(JsonNode json) {
      return ByteString.of(HexFormat.of().parseHex(json.stringValue()));
    }
  }
}
