package dev.quiver.sql.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.SqlOptions;
import dev.quiver.sql.execution.TestWorkers;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.read.DecodedBatches;
import dev.quiver.store.read.RowMatches;
import dev.quiver.store.read.Selection;
import dev.quiver.store.read.Snapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Conditions on a dataset of several batches, one of them empty.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConditionsTest {

  private static final int[] BATCHES = {100, 1000, 0, 37, 500};
  private static final int ROWS = IntStream.of(BATCHES).sum();

  private static final Schema SCHEMA =
      Schema.of(
          Field.of("id", false, new ArrowType.Int(32, true)),
          Field.of("name", true, new ArrowType.Utf8()),
          Field.of("Twice", false, new ArrowType.Int(32, true)),
          Field.of("twice", false, new ArrowType.Int(32, true)),
          Field.of("Ä", false, new ArrowType.Int(32, true)),
          Field.of("ä", false, new ArrowType.Int(32, true)));

  @TempDir private static Path folder;
  private DatasetTestFolder data;
  private TestQueries queries;
  private Snapshot snapshot;

  @BeforeAll
  void write() throws IOException {
    data = new DatasetTestFolder(folder);
    data.put(stream(BATCHES));
    queries = TestQueries.of(data.datasets, options(1 << 20));
  }

  private static SqlOptions options(long memory) {
    return TestWorkers.options(Duration.ofSeconds(60), 2, 1000, memory);
  }

  @AfterAll
  void close() {
    queries.close();
    data.datasets.close();
  }

  @BeforeEach
  void open() throws IOException {
    snapshot = data.open();
  }

  @AfterEach
  void closeSnapshot() throws IOException {
    snapshot.close();
  }

  private static byte[] stream(int... batches) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Arena arena = Arena.ofConfined()) {
      StreamWriter writer =
          new StreamWriter(
              part -> bytes.writeBytes(part.toArray(ValueLayout.JAVA_BYTE)), SCHEMA, Codec.NONE);
      int first = 0;
      for (int rowCount : batches) {
        List<Integer> ids = IntStream.range(first, first + rowCount).boxed().toList();
        List<@Nullable Object> names = new ArrayList<>();
        ids.forEach(id -> names.add(id % 7 == 0 ? null : "name " + id % 10));
        List<Integer> negated = ids.stream().map(id -> -id).toList();
        writer.write(
            new ArrayBuilder(arena)
                .recordBatch(SCHEMA, rowCount, List.of(ids, names, ids, ids, ids, negated)));
        first += rowCount;
      }
      writer.close();
    }
    return bytes.toByteArray();
  }

  private RowMatches matches(String condition) throws IOException {
    return queries.conditions().matches(snapshot, condition, TestWorkers.PRINCIPAL);
  }

  /// Returns the ids of the rows that match.
  private List<Integer> ids(String condition) throws IOException {
    Selection selection = new Selection(List.of("id"), 0, Long.MAX_VALUE).among(matches(condition));
    List<Integer> ids = new ArrayList<>();
    try (DecodedBatches batches = snapshot.select(selection).decodedBatches()) {
      for (long i = 0; i < batches.count(); i++) {
        RecordBatch batch = batches.read(i);
        Array.FixedWidth column = (Array.FixedWidth) Array.of(batch.columns().getFirst());
        for (long row = 0; row < batch.length(); row++) {
          ids.add((int) column.integer(row));
        }
      }
    }
    return ids;
  }

  private static List<Integer> expected(IntPredicate condition) {
    return IntStream.range(0, ROWS).filter(condition).boxed().toList();
  }

  @Test
  void comparisonsMayBeNegatedAndReversed() throws IOException {
    Map<String, IntPredicate> comparisons =
        Map.of(
            "<", id -> id < 500,
            "<=", id -> id <= 500,
            ">", id -> id > 500,
            ">=", id -> id >= 500,
            "=", id -> id == 500,
            "<>", id -> id != 500);
    for (Map.Entry<String, IntPredicate> comparison : comparisons.entrySet()) {
      String operator = comparison.getKey();
      IntPredicate selects = comparison.getValue();
      assertThat(ids("not id %s 500".formatted(operator))).isEqualTo(expected(selects.negate()));
      assertThat(ids("500 %s id".formatted(operator)))
          .isEqualTo(expected(id -> selects.test(1000 - id)));
    }
  }

  @Test
  void selectsTheRowsThatMatchInTheirOrder() throws IOException {
    assertThat(ids("id % 3 = 1")).isEqualTo(expected(id -> id % 3 == 1));
    assertThat(ids("id >= 99 and id < 1105")).isEqualTo(expected(id -> id >= 99 && id < 1105));
    assertThat(ids("name = 'name 3'")).isEqualTo(expected(id -> id % 7 != 0 && id % 10 == 3));
    assertThat(ids("name is null")).isEqualTo(expected(id -> id % 7 == 0));
    assertThat(ids("name like '%5' or id in (1, 2, 7)"))
        .isEqualTo(expected(id -> id % 7 != 0 && id % 10 == 5 || id == 1 || id == 2 || id == 7));
    assertThat(ids("true")).hasSize(ROWS);
    assertThat(ids("id < 0 -- none")).isEmpty();
    assertThat(ids("null")).isEmpty();
  }

  @Test
  void offsetLimitAndSampleCountMatches() throws IOException {
    RowMatches matches = matches("id % 3 = 1");
    List<Integer> expected = expected(id -> id % 3 == 1);
    assertThat(snapshot.select(new Selection(List.of(), 40, 10).among(matches)).rows())
        .isEqualTo(10);
    assertThat(snapshot.select(new Selection(List.of(), -40, 100).among(matches)).rows())
        .isEqualTo(40);
    assertThat(
            snapshot.select(new Selection(List.of(), 0, Long.MAX_VALUE, 7).among(matches)).rows())
        .isEqualTo(7);
    assertThat(matches.count()).isEqualTo(expected.size());
  }

  @Test
  void rowsBeforeTheFirstOneAreLeftOut() throws IOException {
    try (Snapshot since = data.open().startingAt(1050)) {
      RowMatches matches = queries.conditions().matches(since, "id % 2 = 0", TestWorkers.PRINCIPAL);
      assertThat(matches.count()).isEqualTo(expected(id -> id >= 1050 && id % 2 == 0).size());
    }
    assertThat(matches("id % 2 = 0").count()).isEqualTo(expected(id -> id % 2 == 0).size());
  }

  @Test
  void reportsThePositionAndTheNearestNameOfAnUnknownColumn() {
    assertThatThrownBy(() -> matches("id > 1 and nam = 'x'"))
        .asInstanceOf(type(SqlException.Invalid.class))
        .satisfies(failure -> {
          assertThat(failure.position()).isEqualTo(11);
          assertThat(failure).hasMessage("Expected a column but found nam; the nearest is name");
        });
  }

  @Test
  void onlyLettersOfAsciiHaveCases() throws IOException {
    assertThat(ids("Ä = 5")).containsExactly(5);
    assertThat(ids("ä = -6")).containsExactly(6);
    assertThat(ids("Ä + 1 = 8 AND ä < 0")).containsExactly(7);
  }

  @Test
  void columnsThatDifferInCaseAloneAreAmbiguous() {
    assertThatThrownBy(() -> matches("twice = 2"))
        .isInstanceOf(SqlException.Invalid.class)
        .hasMessageContaining("which 2 columns have");
  }

  @Test
  void reportsThePositionOfTypesThatDoNotMatch() {
    assertThatThrownBy(() -> matches("id > 1 and name + 1 > 2"))
        .isInstanceOfAny(SqlException.Invalid.class, SqlException.Value.class);
  }

  @Test
  void nothingButAConditionIsAccepted() {
    for (String condition :
        List.of(
            "id > 1) or (1=1",
            "id > 1 group by id",
            "id > 1 order by id",
            "id > 1 limit 1",
            "id > 1 union select 1",
            "id > 1 qualify true",
            "id > 1 using sample 10",
            "id > 1; select 1",
            "id > (select max(id) from rows)",
            "exists (from read_text('/etc/passwd'))",
            "sum(id) > 1",
            "row_number() over () < 5",
            "random() < 0.5",
            "id > $1",
            "id > ?",
            "list_transform([id], lambda x: x + 1)[1] > 2",
            "repeat('x', id) = 'x'",
            "id in (select 1)",
            "current_setting('threads') = '1'",
            "now() > timestamp '2020-01-01'",
            "")) {
      assertThatThrownBy(() -> matches(condition))
          .as(condition)
          .isInstanceOf(SqlException.Invalid.class);
    }
  }

  @Test
  void conditionOfTheLimitPassesAndOneByteMoreDoesNot() throws IOException {
    String longest = "id = 1" + " ".repeat(994);
    assertThat(ids(longest)).containsExactly(1);
    assertThatThrownBy(() -> matches(longest + " "))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("quiver.sql.text-bytes");
  }

  @Test
  void conditionIsNotParsedWithTooManyBrackets() throws IOException {
    assertThat(ids("(".repeat(120) + "id = 1" + ")".repeat(120))).containsExactly(1);
    assertThatThrownBy(() -> matches("(".repeat(251)))
        .isInstanceOf(SqlException.Invalid.class)
        .hasMessage("Expected at most 250 brackets that are open at a time but found more");
  }

  @Test
  void matchesBeyondTheirMemoryFail() {
    try (TestQueries small = TestQueries.of(data.datasets, options(100))) {
      assertThatThrownBy(
              () -> small.conditions().matches(snapshot, "id % 2 = 1", TestWorkers.PRINCIPAL))
          .isInstanceOf(TooLargeInputException.class)
          .hasMessageContaining("quiver.where.memory");
    }
  }

  @Tag("long")
  @Test
  void batchesOfTooManyRowsFailBeforeTheyAreRead(@TempDir Path other) throws IOException {
    Field field = Field.of("nothing", true, new ArrowType.Null());
    Limits limits =
        Limits.of(64L << 20, 16L << 30, Long.MAX_VALUE, 100_000, 64, 1L << 30, 1_000, 1_000_000);
    for (long rowCount : new long[] {1L << 30, 1L << 40}) {
      DatasetTestFolder large = new DatasetTestFolder(other.resolve(rowCount + ""), limits);
      ArrayData nulls = new ArrayData(field, rowCount, rowCount, List.of(), List.of(), null);
      large.put(
          stream(new RecordBatch(Schema.of(field), rowCount, List.of(nulls)), Schema.of(field)));
      try (TestQueries small = TestQueries.of(large.datasets, options(100 << 20));
          Snapshot version = large.open()) {
        assertThatThrownBy(
                () -> small.conditions().matches(version, "nothing IS NULL", TestWorkers.PRINCIPAL))
            .isInstanceOf(TooLargeInputException.class)
            .hasMessageContaining(
                rowCount > Integer.MAX_VALUE
                    ? " rows in a record batch (parameter where) but found 1099511627776"
                    : " bytes of matches (quiver.where.memory) but found 134217728");
      }
      large.datasets.close();
    }
  }

  @Tag("long")
  @Test
  void dictionariesOfTooManyValuesFail(@TempDir Path other) throws IOException {
    DictionaryEncoding encoding = new DictionaryEncoding(0, new ArrowType.Int(32, true), false);
    Schema schema =
        Schema.of(Field.of("name", true, new ArrowType.Utf8()).withDictionary(encoding));
    List<String> names = IntStream.range(0, 2000).mapToObj(i -> "name " + i).toList();
    DatasetTestFolder encoded = new DatasetTestFolder(other);
    try (Arena arena = Arena.ofConfined()) {
      RecordBatch batch =
          new ArrayBuilder(arena, Map.of(0L, names))
              .recordBatch(schema, 2, List.of(List.of("name 1", "name 2")));
      encoded.put(stream(batch, schema));
    }
    for (long memory : new long[] {1999, 2000}) {
      try (TestQueries small = TestQueries.of(encoded.datasets, options(memory));
          Snapshot version = encoded.open()) {
        Conditions conditions = small.conditions();
        if (memory < 2000) {
          assertThatThrownBy(
                  () -> conditions.matches(version, "name = 'name 2'", TestWorkers.PRINCIPAL))
              .isInstanceOf(TooLargeInputException.class)
              .hasMessageContaining(
                  "at most 1999 bytes of matches (quiver.where.memory) but found 2000");
        } else {
          assertThat(conditions.matches(version, "name = 'name 2'", TestWorkers.PRINCIPAL).count())
              .isOne();
        }
      }
    }
    encoded.datasets.close();
  }

  private static byte[] stream(RecordBatch batch, Schema schema) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StreamWriter writer =
        new StreamWriter(
            part -> bytes.writeBytes(part.toArray(ValueLayout.JAVA_BYTE)), schema, Codec.NONE);
    writer.write(batch);
    writer.close();
    return bytes.toByteArray();
  }

  @Test
  void oneBatchOfAHundredIsReadIfNoOtherCanMatch(@TempDir Path other) throws IOException {
    DatasetTestFolder hundred = new DatasetTestFolder(other);
    int[] batches = new int[100];
    Arrays.fill(batches, 10);
    hundred.put(stream(batches));
    try (TestQueries counted = TestQueries.of(hundred.datasets, options(1 << 20));
        Snapshot version = hundred.open()) {
      Conditions conditions = counted.conditions();
      assertThat(version.batchCount()).isEqualTo(100);

      assertThat(conditions.matches(version, "id = 555", TestWorkers.PRINCIPAL).count()).isOne();
      assertThat(conditions.readBatchCount()).isOne();
      assertThat(conditions.skippedBatchCount()).isEqualTo(99);

      RowMatches some =
          conditions.matches(version, "id < 3 and length(name) = 6", TestWorkers.PRINCIPAL);
      assertThat(some.count()).isEqualTo(2);
      assertThat(conditions.readBatchCount()).isEqualTo(2);

      RowMatches none =
          conditions.matches(version, "id > 1000 and name = 'name 1'", TestWorkers.PRINCIPAL);
      assertThat(none.count()).isZero();
      assertThat(conditions.readBatchCount()).isEqualTo(2);

      RowMatches all =
          conditions.matches(version, "length(name) = 6 or id = 3", TestWorkers.PRINCIPAL);
      assertThat(all.count()).isEqualTo(expected(id -> id < 1000 && id % 7 != 0).size());
      assertThat(conditions.readBatchCount()).isEqualTo(102);
    } finally {
      hundred.datasets.close();
    }
  }

  /// A literal that the engine has to look at fails, whatever rows there are.
  @Test
  void failureDoesNotDependOnTheRowsThatComparisonsLeave() {
    for (String condition :
        List.of(
            "id < 0 and list_contains(id, 1)",
            "id < 0 and missing(name)",
            "id < 0 and year(id) = 1")) {
      assertThatThrownBy(() -> matches(condition)).as(condition).isInstanceOf(SqlException.class);
    }
  }

  @Test
  void matchesAreRemembered() throws IOException {
    assertThat(matches("id = 5")).isSameAs(matches("id = 5"));
  }
}
