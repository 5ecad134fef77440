package dev.quiver.sql.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.quiver.Trials;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.SqlException.Invalid;
import dev.quiver.sql.execution.SqlException.Reason;
import dev.quiver.sql.execution.TestWorkers;
import dev.quiver.sql.worker.Parameter;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.Datasets;
import dev.quiver.store.UnreliableStore;
import dev.quiver.store.access.Permission;
import dev.quiver.store.access.Permissions;
import dev.quiver.store.access.Principal;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Lists of datasets in place of the engine's catalog.
@Tag("random")
class CatalogTest {

  private static final Field ID = Field.of("id", false, new ArrowType.Int(64, true));
  private static final Field NAME = Field.of("it's", true, new ArrowType.Utf8());
  private static final Field PRICE = Field.of("price", true, new ArrowType.Decimal(9, 2, 128));
  private static final Principal READER =
      Principal.anonymous(Permissions.of(List.of(Permission.parse("read:public-*"))));

  @TempDir private static Path folder;
  private static Datasets datasets;
  private static TestQueries queries;

  @BeforeAll
  static void open() throws IOException {
    datasets = new DatasetTestFolder(folder).datasets;
    put(datasets, "public-a", Schema.of(ID, NAME, PRICE));
    put(datasets, "private", Schema.of(ID));
    put(datasets, "gone", Schema.of(ID));
    datasets.delete(new DatasetName("gone"), new WriteCondition.None());
    queries = TestQueries.of(datasets, TestWorkers.options(Duration.ofSeconds(30)));
  }

  @AfterAll
  static void close() {
    queries.close();
    datasets.close();
  }

  private static void put(Datasets datasets, String name, Schema schema) throws IOException {
    List<List<@Nullable Object>> none =
        schema.fields().stream().map(_ -> List.<@Nullable Object>of()).toList();
    DatasetTestFolder.put(datasets, name, schema, 0, none);
  }

