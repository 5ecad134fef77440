package dev.quiver.formats;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.text.Renderer;
import dev.quiver.arrow.text.TextFormat;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.formats.csv.CsvFile;
import dev.quiver.formats.csv.CsvOptions;
import dev.quiver.formats.json.JsonFile;
import dev.quiver.formats.json.JsonOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Random rows of every type that a format of text holds: the service reads what it writes as the
/// same values when it is appended to a dataset of the same schema. In JSON, NaN and infinities are
/// null.
@Tag("random")
class WrittenTextTest extends ForeignFixture {

  private static final Limit UNLIMITED = new Limit("text", Long.MAX_VALUE);
  private static final long DAY_SECONDS = 86_400;

  /// The years that timestamps of microseconds reach.
  private static final long SECONDS_MAXIMUM = Long.MAX_VALUE / 1_000_000;

  private static final String[] PIECES = {
    "a", "Z", " ", "\t", "\n", "\r", "\r\n", "\\", "\\N", "\\t", "\"", "\"\"", "'", ",", ";", "é",
    "東", "🏔", "\u0001", "N", "0", "-", "null", "#"
  };

  private static final String[] JSON = {
    "5",
    "-0",
    "1.50",
    "true",
    "\"x\"",
    "\"\\u00e9\\n\"",
    "[]",
    "{}",
    "[1,null,{\"a\":[]}]",
    "{\"b\":1e400}"
  };

  /// A schema and the values of dictionaries.
  private static final class Rows {

    private final Random random;
    private final Map<Long, List<@Nullable Object>> dictionaries = new HashMap<>();
    private final Schema schema;

    /// @param isNested whether columns may have children, and be JSON
    Rows(int seed, boolean isNested) {
      this(seed, isNested, /* hasPlainNames= */ false);
    }

    Rows(int seed, boolean isNested, boolean hasPlainNames) {
      this.random = new Random(seed);
      Set<String> names = new HashSet<>();
      List<Field> fields = new ArrayList<>();
      int count = 1 + random.nextInt(6);
      while (fields.size() < count) {
        String name = hasPlainNames ? "column " + fields.size() : text(1 + random.nextInt(4));
        if (names.add(name)) {
          fields.add(isNested && random.nextInt(3) == 0 ? nested(name, 2) : field(name));
        }
      }
      this.schema = Schema.of(fields.toArray(Field[]::new));
    }

    private Field field(String name) {
      Field field = plain(name);
      if (random.nextInt(6) == 0) {
        return Field.of(
            name,
            /* nullable= */ true,
            new ArrowType.RunEndEncoded(),
            Field.of("run_ends", false, new ArrowType.Int(16 << random.nextInt(3), true)),
            field.withName("values"));
      }
      if (random.nextInt(4) > 0 || field.type() instanceof ArrowType.Null) {
        return field;
      }
      long id = dictionaries.size();
      Set<@Nullable Object> values = new LinkedHashSet<>();
      for (int i = 0; i < 5; i++) {
        values.add(value(field));
      }
      dictionaries.put(id, new ArrayList<>(values));
      return field.withDictionary(new DictionaryEncoding(id, new ArrowType.Int(32, true), false));
    }

    /// @param depth the levels of children that there may be
    private Field nested(String name, int depth) {
      if (depth == 0) {
        return plain(name);
      }
      Field first = nested("a", depth - 1);
      return switch (random.nextInt(7)) {
        case 0 ->
            Field.of(
                name, true, new ArrowType.Struct(), first, nested("A", depth - 1), plain("\0"));
        case 1 -> Field.of(name, true, new ArrowType.List(), first);
        case 2 -> Field.of(name, true, new ArrowType.LargeListView(), first);
        case 3 -> Field.of(name, true, new ArrowType.FixedSizeList(2), first);
        case 4 ->
            Field.of(
                name,
                true,
                new ArrowType.Map(/* keysSorted= */ false),
                Field.of(
                    "entries",
                    false,
                    new ArrowType.Struct(),
                    Field.of("key", false, new ArrowType.Utf8()),
                    first.withName("value")));
        case 5 ->
            Field.of(name, true, new ArrowType.LargeUtf8())
                .withMetadata(Metadata.of(KeyValue.of(Field.EXTENSION_NAME, "arrow.json")));
        default -> plain(name);
      };
    }

    private List<@Nullable Object> values(Field field, int count) {
      List<@Nullable Object> values = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        values.add(random.nextInt(5) == 0 ? null : value(field));
      }
      return values;
    }

