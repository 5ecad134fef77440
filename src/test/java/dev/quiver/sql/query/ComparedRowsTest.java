package dev.quiver.sql.query;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.TestWorkers;
import dev.quiver.sql.syntax.ConditionTree;
import dev.quiver.sql.where.Conjuncts;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.read.RowMatches;
import dev.quiver.store.read.Snapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Comparisons of columns of every type with literals, evaluated in this process and by the engine.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("random")
class ComparedRowsTest {

  private static final int BATCHES = 4;
  private static final int BATCH_ROWS = 90;
  private static final int CONDITIONS = Trials.of(100);
  private static final int STATEMENTS = Trials.of(150);

  /// A column, its values, and literals to compare it with.
  private record Column(Field field, List<? extends Object> values, List<String> literals) {}

  private static Column column(
      String name, ArrowType type, List<? extends Object> values, String... literals) {
    return new Column(Field.of(name, true, type), values, List.of(literals));
  }

  private static ByteString bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return ByteString.of(bytes);
  }

  private static BigInteger big(String text) {
    return new BigInteger(text);
  }

  private static final String[] TIMES = {
    "'2020-01-01'",
    "DATE '2020-01-01'",
    "TIMESTAMP '2020-01-01 00:00:00.5'",
    "TIMESTAMP '2020-01-01 00:00:01'",
    "'2020-01-01 00:00:00.0005'",
    "'2020-01-01T00:00:01'",
    "TIMESTAMP '1969-12-31 23:59:59.999999'",
    "TIMESTAMP '1900-01-01'",
    "TIMESTAMPTZ '2020-01-01 01:00:00.5+01'",
    "TIMESTAMPTZ '2020-01-01 00:00:00'",
    "'2019-12-31 18:30:00-05:30'",
    "TIMESTAMPTZ '2020-01-01 00:00:00Z'",
    "TIMESTAMP '9999-12-31 23:59:59'",
    "TIMESTAMP_NS '2020-01-01 00:00:00.5'",
  };

  private static List<Object> wholeMicroseconds() {
    return instants(1_000_000).stream()
        .map(micros -> (Object) (((Number) micros).longValue() * 1000))
        .toList();
  }

  private static List<Long> instants(long unitsPerSecond) {
    long start = 1_577_836_800L * unitsPerSecond;
    return List.of(
        0L, -1L, start, start + 1, start + unitsPerSecond, start + unitsPerSecond / 2, start - 1);
  }

  private static final List<Double> FLOATS =
      List.of(
          0.0,
          -0.0,
          0.5,
          Double.NaN,
          Double.NEGATIVE_INFINITY,
          0.1,
          -1.5,
          1e30,
          3.0,
          16777217.0,
          Double.POSITIVE_INFINITY,
          9007199254740993.0,
          1e-40);

  private static final String[] NUMBERS = {
    "0",
    "-1",
    "3",
    "127",
    "128",
    "-128",
    "-129",
    "255",
    "256",
    "32768",
    "2147483647",
    "2147483648",
    "-2147483649",
    "4294967295",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1.5",
    "-0.5",
    "3.0",
    "0.1",
    "-1.50",
    "1e0",
    "1.5e0",
    "-1e2",
    "1e30",
    "0.10000000000000000001",
    "'3'",
    "'-1'",
    "'0'",
    "3::TINYINT",
    "(-1)::BIGINT",
    "'255'::UTINYINT",
    "'1.5'::DOUBLE",
    "'nan'::DOUBLE",
    "'-inf'::FLOAT",
    "'0.1'::FLOAT",
    "'0.1'::DOUBLE",
    "16777217",
    "'16777217'::FLOAT",
    "9007199254740993",
    "9007199254740993.0",
    "-0.0",
    "2::DECIMAL(9,2)",
    "1.55",
    "123456789.125",
    "99999999999999999999.5",
    "+3",
    "- 1",
    "1_000",
    "'1.5'",
    "' 3'",
    "1.",
    ".5",
    "12345678901234567890123456789012345678"
  };

  private static List<Column> columns() {
    String[] texts = {
      "''",
      "'a'",
      "'ab'",
      "'b'",
      "'A'",
      "'ä'",
      "'𝄞'",
      "'a longer text than a view has'",
      "'%'",
      "'a'::VARCHAR",
      "'it''s'",
      "'a_b'"
    };
    List<String> textValues =
        List.of(
            "",
            "a",
            "ab",
            "abc",
            "b",
            "A",
            "ä",
            "𝄞",
            "a longer text than a view has",
            "it's",
            "a\0",
            "a_b",
            "~",
            "z\uFFFF");
    String[] blobs = {
      "''::BLOB", "'\\x00'::BLOB", "'a\\xFF'::BLOB", "'ab'", "'a\\x80b'::BYTEA", "'ab'::BLOB"
    };
    List<ByteString> blobValues =
        List.of(bytes(), bytes(0), bytes('a', 0xFF), bytes('a', 'b'), bytes('a', 0x80, 'b'));
    List<Column> columns = new ArrayList<>();
    columns.add(column("bool", new ArrowType.Bool(), List.of(true, false), "true", "false"));
    for (int width = 8; width <= 64; width *= 2) {
      long high = -1L >>> 65 - width;
      columns.add(
          column(
              "int" + width,
              new ArrowType.Int(width, true),
              List.of(0, -1, 1, 2, 3, 100, high, -high - 1),
              NUMBERS));
      columns.add(
          column(
              "uint" + width,
              new ArrowType.Int(width, false),
              List.of(
                  0, 1, 2, 3, 100, high, BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE)),
              NUMBERS));
    }
    for (Precision precision : Precision.values()) {
      columns.add(
          column(
              "float" + precision.bitWidth(),
              new ArrowType.FloatingPoint(precision),
              precision == Precision.HALF ? FLOATS.subList(0, 5) : FLOATS,
              NUMBERS));
    }
    columns.add(
        column(
            "decimal32",
            new ArrowType.Decimal(5, 2, 32),
            List.of(big("0"), big("150"), big("-50"), big("155"), big("99999"), big("-99999")),
            NUMBERS));
    columns.add(
        column(
            "decimal64",
            new ArrowType.Decimal(18, 3, 64),
            List.of(big("0"), big("3000"), big("-500"), big("1555"), big("123456789125")),
            NUMBERS));
    columns.add(
        column(
            "decimal128",
            new ArrowType.Decimal(38, 10, 128),
            List.of(big("0"), big("30000000000"), big("1000000000"), big("9".repeat(38))),
            NUMBERS));
    columns.add(
        column(
            "decimal256",
            new ArrowType.Decimal(30, 0, 256),
            List.of(big("0"), big("3"), big("-1"), big("9".repeat(30)), big("-" + "9".repeat(30))),
            NUMBERS));
    columns.add(
        column(
            "date32",
            new ArrowType.Date(DateUnit.DAY),
            List.of(18262, 18263, 0, -1, 2932896, -719162),
            "DATE '2020-01-01'",
            "'2020-01-02'",
            "DATE '1969-12-31'",
            "'0001-01-01'",
            "DATE '9999-12-31'",
            "TIMESTAMP '2020-01-01'",
            "'2020-1-1'"));
    columns.add(
        column(
            "date64",
            new ArrowType.Date(DateUnit.MILLISECOND),
            List.of(86_400_000L, 0L),
            "DATE '1970-01-02'",
            "'1970-01-01'"));
    long perSecond = 1;
    for (TimeUnit unit : TimeUnit.values()) {
      long second = perSecond;
      columns.add(
          column(
              "timestamp_" + unit.symbol(),
              new ArrowType.Timestamp(unit, null),
              instants(second),
              TIMES));
      columns.add(
          column(
              "timestamptz_" + unit.symbol(),
              new ArrowType.Timestamp(unit, "Europe/Berlin"),
              unit == TimeUnit.NANOSECOND ? wholeMicroseconds() : instants(second),
              TIMES));
      columns.add(
          column(
              "time_" + unit.symbol(),
              new ArrowType.Time(unit, unit.compareTo(TimeUnit.MICROSECOND) < 0 ? 32 : 64),
              List.of(0L, 3_600L * second, 3_600L * second + 1, 3_600L * second + second / 2),
              "TIME '01:00:00'",
              "'01:00:00.5'",
              "TIME '00:00:00'",
              "TIME '01:00:00.000001'",
              "'01:00:00'",
              "TIME '23:59:59.999999'"));
      columns.add(
          column(
              "duration_" + unit.symbol(),
              new ArrowType.Duration(unit),
              List.of(0L, second),
              "'1 second'::INTERVAL"));
      perSecond *= 1000;
    }
    // The engine compares these with bare strings alone.
    columns.add(
        column(
            "timestamptz_fine",
            new ArrowType.Timestamp(TimeUnit.NANOSECOND, "Europe/Berlin"),
            instants(perSecond / 1000),
            "'2020-01-01'",
            "'2020-01-01 00:00:00'",
            "'2020-01-01 00:00:00.000001'",
            "'1969-12-31 23:59:59.5'"));
    columns.add(column("text", new ArrowType.Utf8(), textValues, texts));
    columns.add(column("large_text", new ArrowType.LargeUtf8(), textValues, texts));
    columns.add(column("text_view", new ArrowType.Utf8View(), textValues, texts));
    columns.add(column("blob", new ArrowType.Binary(), blobValues, blobs));
    columns.add(column("large_blob", new ArrowType.LargeBinary(), blobValues, blobs));
    columns.add(column("blob_view", new ArrowType.BinaryView(), blobValues, blobs));
    columns.add(
        column(
            "fixed_blob",
            new ArrowType.FixedSizeBinary(2),
            List.of(bytes('a', 'b'), bytes(0, 0), bytes(0xFF, 1)),
            "'ab'",
            "'\\x00\\x00'::BLOB",
            "'\\xff'::BLOB"));
    columns.add(
        new Column(
            Field.of("dictionary", true, new ArrowType.Utf8())
                .withDictionary(new DictionaryEncoding(1, new ArrowType.Int(16, true), false)),
            textValues,
            List.of(texts)));
    columns.add(
        new Column(
            Field.of("numbers", true, new ArrowType.Int(64, true))
                .withDictionary(new DictionaryEncoding(2, new ArrowType.Int(8, false), false)),
            List.of(0, -1, 3, 100),
            List.of(NUMBERS)));
    columns.add(
        new Column(
            Field.of(
                "runs",
                true,
                new ArrowType.RunEndEncoded(),
                Field.of("run_ends", false, new ArrowType.Int(32, true)),
                Field.of("values", true, new ArrowType.FloatingPoint(Precision.DOUBLE))),
            FLOATS,
            List.of(NUMBERS)));
    columns.add(
        new Column(
            Field.of(
                "place",
                true,
                new ArrowType.Struct(),
                Field.of("Name", true, new ArrowType.Utf8()),
                Field.of("count", true, new ArrowType.Int(32, false))),
            List.of(Arrays.asList("a", 3), Arrays.asList(null, 2), Arrays.asList("ab", null)),
            List.of()));
    columns.add(column("nothing", new ArrowType.Null(), List.of(), "3"));
    columns.add(
        new Column(
            Field.of(
                "list",
                true,
                new ArrowType.List(),
                Field.of("item", true, new ArrowType.Int(32, true))),
            List.of(List.of(1), List.of()),
            List.of()));
    return columns;
  }

  @TempDir private static Path folder;
  private final List<Column> columns = columns();
  private DatasetTestFolder data;
  private TestQueries queries;
  private TestWorkers parser;

  @BeforeAll
  void write() throws IOException {
    data = new DatasetTestFolder(folder);
    data.put(stream(new Random(7)));
    queries = TestQueries.of(data.datasets, TestWorkers.options(Duration.ofSeconds(60)));
    parser = new TestWorkers();
  }

  @AfterAll
  void close() {
    parser.close();
    queries.close();
    data.datasets.close();
  }

  /// Returns a stream of batches that have nulls, no nulls, or one value, so that statistics
  /// differ.
  private byte[] stream(Random random) throws IOException {
    Schema schema = Schema.of(columns.stream().map(Column::field).toArray(Field[]::new));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Arena arena = Arena.ofConfined()) {
      Map<Long, List<@Nullable Object>> dictionaries = new HashMap<>();
      for (Column column : columns) {
        DictionaryEncoding encoding = column.field.dictionary();
        if (encoding != null) {
          List<@Nullable Object> values = new ArrayList<>(column.values);
          values.add(null);
          dictionaries.put(encoding.id(), values);
        }
      }
      StreamWriter writer =
          new StreamWriter(
              part -> bytes.writeBytes(part.toArray(ValueLayout.JAVA_BYTE)), schema, Codec.NONE);
      ArrayBuilder builder = new ArrayBuilder(arena, dictionaries);
      for (int batch = 0; batch < BATCHES; batch++) {
        List<List<@Nullable Object>> values = new ArrayList<>();
        for (Column column : columns) {
          values.add(values(column, batch, random));
        }
        writer.write(builder.recordBatch(schema, BATCH_ROWS, values));
      }
      writer.close();
    }
    return bytes.toByteArray();
  }

  private static List<@Nullable Object> values(Column column, int batch, Random random) {
    List<@Nullable Object> values = new ArrayList<>();
    List<? extends Object> all = column.values;
    for (int i = 0; i < BATCH_ROWS; i++) {
      boolean isNull = all.isEmpty() || batch != 1 && random.nextInt(4) == 0;
      int bound = Math.max(1, batch == 2 ? all.size() / 2 : all.size());
      values.add(isNull ? null : all.get(random.nextInt(bound)));
    }
    return values;
  }

  /// A random condition. A literal is mostly one for the type of the column.
  private String condition(Random random) {
    return switch (random.nextInt(12)) {
      case 0 -> "NOT (" + condition(random) + ")";
      case 1, 2 -> "(" + condition(random) + ") AND (" + condition(random) + ")";
      case 3 -> "NOT ((" + condition(random) + ") OR (" + condition(random) + "))";
      default -> comparison(random);
    };
  }

  private String comparison(Random random) {
    Column column = columns.get(random.nextInt(columns.size()));
    String name = column.field.name();
    if (name.equals("place")) {
      return List.of(
              "place IS NULL",
              "place.name = 'a'",
              "place.COUNT > 2",
              "Place.name IS NULL",
              "place.count NOT IN (3)",
              "place.name IS DISTINCT FROM 'a'")
          .get(random.nextInt(6));
    }
    if (column.literals.isEmpty() || random.nextInt(10) == 0) {
      return name + (random.nextBoolean() ? " IS NULL" : " IS NOT NULL");
    }
    boolean isText = column.literals.contains("'it''s'");
    String literal = literal(column, random);
    String other = literal(column, random);
    return switch (random.nextInt(8)) {
      case 0 -> "%s %sBETWEEN %s AND %s".formatted(name, not(random), literal, other);
      case 1 ->
          "%s %sIN (%s, %s, %s)"
              .formatted(name, not(random), literal, other, literal(column, random));
      case 2 -> literal + " " + operator(random) + " " + name;
      case 3 -> isText ? "starts_with(" + name + ", 'a')" : name + " = NULL";
      case 4 -> isText ? name + " LIKE 'a%'" : name + " IS DISTINCT FROM " + literal;
      default -> name + " " + operator(random) + " " + literal;
    };
  }

  private static String literal(Column column, Random random) {
    return random.nextInt(30) == 0
        ? "NULL"
        : column.literals.get(random.nextInt(column.literals.size()));
  }

  private static String not(Random random) {
    return random.nextInt(3) == 0 ? "NOT " : "";
  }

  private static String operator(Random random) {
    return List.of("=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM")
        .get(random.nextInt(8));
  }

  /// Returns the rows that match, as texts, or the failure.
  private String rows(String condition) throws IOException {
    try (Snapshot snapshot = data.open().startingAt(17)) {
      RowMatches matches = queries.conditions().matches(snapshot, condition, TestWorkers.PRINCIPAL);
      StringBuilder rows = new StringBuilder();
      for (int i = 0; i < matches.batchCount(); i++) {
        rows.append(matches.batch(i)).append(Arrays.toString(matches.bits(i))).append(' ');
      }
      return rows.append(matches.count()).toString();
    } catch (SqlException e) {
      return "failure";
    }
  }

  private Conjuncts conjuncts(String condition) throws IOException {
    List<String> statements = ConditionTree.statements(condition);
    ConditionTree tree =
        ConditionTree.of(
            condition, parser.parse(statements.getFirst()), parser.parse(statements.getLast()));
    try (Snapshot snapshot = data.open()) {
      return Conjuncts.of(tree.root(), snapshot.schema(), "rows");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 5, 9})
  void rowsEqualTheEngines(int seed) throws IOException {
    Random random = new Random(seed);
    int whole = 0;
    for (int i = 0; i < CONDITIONS; i++) {
      String condition = condition(random);
      // The engine evaluates all of this.
      String expected = rows("coalesce((" + condition + "), false)");
      boolean isWhole = conjuncts(condition).isWhole();
      whole += isWhole ? 1 : 0;
      // The engine may fail for a row that a comparison excludes.
      if (isWhole || !expected.equals("failure")) {
        assertThat(rows(condition)).as("seed %d: %s", seed, condition).isEqualTo(expected);
      }
    }
    assertThat(whole).as("conditions that need no engine").isGreaterThan(CONDITIONS / 5);
  }

  /// A worker leaves out rows that comparisons reject, before the engine gets them.
  @Test
  void statementsHaveTheRowsOfTheEngine() throws IOException {
    Random random = new Random(6);
    int selective = 0;
    for (int i = 0; i < STATEMENTS; i++) {
      // Both, so that some leave few rows.
      String condition = "(%s) AND (%s)".formatted(condition(random), condition(random));
      List<List<@Nullable Object>> expected;
      try {
        expected =
            TestWorkers.columns(queries, "SELECT * FROM (SELECT * FROM data) WHERE " + condition);
      } catch (SqlException e) {
        continue;
      }
      // Unlike those of a bare star, such columns have the engine's types.
      assertThat(TestWorkers.columns(queries, "SELECT COLUMNS(*) FROM data WHERE " + condition))
          .as(condition)
          .isEqualTo(expected);
      int rowCount = expected.isEmpty() ? 0 : expected.getFirst().size();
      selective += rowCount > 0 && rowCount < BATCHES * BATCH_ROWS / 16 ? 1 : 0;
    }
    assertThat(selective).as("conditions with few rows").isGreaterThanOrEqualTo(STATEMENTS / 50);
  }

  /// Each pair of a column and a literal that is not left to the engine.
  @Tag("long")
  @Test
  void eachLiteralIsComparedAsByTheEngine() throws IOException {
    int compared = 0;
    for (Column column : columns) {
      for (String literal : column.literals) {
        String condition = column.field.name() + (compared % 2 == 0 ? " <= " : " = ") + literal;
        if (conjuncts(condition).isWhole()) {
          compared++;
          assertThat(rows(condition))
              .as(condition)
              .isEqualTo(rows("coalesce((" + condition + "), false)"));
        }
      }
    }
    assertThat(compared).isGreaterThan(300);
  }

  @Test
  void usualComparisonsNeedNoEngine() throws IOException {
    for (String condition :
        List.of(
            "int32 = 3 and float64 < 0.1",
            "1 < int64 and not (uint8 > 5 or text = 'a')",
            "bool and not bool and bool is true and bool = false",
            "text in ('a', 'b', null) and dictionary >= 'b'",
            "timestamp_us >= '2020-01-01' and timestamp_ns < timestamp '2020-01-02'",
            "timestamptz_ms > timestamptz '2020-01-01 00:00:00+00'",
            "date32 between date '2020-01-01' and date '2020-01-31'",
            "date32 not between date '2020-01-01' and date '2020-01-31'",
            "decimal64 <= 1.5 and decimal128 > 3 and decimal32 = '1.5'",
            "place.name = 'a' and place is not null and list is null",
            "blob = '\\x00'::blob and text like 'a%' and runs > 1.5 and numbers in (1, 2)")) {
      assertThat(conjuncts(condition).isWhole()).as(condition).isTrue();
    }
  }

  @Test
  void otherExpressionsAreLeftToTheEngine() throws IOException {
    for (String condition :
        List.of(
            "int32 + 1 = 3",
            "int32 = uint8",
            "text collate nocase = 'a'",
            "text = 3",
            "int32 = 'x'",
            "int64 = 1e0",
            "float32 = 16777217",
            "date32 = timestamp '2020-01-01'",
            "date64 = date '2020-01-01'",
            "timestamp_s = '2020-01-01 00:00:00.5'",
            "timestamp_us = '2020-01-01 00:00:00+01'",
            "decimal128 = 0.12345678901",
            "duration_s = '1 second'::interval",
            "not (int32 = 3 and int8 = 3)",
            "int32 = 3 or int8 = 3",
            "blob = '\\xG0'::blob",
            "int32 in (1, 2.5)",
            "date32 in ('2020-01-01')",
            "int32 = try_cast('3' as integer)",
            "text not like 'a%'",
            "text like 'a_%'",
            "false")) {
      assertThat(conjuncts(condition).isWhole()).as(condition).isFalse();
      assertThat(conjuncts(condition).isEmpty()).as(condition).isTrue();
    }
  }

  /// The connection of a client has no place for several threads.
  @Test
  void oneThreadAsksWhetherAClientHasLeft() throws IOException {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    try (Snapshot snapshot = data.open()) {
      for (int i = 0; i < 20; i++) {
        String condition = "int64 <> " + i;
        var _ =
            Cancellation.when(
                    () -> {
                      threads.add(Thread.currentThread());
                      return false;
                    })
                .call(
                    () -> queries.conditions().matches(snapshot, condition, TestWorkers.PRINCIPAL));
      }
    }
    assertThat(threads).containsExactly(Thread.currentThread());
  }

  /// Each text would be compared with each literal.
  @Test
  void longListsAreLeftToTheEngineUnlessTheyAreSearched() throws IOException {
    String texts = IntStream.range(0, 17).mapToObj(i -> "'" + i + "'").collect(joining(", "));
    String numbers = IntStream.range(0, 17).mapToObj(Integer::toString).collect(joining(", "));
    for (String condition : List.of("text in (%s)", "text not in (%s)", "runs in (%s)")) {
      String list = condition.startsWith("runs") ? numbers : texts;
      assertThat(conjuncts(condition.formatted(list)).isWhole()).as(condition).isFalse();
      String shorter = condition.formatted(list.substring(list.indexOf(' ')));
      assertThat(conjuncts(shorter).isWhole()).as(shorter).isTrue();
    }
    assertThat(conjuncts("dictionary in (%s)".formatted(texts)).isWhole()).isTrue();
    assertThat(conjuncts("decimal128 in (%s)".formatted(numbers)).isWhole()).isFalse();
    assertThat(conjuncts("decimal64 in (%s)".formatted(numbers)).isWhole()).isTrue();
    assertThat(conjuncts("int32 in (%s)".formatted(numbers)).isWhole()).isTrue();
  }

  @Test
  void partsThatNeedTheEngineAreEvaluatedForTheOtherRowsOnly() throws IOException {
    // The division fails for no row that the first part selects.
    assertThat(rows("text = '1' and text::integer > 0")).endsWith("0");
    assertThat(rows("int8 <> 0 and int8::varchar = '3'")).isEqualTo(rows("int8 = 3"));
    assertThat(rows("text in ('a', 'ab') and text::integer > 0")).isEqualTo("failure");
    assertThat(rows("int8 = 55 and text + 1 = 'x'")).isEqualTo("failure");
  }
}
