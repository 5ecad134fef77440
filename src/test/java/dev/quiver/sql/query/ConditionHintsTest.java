package dev.quiver.sql.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.SqlException.Invalid;
import dev.quiver.sql.execution.TestWorkers;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.read.Snapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Conditions as people type them first, with the hint that leads to the right one.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConditionHintsTest {

  private static final Schema SCHEMA =
      Schema.of(
          Field.of("Title", true, new ArrowType.Utf8()),
          Field.of("minutes", true, new ArrowType.Int(32, true)),
          Field.of("Cost Total $", true, new ArrowType.Int(64, true)),
          Field.of("launched", true, new ArrowType.Date(DateUnit.DAY)),
          Field.of("", true, new ArrowType.Int(32, true)),
          Field.of("flag", true, new ArrowType.Bool()),
          Field.of("air-port", true, new ArrowType.Utf8()),
          Field.of("order", true, new ArrowType.Int(32, true)),
          Field.of(
              "tags", true, new ArrowType.List(), Field.of("item", true, new ArrowType.Utf8())),
          Field.of("took", true, new ArrowType.Duration(TimeUnit.MILLISECOND)));

  @TempDir private static Path folder;
  private DatasetTestFolder data;
  private TestQueries queries;

  @BeforeAll
  void write() throws IOException {
    data = new DatasetTestFolder(folder);
    data.put(
        stream(
            SCHEMA,
            List.of(
                List.of("Slam", "Drama", "x"),
                List.of(1, 200, 3),
                List.of(5, 200_000, 7),
                List.of(18262, 18263, 18264),
                List.of(1, 2, 3),
                List.of(true, false, true),
                List.of("a", "b", "c"),
                List.of(1, 2, 3),
                List.of(List.of("new"), List.of(), List.of("old", "new")),
                List.of(1000L, 2000L, 3000L))));
    queries =
        TestQueries.of(
            data.datasets, TestWorkers.options(Duration.ofSeconds(60), 2, 100_000, 1 << 20));
  }

  private static byte[] stream(Schema schema, List<List<?>> columns) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Arena arena = Arena.ofConfined()) {
      StreamWriter writer =
          new StreamWriter(
              part -> bytes.writeBytes(part.toArray(ValueLayout.JAVA_BYTE)), schema, Codec.NONE);
      writer.write(new ArrayBuilder(arena).recordBatch(schema, 3, columns));
      writer.close();
    }
    return bytes.toByteArray();
  }

  @AfterAll
  void close() {
    queries.close();
    data.datasets.close();
  }

  private long count(String condition) throws IOException {
    try (Snapshot snapshot = data.open()) {
      return queries.conditions().matches(snapshot, condition, TestWorkers.PRINCIPAL).count();
    }
  }

  private SqlException failure(String condition) {
    SqlException[] failure = new SqlException[1];
    assertThatThrownBy(() -> count(condition))
        .as(condition)
        .isInstanceOfSatisfying(SqlException.class, e -> failure[0] = e);
    return failure[0];
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '§',
      value = {
        "Cost Total $ > 100 ¦ Write the name in double quotes, such as \"Cost Total $\" > 100. ¦ \"Cost Total $\" > 100 ¦ 1",
        "cost total $ > 100 and flag ¦ Write the name in double quotes, such as \"Cost Total $\" > 100 and flag. ¦ \"Cost Total $\" > 100 and flag ¦ 0",
        "Cost Total > 100 ¦ Write \"Cost Total $\" in place of Cost Total. ¦ \"Cost Total $\" > 100 ¦ 1",
        "total > 100 ¦ Write \"Cost Total $\" in place of total. ¦ \"Cost Total $\" > 100 ¦ 1",
        "TOT = Slam ¦ Write \"Cost Total $\" in place of TOT. ¦ Title = 'Slam' ¦ 1",
        "air-port = 'a' ¦ Write the name in double quotes, such as \"air-port\" = 'a'. ¦ \"air-port\" = 'a' ¦ 1",
        "order = 1 ¦ Write the name in double quotes, such as \"order\" = 1. ¦ \"order\" = 1 ¦ 1",
        "minuts > 100 ¦ Write minutes in place of minuts. ¦ minutes > 100 ¦ 1",
        "100 < minuts ¦ Write text in single quotes, such as 'minuts', or minutes, the nearest column. ¦ 100 < minutes ¦ 1",
        "t.minutes > 1 ¦ Write minutes without t. ¦ minutes > 1 ¦ 2",
        "minutes = 1 && flag ¦ Write AND in place of &&. ¦ minutes = 1 AND flag ¦ 1",
        "minutes = 1 || flag ¦ Write OR in place of ||, which joins texts. ¦ minutes = 1 OR flag ¦ 2",
        "Title = 'x' || Title = 'Slam' ¦ Write OR in place of ||, which joins texts. ¦ Title = 'x' OR Title = 'Slam' ¦ 2",
        "!flag ¦ Write NOT in place of !. ¦ NOT flag ¦ 1",
        "minutes => 3 ¦ Write >= in place of =>. ¦ minutes >= 3 ¦ 2",
        "minutes =< 3 ¦ Write <= in place of =<. ¦ minutes <= 3 ¦ 2",
        "Title =~ '^S' ¦ Write regexp_matches(column, 'pattern'). ¦ regexp_matches(Title, '^S') ¦ 1",
        "minutes mod 2 = 0 ¦ Write % in place of mod. ¦ minutes % 2 = 0 ¦ 1",
        "Title=\"Slam\" ¦ Write text in single quotes, such as 'Slam'; double quotes are for names. ¦ Title='Slam' ¦ 1",
        "Title = \"it's\" ¦ Write text in single quotes, such as 'it''s'; double quotes are for names. ¦ Title = 'it''s' ¦ 0",
        "Title = ‘Slam’ ¦ Write text in straight single quotes, such as 'Slam'. ¦ Title = 'Slam' ¦ 1",
        "Title = Drama ¦ Write text in single quotes, such as 'Drama'; double quotes are for names. ¦ Title = 'Drama' ¦ 1",
        "Title = 'it's' ¦ Close each text with ' and each name with \", and double such a mark within it, as in 'it''s'. ¦ Title = 'it''s' ¦ 0",
        "launched > 2020-01-01 ¦ Write a date in single quotes, such as '2020-01-01'. ¦ launched > '2020-01-01' ¦ 2",
        "launched = 20200101 ¦ Write a date in single quotes, such as '2026-01-31'. ¦ launched = '2020-01-01' ¦ 1",
        "launched > current_date ¦ Write the date itself, such as DATE '2026-01-31', since equal conditions match equal rows. ¦ launched > DATE '2026-01-31' ¦ 0",
        "launched > getdate() ¦ Write the date itself, such as DATE '2026-01-31', since equal conditions match equal rows. ¦ launched > DATE '2026-01-31' ¦ 0",
        "launched > sysdate ¦ Write the time itself, such as TIMESTAMP '2026-01-31 12:00:00', since equal conditions match equal rows. ¦ launched > TIMESTAMP '2026-01-31 12:00:00' ¦ 0",
        "isnull(minutes, 0) > 1 ¦ Write coalesce(x, other) in place of isnull. ¦ coalesce(minutes, 0) > 1 ¦ 2",
        "NVL(Title, 'none') = 'x' ¦ Write coalesce(x, other) in place of nvl. ¦ coalesce(Title, 'none') = 'x' ¦ 1",
        "Title.isna() ¦ Write x IS NULL in place of isna. ¦ Title IS NULL ¦ 0",
        "charindex('a', Title) > 0 ¦ Write strpos(text, part) in place of charindex. ¦ strpos(Title, 'a') > 0 ¦ 2",
        "minutes LIKE '2%' ¦ Cast the argument, such as CAST(column AS VARCHAR). ¦ CAST(minutes AS VARCHAR) LIKE '2%' ¦ 1",
        "tags = 'new' ¦ Write list_contains(tags, 'new'). ¦ list_contains(tags, 'new') ¦ 2",
        "'new' = tags ¦ Write list_contains(tags, 'new'). ¦ list_contains(tags, 'new') ¦ 2",
        "tags = lower('NEW') ¦ Write list_contains(tags, lower('NEW')). ¦ list_contains(tags, lower('NEW')) ¦ 2",
        "lower('NEW') = tags ¦ Write list_contains(tags, lower('NEW')). ¦ list_contains(tags, lower('NEW')) ¦ 2",
        "tags = 'n' || 'ew' ¦ Write list_contains(tags, value). ¦ list_contains(tags, 'n' || 'ew') ¦ 2",
        "'old' = ANY(tags) ¦ Write list_contains(tags, 'old'). ¦ list_contains(tags, 'old') ¦ 1",
        "took > 1500 ¦ Write an interval with its unit, such as INTERVAL 1500 MILLISECOND. ¦ took > INTERVAL 1500 MILLISECOND ¦ 2",
        "CAST(minutes / 0.0 AS INTEGER) > 1 ¦ For a null in place of this failure, divide by nullif(divisor, 0), or write TRY_CAST in place of CAST. ¦ CAST(minutes / nullif(0.0, 0) AS INTEGER) > 1 ¦ 0",
        "CAST(Title AS INTEGER) > 1 ¦ For a null in place of this failure, write TRY_CAST in place of CAST. ¦ TRY_CAST(Title AS INTEGER) > 1 ¦ 0",
        "data.minuts > 1 ¦ Write minutes in place of minuts. ¦ data.minutes > 1 ¦ 2",
        "now() > launched ¦ Write the value itself, such as TIMESTAMP '2026-01-31 12:00:00', since equal conditions match equal rows. ¦ TIMESTAMP '2026-01-31 12:00:00' > launched ¦ 3",
        "Title contains 'am' ¦ Write contains(Title, 'am'). ¦ contains(Title, 'am') ¦ 2",
        "Title NOT contains 'am' ¦ Write NOT contains(Title, 'am'). ¦ NOT contains(Title, 'am') ¦ 1",
        "Title NOT REGEXP 'am$' ¦ Write NOT regexp_matches(Title, 'am$'). ¦ NOT regexp_matches(Title, 'am$') ¦ 2",
        "lower(Title) CONTAINS 's' ¦ Write contains(lower(Title), 's'). ¦ contains(lower(Title), 's') ¦ 1",
        "minutes > 1 AND (Title) contains lower('AM') ¦ Write contains((Title), lower('AM')). ¦ minutes > 1 AND contains((Title), lower('AM')) ¦ 1",
        "data.Title CONTAINS 'am' ¦ Write contains(data.Title, 'am'). ¦ contains(data.Title, 'am') ¦ 2",
        "'a' || Title CONTAINS 'am' ¦ Write contains(x, 'am'). ¦ contains('a' || Title, 'am') ¦ 2",
        "Title CONTAINS 'a' || 'm' ¦ Write contains(Title, 'text'). ¦ contains(Title, 'a' || 'm') ¦ 2",
        "Title starts with 'S' ¦ Write starts_with(Title, 'S'). ¦ starts_with(Title, 'S') ¦ 1",
        "startswith(Title, 'S') ¦ Write starts_with in place of startswith. ¦ starts_with(Title, 'S') ¦ 1",
        "lenght(Title) > 3 ¦ Write length in place of lenght. ¦ length(Title) > 3 ¦ 2",
        "Title.lower() = 'slam' ¦ Write a function around its column, such as lower(x). ¦ lower(Title) = 'slam' ¦ 1",
        "1 < minutes < 4 ¦ Join two comparisons by AND, such as 1 < x AND x < 3. ¦ 1 < minutes AND minutes < 4 ¦ 1",
        "minutes between 1, 3 ¦ Write BETWEEN 1 AND 3. ¦ minutes between 1 and 3 ¦ 2",
        "minutes > 1,000 ¦ Write numbers without separators, such as 1000. ¦ minutes > 1000 ¦ 0",
        "Title is 'Slam' ¦ Write = in place of IS before a value. ¦ Title = 'Slam' ¦ 1",
        "Title = 'Slam' or 'x' ¦ Compare each part with a value, such as x = 'a' OR x = 'b'. ¦ Title = 'Slam' or Title = 'x' ¦ 2",
        "Title > 5 ¦ Write text in single quotes, or convert the column, such as TRY_CAST(x AS DOUBLE). ¦ TRY_CAST(Title AS DOUBLE) > 5 ¦ 0",
        "where minutes > 1 ¦ Leave the word WHERE out. ¦ minutes > 1 ¦ 2",
        "minutes > 1; ¦ Leave the semicolon out. ¦ minutes > 1 ¦ 2",
        "minutes > 1; flag ¦ Send one condition, whose parts are joined by AND or OR. ¦ minutes > 1 AND flag ¦ 1",
        "minutes > 1 and ¦ Complete the condition after and. ¦ minutes > 1 and flag ¦ 1",
        "minutes > 1) ¦ Open a parenthesis, or remove ). ¦ minutes > 1 ¦ 2",
        "minutes > 1 AND (flag ¦ Close the parenthesis that is open. ¦ minutes > 1 AND (flag) ¦ 1",
        "\"\" = 1 ¦ Name a column without a name by its position, such as C0 for the first one. ¦ C4 = 1 ¦ 1",
      })
  void hintLeadsToTheCondition(String condition, String hint, String better, int count)
      throws IOException {
    assertThat(failure(condition).hint()).isEqualTo(hint);
    assertThat(count(better)).isEqualTo(count);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '§',
      value = {
        "drama ¦ Send search=drama to find it in any text, or compare a column, such as Title = 'drama'.",
        "'drama' ¦ Send search=drama to find it in any text, or compare a column, such as Title = 'drama'.",
        "the land & sea ¦ Write AND in place of &.",
        "the land girls ¦ Send search=the+land+girls to find it in any text, or compare a column, such as Title = 'the land girls'.",
        "agency = 'x' ¦ Compare one of the columns, which are Title, minutes, \"Cost Total $\", launched, C4, ….",
        "sum(minutes) > 3 ¦ Send a statement with GROUP BY and HAVING to /sql, since a condition sees one row at a time.",
        "row_number() over () < 2 ¦ Send a statement with GROUP BY and HAVING to /sql, since a condition sees one row at a time.",
        "minutes in (select 1) ¦ Send a statement to /sql, since a condition sees one row at a time.",
        "minutes > $1 ¦ Write the value itself in place of the parameter.",
        "collect_list(Title) = 'x' ¦ Send a statement with GROUP BY and HAVING to /sql, since a condition sees one row at a time.",
        "generate_array(1, 2) = [1] ¦ Send a statement to /sql, with range(first, last) in place of generate_array.",
        "random() < 0.5 ¦ Send sample=1000 for a thousand rows that are spread evenly.",
        "repeat(Title, 2) = 'xx' ¦ Send a statement to /sql, which has more functions: SELECT * FROM data WHERE repeat(Title, 2) = 'xx'.",
        "select * from data ¦ Send a whole statement to /sql.",
        "minutes > 1 order by minutes ¦ Send only the condition: offset and limit are parameters, and /sql sorts and groups.",
        "minutes > 1 limit 3 ¦ Send only the condition: offset and limit are parameters, and /sql sorts and groups.",
      })
  void hintLeadsElsewhere(String condition, String hint) {
    assertThat(failure(condition).hint()).isEqualTo(hint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '§',
      value = {
        "minutes > '1m' ¦ Expected a whole number but found 1m at column minutes ¦ 10 ¦ 4 ¦ Write a whole number for minutes, such as 1000000. ¦ minutes > 1000000 ¦ 0",
        "\"Cost Total $\" > '1,000' ¦ Expected a whole number but found 1,000 at column Cost Total $ ¦ 17 ¦ 7 ¦ Write a whole number for Cost Total $, such as 1000. ¦ \"Cost Total $\" > 1000 ¦ 1",
        "MINUTES > '$5' ¦ Expected a whole number but found $5 at column minutes ¦ 10 ¦ 4 ¦ Write a whole number for minutes, such as 5. ¦ MINUTES > 5 ¦ 1",
        "flag and minutes in ('2.5k', 'abc') ¦ Expected a whole number but found 2.5k at column minutes ¦ 21 ¦ 6 ¦ Write a whole number for minutes, such as 2500. ¦ minutes in (2500, 3) ¦ 1",
        "minutes between 1 and 'it''s' ¦ Expected a whole number but found it's at column minutes ¦ 22 ¦ 7 ¦ Write a whole number for minutes, such as 1000. ¦ minutes between 1 and 1000 ¦ 3",
        "minutes between 'a' and 'b' ¦ Expected a whole number but found a at column minutes ¦ 16 ¦ 3 ¦ Write a whole number for minutes, such as 1000. ¦ minutes between 1 and 1000 ¦ 3",
        "'x' < minutes ¦ Expected a whole number but found x at column minutes ¦ 0 ¦ 3 ¦ Write a whole number for minutes, such as 1000. ¦ 1000 < minutes ¦ 0",
        "data.minutes = 'x' ¦ Expected a whole number but found x at column minutes ¦ 15 ¦ 3 ¦ Write a whole number for minutes, such as 1000. ¦ data.minutes = 1000 ¦ 0",
        "Title = 'x' and minutes = 'x' ¦ Expected a whole number but found x at column minutes ¦ 26 ¦ 3 ¦ Write a whole number for minutes, such as 1000. ¦ Title = 'x' and minutes = 3 ¦ 1",
        "minutes = '9999999999999999999' ¦ Could not convert string '9999999999999999999' to INT32 ¦ 10 ¦ 21 ¦ Write a number nearer to 0 for minutes. ¦ minutes = 999999999 ¦ 0",
        "abs(minutes) > '10%' ¦ Could not convert string '10%' to INT32 ¦ 15 ¦ 5 ¦ Write a whole number, such as 10. ¦ abs(minutes) > 10 ¦ 1",
        "launched > '31.01.2020' ¦ Expected a date but found 31.01.2020 at column launched ¦ 11 ¦ 12 ¦ Write a date for launched, such as '2026-01-31'. ¦ launched > '2026-01-31' ¦ 0",
        "launched > '2020-13-45' ¦ Expected a date but found 2020-13-45 at column launched ¦ 11 ¦ 12 ¦ Write a date for launched, such as '2026-01-31'. ¦ launched > '2026-01-31' ¦ 0",
        "launched::TIMESTAMP > 'noon' ¦ Invalid timestamp field format: \"noon\", expected format is (YYYY-MM-DD HH:MM[:SS[.US]][±HH[:MM[:SS]]| ZONE]) ¦ 22 ¦ 6 ¦ Write a date and time, such as '2026-01-31 12:00:00'. ¦ launched::TIMESTAMP > '2026-01-31 12:00:00' ¦ 0",
        "flag = 'ja' ¦ Expected true or false but found ja at column flag ¦ 7 ¦ 4 ¦ Write true or false for flag. ¦ flag = true ¦ 2",
        "took > 'long' ¦ Expected a span of time but found long at column took ¦ 7 ¦ 6 ¦ Write a span of time for took, such as INTERVAL 90 MINUTE. ¦ took > INTERVAL 90 MINUTE ¦ 0",
      })
  void valueThatDoesNotConvertHasItsPlaceAndAnExample(
      String condition,
      String message,
      int position,
      int length,
      String hint,
      String better,
      int count)
      throws IOException {
    assertThat(failure(condition))
        .hasMessage(message)
        .isInstanceOfSatisfying(
            SqlException.Value.class,
            e -> {
              assertThat(e.hint()).isEqualTo(hint);
              assertThat(e.position()).isEqualTo(position);
              assertThat(e.length()).isEqualTo(length);
            });
    assertThat(count(better)).isEqualTo(count);
  }

  /// The text of the row is no mistake of the condition.
  @Test
  void valueOfTheDataMarksNoPlace() {
    assertThat(failure("CAST(Title AS INTEGER) > 1 OR Title = 'Slam'"))
        .isInstanceOfSatisfying(
            SqlException.Value.class, e -> assertThat(e.position()).isEqualTo(-1));
  }

  @Test
  void emptyConditionsAreNamedAsSuch() {
    for (String condition : List.of("", "  \n", "-- nothing", "/* nothing */")) {
      assertThat(failure(condition))
          .isInstanceOf(Invalid.class)
          .hasMessage("Expected a condition but found none at parameter where");
      assertThat(failure(condition).hint())
          .isEqualTo(
              "Leave where out, or compare one of the columns, which are Title, minutes, \"Cost"
                  + " Total $\", launched, C4, ….");
    }
  }

  @Test
  void semicolonHasItsPlace() throws IOException {
    assertThat(failure("minutes > 1; DROP TABLE data"))
        .hasMessage("Expected one condition but found a semicolon")
        .isInstanceOfSatisfying(Invalid.class, e -> assertThat(e.position()).isEqualTo(11));
    assertThat(count("Title <> ';' -- ;")).isEqualTo(3);
  }

  @Test
  void namesAreSuggestedOnlyIfAtMostHalfOfTheLettersDiffer() {
    assertThat(failure("minuts > 1"))
        .hasMessage("Expected a column but found minuts; the nearest is minutes");
    assertThat(failure("drama > 1")).hasMessage("Expected a column but found drama");
    assertThat(failure("Title = \"Slam\"")).hasMessage("Expected a column but found Slam");
  }

  @Test
  void emptyListHasNoValue() throws IOException {
    assertThat(count("minutes IN ()")).isZero();
    assertThat(count("minutes NOT IN ()")).isEqualTo(3);
    assertThat(count("flag AND (Title IN () OR minutes = 1)")).isOne();
  }

  /// Evaluated here, by the engine, and by both.
  @Test
  void nameOfTheDatasetMayStandBeforeAColumn() throws IOException {
    assertThat(count("data.minutes > 1")).isEqualTo(2);
    assertThat(count("Data.Minutes % 2 = 1 AND \"data\".flag")).isEqualTo(2);
    assertThat(count("length(data.Title) > 3 AND minutes > 1")).isOne();
    assertThat(failure("rows.minutes > 1").hint()).isEqualTo("Write minutes without rows.");
    assertThat(failure("data.data.minutes > 1"))
        .hasMessageStartingWith("Expected a column but found data");
    assertThat(failure("data > 1")).hasMessageStartingWith("Expected a column but found data");
  }

  @Test
  void acceptsOperatorsOfOtherLanguages() throws IOException {
    assertThat(count("minutes == 1")).isOne();
    assertThat(count("minutes != 1")).isEqualTo(2);
    assertThat(count("`Title` = 'Slam'")).isOne();
    assertThat(count("Title GLOB 'S*'")).isOne();
    assertThat(count("minutes = NULL")).isZero();
  }

  /// Evaluated here, by the engine, and by both, among other columns.
  @Test
  void columnWithoutANameHasThatOfItsPosition() throws IOException {
    assertThat(count("C4 > 1")).isEqualTo(2);
    assertThat(count("c4 % 2 = 1")).isEqualTo(2);
    assertThat(count("\"C4\" > 1 AND length(Title) > 3 AND C4 + 0 = 2")).isOne();
    assertThat(failure("C5 > 1")).hasMessageStartingWith("Expected a column but found C5");
  }

  /// The engine would prefer the dataset.
  @Test
  void structWithTheNameOfTheDatasetWins(@TempDir Path other) throws IOException {
    Field number = Field.of("minutes", true, new ArrowType.Int(32, true));
    DatasetTestFolder named = new DatasetTestFolder(other);
    named.put(
        stream(
            Schema.of(number, Field.of("data", true, new ArrowType.Struct(), number)),
            List.of(List.of(1, 2, 3), List.of(List.of(9), List.of(8), List.of(7)))));
    try (TestQueries both =
            TestQueries.of(named.datasets, TestWorkers.options(Duration.ofSeconds(60)));
        Snapshot snapshot = named.open()) {
      Conditions conditions = both.conditions();
      assertThat(conditions.matches(snapshot, "data.minutes = 9", TestWorkers.PRINCIPAL).count())
          .isOne();
      assertThat(
              conditions.matches(snapshot, "data.minutes % 4 = 0", TestWorkers.PRINCIPAL).count())
          .isOne();
    } finally {
      named.datasets.close();
    }
  }

  @Test
  void nameOfAnotherColumnWins(@TempDir Path other) throws IOException {
    Field unnamed = Field.of("", true, new ArrowType.Int(32, true));
    DatasetTestFolder named = new DatasetTestFolder(other);
    named.put(
        stream(
            Schema.of(unnamed, unnamed.withName("c0"), unnamed),
            List.of(List.of(1, 2, 3), List.of(4, 5, 6), List.of(7, 8, 9))));
    try (TestQueries both =
            TestQueries.of(named.datasets, TestWorkers.options(Duration.ofSeconds(60)));
        Snapshot snapshot = named.open()) {
      Conditions conditions = both.conditions();
      assertThat(conditions.matches(snapshot, "C0 = 4", TestWorkers.PRINCIPAL).count()).isOne();
      assertThat(conditions.matches(snapshot, "C0 + C2 = 13", TestWorkers.PRINCIPAL).count())
          .isOne();
    } finally {
      named.datasets.close();
    }
  }
}