  private static List<List<@Nullable Object>> columns(String sql, Parameter... parameters)
      throws IOException {
    return TestWorkers.columns(queries, sql, parameters);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SHOW TABLES | private, public-a",
        "show tables; -- all | private, public-a",
        "DESCRIBE TABLES | private, public-a",
        "SHOW TABLES FROM main | private, public-a",
        "SELECT upper(name) FROM (SHOW TABLES) WHERE name LIKE 'pu%' | PUBLIC-A",
        "SELECT name FROM (SHOW ALL TABLES) ORDER BY len(column_names) | private, public-a",
        "SELECT column_types[3] FROM (SHOW ALL TABLES) WHERE name = 'public-a' | 'DECIMAL(9,2)'",
        "SELECT table_name FROM information_schema.tables | private, public-a",
        "SELECT tables.table_name FROM memory.INFORMATION_SCHEMA . \"TABLES\" | private, public-a",
        "SELECT n FROM information_schema.tables AS t(c, s, n) WHERE table_type = 'BASE TABLE' | private, public-a",
        "SELECT schema_name FROM information_schema.schemata | main",
        "SELECT column_name FROM information_schema.columns c ORDER BY ALL | id, id, it's, price",
        "SELECT column_name FROM information_schema.columns WHERE table_name = 'private' | id",
        "SELECT column_name FROM information_schema.columns WHERE 'main' = table_schema AND columns.table_name IN ('private', 'x', 'private@1', '/') | id",
        "SELECT data_type FROM information_schema.columns WHERE ordinal_position > 1 | 'VARCHAR, DECIMAL(9,2)'",
        "SELECT is_nullable FROM information_schema.columns ORDER BY ALL | NO, NO, YES, YES",
        "SELECT c.column_name FROM information_schema.tables t JOIN information_schema.columns c USING (table_name) WHERE t.table_name = 'private' | id",
        "SELECT column_name FROM information_schema.columns AS x(a, b, table_name) WHERE x.table_name = 'private' | id",
        "SELECT (SELECT count(*) FROM information_schema.columns c WHERE o.table_name = 'private') FROM information_schema.tables o ORDER BY o.table_name | '4, 0'",
        "SELECT (SELECT count(*) FROM information_schema.columns c WHERE C.table_name = 'private') FROM information_schema.tables o | '1, 1'",
      })
  void listsDatasets(String sql, String values) throws IOException {
    List<@Nullable Object> first = columns(sql).getFirst();
    assertThat(String.join(", ", first.stream().map(String::valueOf).toList())).isEqualTo(values);
  }

  @Test
  void parametersNameDatasets() throws IOException {
    String sql =
        "SELECT column_name FROM information_schema.columns WHERE table_schema = ? AND table_name = ?";
    Parameter schema = new Parameter("", Parameter.Type.VARCHAR, "main");
    Parameter name = new Parameter("", Parameter.Type.VARCHAR, "private");
    assertThat(columns(sql, schema, name)).containsExactly(List.of("id"));
    Parameter number = new Parameter("", Parameter.Type.BIGINT, "1");
    assertThat(columns(sql.replace("= ?", "= ?::VARCHAR"), schema, number)).isEmpty();
  }

  @Test
  void describesADataset() throws IOException {
    List<List<@Nullable Object>> described = columns("DESCRIBE \"public-a\"");
    assertThat(columns("SHOW \"public-a\"")).isEqualTo(described);
    assertThat(columns("FROM (SHOW \"public-a@1\") AS d")).isEqualTo(described);
    assertThat(described.get(1)).containsExactly("BIGINT", "VARCHAR", "DECIMAL(9,2)");
  }

  @Test
  void numbersHaveTheirPrecision() throws IOException {
    assertThat(
            columns(
                "SELECT numeric_precision, numeric_precision_radix, numeric_scale"
                    + " FROM information_schema.columns WHERE table_name = 'public-a'"))
        .map(List::toString)
        .containsExactly("[64, null, 9]", "[2, null, 10]", "[0, null, 2]");
  }

  /// The engine has tables of the same names, whose rows are not for clients.
  @ParameterizedTest
  @ValueSource(strings = {"tables", "columns", "schemata"})
  void tablesHaveTheColumnsOfTheEngine(String name) throws IOException {
    String sql = "DESCRIBE SELECT * FROM information_schema." + name;
    try (TestWorkers workers = new TestWorkers()) {
      List<List<@Nullable Object>> expected = workers.rows(sql);
      List<List<@Nullable Object>> found = columns(sql);
      assertThat(found.get(0)).isEqualTo(expected.stream().map(List::getFirst).toList());
      assertThat(found.get(1)).isEqualTo(expected.stream().map(row -> row.get(1)).toList());
    }
  }

  /// The engine describes what it was given.
  @Test
  void typesHaveTheNamesOfTheEngine() throws IOException {
    Path other = folder.resolve("types");
    Files.createDirectory(other);
    try (Datasets types = new DatasetTestFolder(other).datasets;
        TestQueries described =
            TestQueries.of(types, TestWorkers.options(Duration.ofSeconds(30)))) {
      for (int seed : Trials.seeds(20)) {
        // One source of fields, since no two dictionaries may have the same identifier.
        RandomData data = new RandomData(seed);
        Schema schema =
            Schema.of(
                IntStream.range(0, 5).mapToObj(i -> data.field("f" + i, 2)).toArray(Field[]::new));
        put(types, "t" + seed, schema);
        List<@Nullable Object> expected =
            TestWorkers.columns(described, "DESCRIBE t" + seed).get(1);
        assertThat(listedTypes(described, "t" + seed)).as(schema.toString()).isEqualTo(expected);
      }
    }
  }

  private static List<@Nullable Object> listedTypes(TestQueries queries, String name)
      throws IOException {
    return TestWorkers.columns(
            queries,
            "SELECT data_type FROM information_schema.columns WHERE table_name = '%s'"
                .formatted(name))
        .getFirst();
  }

  /// Which type the engine was given depends on the values.
  @Test
  void typesOfNanosecondsAreThoseOfAStatement() throws IOException {
    Field zoned =
        Field.of(
            "t",
            true,
            new ArrowType.Timestamp(dev.quiver.arrow.type.TimeUnit.NANOSECOND, "Europe/Berlin"));
    Field list = Field.of("ts", true, new ArrowType.List(), zoned);
    List<@Nullable Object> whole = List.of(1_000L, 2_000L);
    List<@Nullable Object> finer = List.of(1_000L, 2_001L);
    Path other = folder.resolve("nanoseconds");
    Files.createDirectory(other);
    try (Datasets times = new DatasetTestFolder(other).datasets;
        TestQueries described =
            TestQueries.of(times, TestWorkers.options(Duration.ofSeconds(30)))) {
      DatasetTestFolder.put(
          times,
          "times",
          Schema.of(
              zoned.withName("a"), zoned.withName("b"), list.withName("c"), list.withName("d")),
          2,
          List.of(whole, finer, List.of(whole, whole), List.of(whole, finer)));
      List<@Nullable Object> expected = TestWorkers.columns(described, "DESCRIBE times").get(1);
      assertThat(expected)
          .containsExactly(
              "TIMESTAMP WITH TIME ZONE",
              "TIMESTAMPTZ_NS",
              "TIMESTAMP WITH TIME ZONE[]",
              "TIMESTAMPTZ_NS[]");
      assertThat(listedTypes(described, "times")).isEqualTo(expected);
    }
  }

  /// The clock of the statement runs while its lists are read.
  @Test
  void listsTakeTheTimeOfTheStatement() throws IOException {
    ReadProgress progress = new ReadProgress();
    try (Query query = queries.open("SHOW TABLES", TestWorkers.PRINCIPAL)) {
      assertThatThrownBy(() -> query.run("", List.of(), Duration.ofNanos(1), progress))
          .isInstanceOf(SqlException.Timeout.class)
          .hasMessageStartingWith("Expected the whole result within 0 ms but found less");
    }
    assertThat(progress.rows()).as("the rows of a statement with a worker").isNull();
  }

  /// Of one dataset the data is damaged, and of another the manifest.
  @Test
  void damagedDatasetsAreListedWithoutColumns(@TempDir Path other) throws IOException {
    try (Datasets written = new DatasetTestFolder(other).datasets) {
      for (String name : List.of("a", "b", "c")) {
        put(written, name, Schema.of(ID));
      }
    }
    damage(other.resolve("data/_b_"));
    damage(other.resolve("manifests/_c_"));
    try (Datasets damaged = new DatasetTestFolder(other).datasets;
        TestQueries listed = TestQueries.of(damaged, TestWorkers.options(Duration.ofSeconds(30)))) {
      assertThat(
              TestWorkers.columns(listed, "SELECT name, len(column_names) FROM (SHOW ALL TABLES)"))
          .hasToString("[[a, b, c], [1, 0, 0]]");
      String columns = "SELECT table_name FROM information_schema.columns";
      String some = " WHERE table_name IN ('a', 'b', 'c')";
      for (String sql : List.of(columns, columns + some)) {
        assertThat(TestWorkers.columns(listed, sql)).as(sql).hasToString("[[a]]");
      }
      String tables = "SELECT table_name FROM information_schema.tables";
      for (String sql : List.of(tables, tables + some)) {
        assertThat(TestWorkers.columns(listed, sql)).as(sql).hasToString("[[a, b, c]]");
      }
    }
  }

  /// Flips a bit of each file of a folder.
  private static void damage(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 0x10;
        Files.write(file, bytes);
      }
    }
  }

  /// The first request about a dataset waits for that about the other one.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SHOW ALL TABLES",
        "FROM information_schema.tables WHERE table_name IN ('a', 'b')",
        "FROM information_schema.columns WHERE table_name IN ('a', 'b')",
      })
  void datasetsOfARemoteStoreAreReadAtOnce(String sql, @TempDir Path other) throws IOException {
    DatasetTestFolder local = new DatasetTestFolder(other);
    put(local.datasets, "a", Schema.of(ID));
    put(local.datasets, "b", Schema.of(NAME));
    UnreliableStore remote =
        new UnreliableStore(local.store) {
          @Override
          public boolean isRemote() {
            return true;
          }
        };
    CyclicBarrier pairs = new CyclicBarrier(2);
    AtomicInteger met = new AtomicInteger();
    Set<String> asked = ConcurrentHashMap.newKeySet();
    try (Datasets stored = new Datasets(remote, DatasetOptions.DEFAULT);
        TestQueries listed = TestQueries.of(stored, TestWorkers.options(Duration.ofMinutes(5)));
        Query query = listed.open(sql, TestWorkers.PRINCIPAL)) {
      remote.setFault(moment -> {
        if (moment.operation() == UnreliableStore.Operation.OPEN
            && asked.add(StoreKeys.name(moment.key()))) {
          try {
            pairs.await(1, TimeUnit.MINUTES);
            met.incrementAndGet();
          } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IOException(e);
          }
        }
      });
      assertThat(query.run("", List.of(), null, new ReadProgress()).next()).isNotNull();
    }
    assertThat(met).hasValue(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SHOW TABLES",
        "FROM information_schema.columns",
        "FROM information_schema.tables WHERE table_name IN ('private', 'public-a')",
      })
  void listsEndWithTheirClient(String sql) throws IOException {
    ReadProgress progress = new ReadProgress();
    try (Query query = queries.open(sql, TestWorkers.PRINCIPAL)) {
      assertThatThrownBy(() ->
              Cancellation.when(() -> true).call(() -> query.run("", List.of(), null, progress)))
          .isInstanceOf(CancelledException.class);
    }
    assertThat(progress.rows()).as("the rows of a statement with a worker").isNull();
  }

  private static List<List<@Nullable Object>> readable(String sql) throws IOException {
    try (Query query = queries.open(sql, READER)) {
      assertThat(query.tree().isRepeatable()).isFalse();
      var batches = query.run("", List.of(), null, new ReadProgress());
      List<List<@Nullable Object>> rows = new ArrayList<>();
      for (var batch = batches.next(); batch != null; batch = batches.next()) {
        rows.addAll(dev.quiver.arrow.array.Values.rows(batch));
      }
      return rows;
    }
  }

  @Test
  void listsOnlyWhatThePrincipalMayRead() throws IOException {
    for (String sql :
        List.of(
            "SHOW TABLES",
            "SELECT name FROM (SHOW ALL TABLES)",
            "SELECT table_name FROM information_schema.tables",
            "SELECT DISTINCT table_name FROM information_schema.columns",
            "SELECT table_name FROM information_schema.tables WHERE table_name IN ('private', 'public-a')",
            "SELECT DISTINCT table_name FROM information_schema.columns WHERE table_name IN ('private', 'public-a')")) {
      assertThat(readable(sql)).as(sql).containsExactly(List.of("public-a"));
    }
    assertThat(readable("FROM information_schema.columns WHERE table_name = 'private'")).isEmpty();
    Invalid rejection = catchThrowableOfType(Invalid.class, () -> readable("SHOW private"));
    assertThat(rejection.reason()).isEqualTo(Reason.UNKNOWN_DATASET);
  }

  /// Of the 20 rows of the limit, each dataset takes one, and each of its columns.
  @Test
  void listsAreLimited() throws IOException {
    Path other = folder.resolve("many");
    Files.createDirectory(other);
    try (Datasets many = new DatasetTestFolder(other).datasets) {
      for (int i = 0; i < 20; i++) {
        put(many, "d" + i, Schema.of(ID, NAME, PRICE));
      }
      var options = TestWorkers.options(Duration.ofSeconds(30));
      try (TestQueries listed = TestQueries.of(many, options)) {
        assertThat(TestWorkers.columns(listed, "SHOW TABLES").getFirst()).hasSize(20);
        String five =
            "SELECT column_name FROM information_schema.columns WHERE table_name IN ('d1', 'd2', 'd3', 'd4', 'd5')";
        for (String narrowed :
            List.of(five, five.replace("columns WHERE table", "columns AS c WHERE C.table"))) {
          assertThat(TestWorkers.columns(listed, narrowed).getFirst()).as(narrowed).hasSize(15);
        }
        for (String sql :
            List.of(
                "SHOW ALL TABLES",
                "FROM information_schema.columns",
                "FROM (SHOW TABLES), (SHOW TABLES)",
                five.replace("'d5'", "'d5', 'd6'"))) {
          assertThatThrownBy(() -> TestWorkers.columns(listed, sql))
              .as(sql)
              .isInstanceOf(TooLargeInputException.class)
              .hasMessageStartingWith(
                  "Expected at most 20 datasets and columns in the lists of a statement (quiver.sql.catalog) but found 2");
        }
        put(many, "more", Schema.of(ID));
        assertThatThrownBy(() -> TestWorkers.columns(listed, "SHOW TABLES"))
            .isInstanceOf(TooLargeInputException.class);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SHOW DATABASES | Write SHOW TABLES",
        "DESCRIBE information_schema.tables | Write DESCRIBE SELECT * FROM information_schema.tables",
        "WITH t AS (SHOW TABLES) FROM t | Write SELECT * FROM information_schema.tables",
        "FROM information_schema.views | Use information_schema.tables or information_schema.columns",
      })
  void otherTablesOfTheCatalogHaveHints(String sql, String hint) {
    Invalid rejection = catchThrowableOfType(Invalid.class, () -> columns(sql));
    assertThat(rejection.reason()).isEqualTo(Reason.SQL_NOT_ALLOWED);
    assertThat(rejection.hint()).startsWith(hint);
  }

  @Test
  void errorsHaveTheirPlaceInTheStatementOfTheClient() {
    String sql =
        "SELECT 'ä', nme FROM information_schema.tables, (SHOW TABLES) t WHERE t.nam = 'x'";
    for (String misspelt : List.of("nme", "t.nam")) {
      String other =
          misspelt.equals("nme") ? sql.replace("t.nam", "t.name") : sql.replace("nme", "'n'");
      Invalid rejection = catchThrowableOfType(Invalid.class, () -> columns(other));
      assertThat(rejection.position()).isEqualTo(other.indexOf(misspelt));
      assertThat(rejection.length()).isEqualTo(misspelt.length());
    }
  }
}