    /// Returns entries with different keys.
    private List<@Nullable Object> entries(Field entries) {
      Set<String> keys = new LinkedHashSet<>(List.of("", text(2), text(3)));
      List<@Nullable Object> pairs = new ArrayList<>();
      for (String key : keys) {
        pairs.add(Arrays.asList(key, values(entries.children().getLast(), 1).getFirst()));
      }
      return pairs.subList(0, random.nextInt(pairs.size() + 1));
    }

    private Field plain(String name) {
      Field field = Field.of(name, /* nullable= */ true, type());
      return field.type().equals(new ArrowType.FixedSizeBinary(16))
          ? field.withMetadata(Metadata.of(KeyValue.of(Field.EXTENSION_NAME, "arrow.uuid")))
          : field;
    }

    private ArrowType type() {
      TimeUnit unit = TimeUnit.values()[random.nextInt(4)];
      return switch (random.nextInt(20)) {
        case 0 -> new ArrowType.Null();
        case 1 -> new ArrowType.Bool();
        case 2, 3 -> new ArrowType.Int(8 << random.nextInt(4), random.nextBoolean());
        case 4, 5, 6 -> new ArrowType.FloatingPoint(Precision.values()[random.nextInt(3)]);
        case 7, 8 -> {
          int bitWidth = 32 << random.nextInt(4);
          int precision = 1 + random.nextInt(ArrowType.Decimal.maximumPrecision(bitWidth));
          yield new ArrowType.Decimal(precision, random.nextInt(precision + 1), bitWidth);
        }
        case 9 -> new ArrowType.Date(DateUnit.values()[random.nextInt(2)]);
        case 10 -> new ArrowType.Time(unit, ArrowType.Time.bitWidthOf(unit));
        case 11, 12 -> new ArrowType.Timestamp(unit, random.nextBoolean() ? "Europe/Paris" : null);
        case 13 -> new ArrowType.FixedSizeBinary(16);
        case 14 -> new ArrowType.FixedSizeBinary(random.nextInt(4));
        case 15 -> new ArrowType.Binary();
        case 16 -> random.nextBoolean() ? new ArrowType.LargeBinary() : new ArrowType.BinaryView();
        case 17 -> random.nextBoolean() ? new ArrowType.LargeUtf8() : new ArrowType.Utf8View();
        default -> new ArrowType.Utf8();
      };
    }

    List<@Nullable Object> column(Field field, int count) {
      double nulls = List.of(0.0, 0.2, 1.0).get(random.nextInt(3));
      List<@Nullable Object> values = new ArrayList<>();
      DictionaryEncoding encoding = field.dictionary();
      for (int i = 0; i < count; i++) {
        if (random.nextDouble() < nulls) {
          values.add(null);
        } else if (encoding == null) {
          values.add(value(field));
        } else {
          List<@Nullable Object> all = requireNonNull(dictionaries.get(encoding.id()));
          values.add(all.get(random.nextInt(all.size())));
        }
      }
      return values;
    }

    private @Nullable Object value(Field field) {
      return switch (field.type()) {
        case ArrowType.RunEndEncoded() -> value(field.children().getLast());
        case ArrowType.Struct() ->
            field.children().stream()
                .map(child -> values(child, 1).getFirst())
                .collect(Collectors.toCollection(ArrayList::new));
        case ArrowType.FixedSizeList(int size) -> values(field.children().getFirst(), size);
        case ArrowType.ListLike _ -> values(field.children().getFirst(), random.nextInt(4));
        case ArrowType.Map _ -> entries(field.children().getFirst());
        case ArrowType.LargeUtf8() when field.isExtension("arrow.json") ->
            JSON[random.nextInt(JSON.length)];
        case ArrowType.Null() -> null;
        case ArrowType.Bool() -> random.nextBoolean();
        case ArrowType.Int(int bitWidth, boolean signed) -> integer(bitWidth, signed);
        case ArrowType.FloatingPoint(Precision precision) -> floatingPoint(precision);
        case ArrowType.Decimal(int precision, _, _) -> {
          BigInteger end = BigInteger.TEN.pow(1 + random.nextInt(precision));
          BigInteger magnitude =
              random.nextInt(8) == 0
                  ? end.subtract(BigInteger.ONE)
                  : new BigInteger(end.bitLength() + 8, random).mod(end);
          yield random.nextBoolean() ? magnitude : magnitude.negate();
        }
        case ArrowType.Date(DateUnit unit) -> {
          long days = random.nextInt() >> random.nextInt(20);
          yield unit == DateUnit.DAY ? days : days * DAY_SECONDS * 1_000;
        }
        case ArrowType.Time(TimeUnit unit, _) -> random.nextLong(DAY_SECONDS * unit.perSecond());
        case ArrowType.Timestamp(TimeUnit unit, _) -> timestamp(unit);
        case ArrowType.FixedSizeBinary(int byteWidth) -> bytes(byteWidth);
        case ArrowType.Bytes _ -> bytes(random.nextInt(6));
        default -> text(random.nextInt(5));
      };
    }

