package dev.quiver.sql.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.UnionValue;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.IntervalValue;
import dev.quiver.arrow.validate.Level;
import dev.quiver.arrow.validate.Validator;
import dev.quiver.sql.engine.EngineException.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ResultsTest extends EngineFixture {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "true | bool",
        "1::TINYINT | int8",
        "1::UBIGINT | uint64",
        "1::FLOAT | float32",
        "1::DOUBLE | float64",
        "1::DECIMAL(4,1) | decimal128(4, 1)",
        "1::DECIMAL(9,1) | decimal128(9, 1)",
        "1::DECIMAL(18,1) | decimal128(18, 1)",
        "1::DECIMAL(38,1) | decimal128(38, 1)",
        "1::HUGEINT | decimal128(38, 0)",
        "1::UHUGEINT | decimal128(38, 0)",
        "'x' | utf8",
        "'1'::JSON | json",
        "'x'::BLOB | binary",
        "uuid() | uuid",
        "DATE '2024-01-01' | date32[day]",
        "TIME '00:00' | time64[us]",
        "'00:00'::TIME_NS | time64[ns]",
        "'2024-01-01'::TIMESTAMP_S | timestamp[s]",
        "'2024-01-01'::TIMESTAMP_MS | timestamp[ms]",
        "'2024-01-01'::TIMESTAMP | timestamp[us]",
        "'2024-01-01'::TIMESTAMP_NS | timestamp[ns]",
        "'2024-01-01'::TIMESTAMPTZ | timestamp[us, UTC]",
        "'2024-01-01'::TIMESTAMPTZ_NS | timestamp[ns, UTC]",
        "INTERVAL '1 day' | interval[month_day_nano]",
        "'a'::ENUM('a', 'b') | dictionary<uint8, utf8, ordered>",
        "[1] | list<item: int32>",
        "[1]::INT[1] | fixed_size_list[1]<item: int32>",
        "{'a': 1} | struct<a: int32>",
        "row(1, 'x') | struct<: int32, : utf8>",
        "MAP {'a': 1} | map<entries: struct<key: utf8 not null, value: int32> not null>",
        "union_value(a := 1) | sparse_union<a: int32>",
        "NULL | null"
      })
  void eachTypeHasAnArrowType(String expression, String type) {
    try (Statement statement =
            session.prepare("SELECT " + expression + " AS c", Map.of(), StatementParameters.NONE);
        Arena arena = Arena.ofConfined()) {
      Field field = statement.schema().fields().getFirst();
      assertThat(field.describeType()).isEqualTo(type);
      RecordBatch batch = Objects.requireNonNull(statement.next(arena));
      assertThat(batch.schema()).isEqualTo(statement.schema());
      assertThat(Validator.validate(batch, Level.VALUES)).isEmpty();
    }
  }

  @Test
  void valuesAreExact() {
    assertThat(value("170141183460469231731687303715884105::HUGEINT"))
        .isEqualTo(new BigInteger("170141183460469231731687303715884105"));
    assertThat(value("(-1)::HUGEINT")).isEqualTo(BigInteger.ONE.negate());
    assertThat(String.valueOf(value("'f0010203-0405-0607-0809-0a0b0c0d0e0f'::UUID")))
        .isEqualTo(
            ByteString.of(
                    new byte[] {(byte) 0xF0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
                .toString());
    assertThat(value("INTERVAL '-14 months 3 days -5 us'"))
        .isEqualTo(new IntervalValue.MonthDayNano(-14, 3, -5000));
    assertThat(value("'2262-01-01 00:00:00.000000001+01'::TIMESTAMPTZ_NS"))
        .isEqualTo(9214642800000000001L);
    assertThat(value("MAP {'a': [1, NULL], 'b': NULL}"))
        .isEqualTo(List.of(List.of("a", Arrays.asList(1L, null)), Arrays.asList("b", null)));
    assertThat(value("list_zip([1, 2], ['a', NULL])"))
        .isEqualTo(List.of(List.of(1L, "a"), Arrays.asList(2L, null)));
    assertThat(value("'b'::ENUM('a', 'b')")).isEqualTo("b");
    assertThat(value("union_value(b := 'x')::UNION(a INT, b VARCHAR)"))
        .isEqualTo(new UnionValue(1, "x"));
    assertThat(value("NULL::UNION(a INT, b VARCHAR)")).isEqualTo(new UnionValue(0, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"HUGEINT", "UHUGEINT"})
  void hugeIntegersHave38Digits(String type) {
    String largest = "9".repeat(38);
    assertThat(value("'" + largest + "'::" + type)).isEqualTo(new BigInteger(largest));
    assertThat(failure("SELECT '1" + "0".repeat(38) + "'::" + type, Map.of()).kind())
        .isEqualTo(Kind.CONVERSION);
    if (type.equals("HUGEINT")) {
      assertThat(value("'-" + largest + "'::HUGEINT")).isEqualTo(new BigInteger("-" + largest));
      assertThat(failure("SELECT '-1" + "0".repeat(38) + "'::HUGEINT", Map.of()).kind())
          .isEqualTo(Kind.CONVERSION);
    }
    assertThat(
            failure(
                "SELECT x FROM (VALUES (NULL),  ('15" + "0".repeat(37) + "'::" + type + ")) t(x)",
                Map.of()))
        .hasMessageContainingAll("38 digits", "column x", "CAST");
  }

  @Test
  void intervalsBeyondNanosecondsFail() {
    assertThat(failure("SELECT to_microseconds(9223372036854776) AS i", Map.of()))
        .hasMessageContaining("column i");
    assertThat(value("to_microseconds(9223372036854775)"))
        .isEqualTo(new IntervalValue.MonthDayNano(0, 0, 9223372036854775000L));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'1'::BIT | BIT | VARCHAR",
        "'1'::BIGNUM | BIGNUM | VARCHAR",
        "'10:00+01'::TIMETZ | TIME_TZ | TIME",
        "1::VARIANT | VARIANT | VARCHAR",
        "[[{'a': '1'::BIT}]] | BIT | VARCHAR"
      })
  void typesThatArrowLacksAreNamedWithACast(String expression, String type, String cast) {
    EngineException failure = failure("SELECT " + expression + " AS c", Map.of());
    assertThat(failure.kind()).isEqualTo(Kind.UNSUPPORTED_TYPE);
    assertThat(failure).hasMessageContainingAll("found " + type, "CAST it AS " + cast);
  }

  /// Compares with the engine's own JSON. Functions on lists leave lists whose items are shared,
  /// reversed or selected from those of others.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[i, i + 1, NULL]",
        "list_sort([3, i % 5, NULL, 1])",
        "list_reverse([i, 2, 3])",
        "list_select([i, 5, 6], [3, 1])",
        "list_filter(range(i % 7), lambda x: x % 2 = 0)",
        "list_transform(range(i % 4), lambda x: {'x': x, 'l': range(x)})",
        "[[i], [], NULL, [1, i]]",
        "list_slice([[1, i], [2], [3, i]], 2, 3)",
        "list_distinct([i % 3, 1, 1, NULL])",
        "array_value(i, 2, 3)",
        "[array_value(i, 2), array_value(3, NULL)]",
        "{'a': i, 'b': [i], 'c': {'d': NULL, 'e': 'text of ' || i}}",
        "if(i % 3 = 0, NULL, {'a': [i, NULL]})",
        "if(i % 3 = 0, NULL, [i]::INT[1])",
        "MAP {'k' || i: i, 'l': NULL}",
        "map_entries(MAP {'k' || i: i})",
        "map_from_entries([('a' || i, [i])])",
        "['x' || i, repeat('long', i % 9), NULL]",
        "(SELECT list(j ORDER BY j DESC) FROM range(i % 3) r(j))",
        "[5, 6, 7][1:(i % 4)]",
        "list_concat([i], if(i % 2 = 0, NULL, [7, 8]))"
      })
  void nestedResultsAgreeWithTheEnginesJson(String expression) {
    String sql = "SELECT x, to_json(x) FROM (SELECT " + expression + " AS x FROM range(5000) r(i))";
    JsonMapper mapper = JsonMapper.shared();
    try (Statement statement = session.prepare(sql, Map.of(), StatementParameters.NONE)) {
      Field field = statement.schema().fields().getFirst();
      List<List<@Nullable Object>> rows = TestEngine.rows(statement);
      assertThat(rows).hasSize(5000);
      for (List<@Nullable Object> row : rows) {
        JsonNode expected = row.get(1) == null ? null : mapper.readTree((String) row.get(1));
        assertThat(json(field, row.get(0))).isEqualTo(mapper.valueToTree(plain(expected)));
      }
    }
  }

  private static @Nullable Object plain(@Nullable JsonNode node) {
    return node == null || node.isNull() ? null : node;
  }

  /// Returns a value as JSON: structs and maps as objects.
  private static JsonNode json(Field field, @Nullable Object value) {
    JsonMapper mapper = JsonMapper.shared();
    if (value == null) {
      return mapper.valueToTree(null);
    }
    List<Field> children = field.children();
    return switch (field.type()) {
      case ArrowType.Struct _ -> {
        var object = mapper.createObjectNode();
        for (int i = 0; i < children.size(); i++) {
          object.set(children.get(i).name(), json(children.get(i), ((List<?>) value).get(i)));
        }
        yield object;
      }
      case ArrowType.Map _ -> {
        var object = mapper.createObjectNode();
        for (Object entry : (List<?>) value) {
          Field item = children.getFirst().children().getLast();
          object.set(
              (String) ((List<?>) entry).getFirst(), json(item, ((List<?>) entry).getLast()));
        }
        yield object;
      }
      case ArrowType.List _, ArrowType.FixedSizeList _ -> {
        var array = mapper.createArrayNode();
        ((List<?>) value).forEach(item -> array.add(json(children.getFirst(), item)));
        yield array;
      }
      default ->
          mapper.readTree(
              value instanceof String ? mapper.writeValueAsString(value) : value.toString());
    };
  }

  @Test
  void nullRowsAndPaddingHoldNothing() {
    String sql =
        "SELECT if(i % 2 = 0, NULL, i), if(i % 2 = 0, NULL, i % 3 = 0), if(i % 2 = 0, NULL, i::HUGEINT),"
            + " if(i % 2 = 0, NULL, {'a': i}) FROM range(1, 5001) r(i)";
    try (Statement statement = session.prepare(sql, Map.of(), StatementParameters.NONE)) {
      RecordBatch batch =
          Objects.requireNonNull(
              statement.next((byteSize, alignment) ->
                  Arena.ofAuto().allocate(byteSize, alignment).fill((byte) 0xA5)));
      assertNullRowsAreZero(batch.columns().get(0), 8);
      assertNullRowsAreZero(batch.columns().get(2), 16);
      assertNullRowsAreZero(batch.columns().get(3).children().getFirst(), 8);
      assertThat(Validator.validate(batch, Level.VALUES)).isEmpty();
    }
  }

  private static void assertNullRowsAreZero(ArrayData array, int byteWidth) {
    assertThat(array.nullCount()).isEqualTo(2500);
    MemorySegment zero = MemorySegment.ofArray(new byte[byteWidth]);
    for (long i = 0; i < array.length(); i++) {
      if (Array.of(array).isNull(i)) {
        MemorySegment value = array.buffers().get(1).asSlice(i * byteWidth, byteWidth);
        assertThat(value.mismatch(zero)).as("row %d", i).isEqualTo(-1);
      }
    }
  }

  @Test
  void constantAndDictionaryVectorsAreFlat() {
    List<List<@Nullable Object>> rows =
        TestEngine.rows(
            session,
            "SELECT 7, 'text that is long', [1, 2], {'a': 'x'} FROM range(3000) ORDER BY range % 7");
    assertThat(rows)
        .hasSize(3000)
        .containsOnly(List.of(7L, "text that is long", List.of(1L, 2L), List.of("x")));
  }

  @Test
  void nullsMayBeginAfterManyRows() {
    List<List<@Nullable Object>> rows =
        TestEngine.rows(session, "SELECT if(range = 5000, NULL, range) FROM range(9000)");
    for (int i = 0; i < rows.size(); i++) {
      assertThat(rows.get(i).getFirst()).isEqualTo(i == 5000 ? null : (Object) (long) i);
    }
  }

  @Test
  void columnsWithoutRowsHaveTheirTypes() {
    String sql = "SELECT 1 AS a, [1] AS b, {'x': 1} AS c WHERE false";
    try (Statement statement = session.prepare(sql, Map.of(), StatementParameters.NONE);
        Arena arena = Arena.ofConfined()) {
      assertThat(statement.schema().fields())
          .extracting(Field::name)
          .containsExactly("a", "b", "c");
      assertThat(statement.next(arena)).isNull();
      assertThat(statement.next(arena)).isNull();
    }
  }

  @Test
  void arraysOfManyBatchesAreValid() {
    String sql =
        "SELECT if(i % 5 = 0, NULL, i), 't' || i, if(i % 3 = 0, NULL, range(i % 4)), i % 2 = 0,"
            + " MAP {i: 'x' || i} FROM range(200000) r(i)";
    try (Statement statement = session.prepare(sql, Map.of(), StatementParameters.NONE)) {
      long row = 0;
      while (true) {
        RecordBatch batch = statement.next(Arena.ofAuto());
        if (batch == null) {
          break;
        }
        assertThat(Validator.validate(batch, Level.VALUES)).isEmpty();
        row += batch.length();
      }
      assertThat(row).isEqualTo(200_000);
    }
  }

  private @Nullable Object value(String expression) {
    return TestEngine.rows(session, "SELECT " + expression).getFirst().getFirst();
  }
}