    private Object integer(int bitWidth, boolean signed) {
      BigInteger bits = new BigInteger(bitWidth, random);
      BigInteger value =
          (signed ? bits.subtract(BigInteger.TWO.pow(bitWidth - 1)) : bits)
              .shiftRight(random.nextInt(bitWidth));
      return value.bitLength() < Long.SIZE ? (Object) value.longValue() : value;
    }

    private double floatingPoint(Precision precision) {
      double simple = random.nextInt(2_000) * Math.pow(10, random.nextInt(48) - 24);
      return switch (precision) {
        case HALF -> Float.float16ToFloat((short) random.nextInt());
        case SINGLE ->
            random.nextBoolean() ? (float) simple : Float.intBitsToFloat(random.nextInt());
        case DOUBLE ->
            switch (random.nextInt(4)) {
              case 0 -> simple;
              case 1 -> -0.0;
              case 2 -> random.nextLong() >> random.nextInt(64);
              default -> Double.longBitsToDouble(random.nextLong());
            };
      };
    }

    private long timestamp(TimeUnit unit) {
      if (random.nextInt(8) == 0 && unit.perSecond() >= 1_000_000) {
        return random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE;
      }
      long any = random.nextLong() >> random.nextInt(40);
      return unit.perSecond() >= 1_000_000 ? any : any % (SECONDS_MAXIMUM * unit.perSecond());
    }

    private ByteString bytes(int byteSize) {
      byte[] bytes = new byte[byteSize];
      random.nextBytes(bytes);
      return ByteString.of(bytes);
    }

    private String text(int pieceCount) {
      return IntStream.range(0, pieceCount)
          .mapToObj(_ -> PIECES[random.nextInt(PIECES.length)])
          .collect(Collectors.joining());
    }

    RecordBatch batch(int count) {
      return new ArrayBuilder(Arena.ofAuto(), dictionaries)
          .recordBatch(
              schema, count, schema.fields().stream().map(field -> column(field, count)).toList());
    }
  }

  public static byte[] written(TextFormat format, List<RecordBatch> batches) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    Renderer renderer =
        Renderer.begin(
            format,
            TextOptions.DEFAULT,
            batches.getFirst().schema(),
            part -> text.writeBytes(part.toArray(LittleEndian.INT8)),
            UNLIMITED);
    for (RecordBatch batch : batches) {
      renderer.write(batch);
    }
    renderer.end();
    return text.toByteArray();
  }

  private static List<List<@Nullable Object>> read(Format format, byte[] text, Schema dataset)
      throws IOException {
    Schema schema;
    FileBatchReader reader;
    if (format == Format.CSV || format == Format.TSV) {
      CsvFile file =
          CsvFile.open(
              () -> new ByteArrayInputStream(text),
              CsvOptions.parse(format, parameters()),
              dataset(dataset));
      schema = file.schema();
      reader = file.read(CpuPool.PROCESS, folder);
    } else {
      JsonFile file =
          JsonFile.open(
              () -> new ByteArrayInputStream(text),
              JsonOptions.parse(format, parameters()),
              Limits.DEFAULT,
              dataset,
              CpuPool.PROCESS,
              Long.MAX_VALUE);
      schema = file.schema();
      reader = file.read(CpuPool.PROCESS, folder, Long.MAX_VALUE);
    }
    assertThat(schema.fields().stream().map(Field::describeType))
        .as(new String(text, StandardCharsets.UTF_8))
        .containsExactlyElementsOf(dataset.fields().stream().map(Field::describeType).toList());
    return rows(reader, schema);
  }

  /// Returns a value as JSON has it, where the numbers that it lacks are null.
  private static @Nullable Object inJson(@Nullable Object value) {
    if (value instanceof Double number && !Double.isFinite(number)) {
      return null;
    }
    return value instanceof List<?> list
        ? list.stream()
            .map(WrittenTextTest::inJson)
            .collect(Collectors.toCollection(ArrayList::new))
        : value;
  }

  @Test
  void readsRandomRowsAsTheyWereWritten() throws IOException {
    for (int seed : Trials.seeds(3_000)) {
      boolean isJson = seed % 2 == 0;
      Rows rows = new Rows(seed, isJson);
      List<RecordBatch> batches =
          IntStream.range(0, 1 + rows.random.nextInt(3))
              .mapToObj(_ -> rows.batch(rows.random.nextInt(20)))
              .toList();
      List<List<@Nullable Object>> expected = new ArrayList<>();
      batches.forEach(batch -> expected.addAll(Values.rows(batch)));
      if (isJson && expected.isEmpty()) {
        continue;
      }
      for (Format format :
          isJson ? List.of(Format.JSON, Format.JSON_LINES) : List.of(Format.CSV, Format.TSV)) {
        byte[] text = written(TextFormat.valueOf(format.name()), batches);
        assertThat(read(format, text, rows.schema))
            .as("seed %d: %s", seed, new String(text, StandardCharsets.UTF_8))
            .isEqualTo(isJson ? inJson(expected) : expected);
      }
    }
  }

  /// Rows of a dataset of their own, in the types that are found: each is written again as it was.
  @Test
  void findsRandomRowsAsTheyWereWritten() throws IOException {
    for (int seed : Trials.seeds(3_000)) {
      Rows rows = new Rows(seed, /* isNested= */ false, /* hasPlainNames= */ true);
      RecordBatch batch = rows.batch(1 + rows.random.nextInt(20));
      for (Format format : List.of(Format.CSV, Format.TSV)) {
        byte[] text = written(TextFormat.valueOf(format.name()), List.of(batch));
        String description =
            "seed %d: %s".formatted(seed, new String(text, StandardCharsets.UTF_8));
        CsvFile file = open(format, text);
        List<String> names = rows.schema.fields().stream().map(Field::name).toList();
        assertThat(file.schema().fields().stream().map(Field::name).toList())
            .as(description)
            .isEqualTo(names);
        List<List<@Nullable Object>> before = texts(format, text, names);
        List<List<@Nullable Object>> after = texts(format, again(format, file), names);
        assertThat(after).as(description).hasSameSizeAs(before);
        for (int i = 0; i < before.size(); i++) {
          for (int j = 0; j < names.size(); j++) {
            boolean isText = file.schema().fields().get(j).type() instanceof ArrowType.Text;
            assertThat(isSame(before.get(i).get(j), after.get(i).get(j), isText))
                .as("row %d, column %d: %s, %s", i, j, after, description)
                .isTrue();
          }
        }
      }
    }
  }

  private static CsvFile open(Format format, byte[] text, String... pairs) throws IOException {
    return CsvFile.open(
        () -> new ByteArrayInputStream(text),
        CsvOptions.parse(format, parameters(pairs)),
        /* dataset= */ null);
  }

  /// Returns the rows of a file as they are written.
  private static byte[] again(Format format, CsvFile file) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    Renderer renderer =
        Renderer.begin(
            TextFormat.valueOf(format.name()),
            TextOptions.DEFAULT,
            file.schema(),
            part -> text.writeBytes(part.toArray(LittleEndian.INT8)),
            UNLIMITED);
    try (FileBatchReader reader = file.read(CpuPool.PROCESS, folder)) {
      for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
        renderer.write(batch);
      }
    }
    renderer.end();
    return text.toByteArray();
  }

  private static List<List<@Nullable Object>> texts(Format format, byte[] text, List<String> names)
      throws IOException {
    CsvFile file =
        open(
            format,
            text,
            "csv.types="
                + names.stream().map(name -> name + ":utf8").collect(Collectors.joining(",")));
    return rows(file.read(CpuPool.PROCESS, folder), file.schema());
  }

  /// Returns whether two texts are of one value: a double of one number, whose digits need not be
  /// all of it, or a time without zeros at its end. Beside such values, an empty text is null, and
  /// spaces are ignored.
  private static boolean isSame(@Nullable Object before, @Nullable Object after, boolean isText) {
    if (isText || before == null || after == null) {
      return Objects.equals(before, after) || !isText && after == null && "".equals(before);
    }
    String first = before.toString().strip();
    String second = after.toString();
    try {
      return Double.compare(Double.parseDouble(first), Double.parseDouble(second)) == 0;
    } catch (NumberFormatException e) {
      return withoutZeros(first).equals(withoutZeros(second));
    }
  }

  private static String withoutZeros(String time) {
    return time.replaceFirst("(:\\d\\d)\\.?(\\d*?)0*(Z|)$", "$1.$2$3");
  }

  /// A table of one column has lines that other readers skip.
  @Test
  void readsEmptyValuesOfSingleColumns() throws IOException {
    Schema schema = Schema.of(Field.of("t", true, new ArrowType.Utf8()));
    List<@Nullable String> texts = Arrays.asList("", null, "\\N", "", "\\", null, "", "");
    RecordBatch batch =
        new ArrayBuilder(Arena.ofAuto()).recordBatch(schema, texts.size(), List.of(texts));
    for (Format format : List.of(Format.CSV, Format.TSV)) {
      byte[] text = written(TextFormat.valueOf(format.name()), List.of(batch));
      assertThat(read(format, text, schema)).isEqualTo(Values.rows(batch));
    }
  }
}
