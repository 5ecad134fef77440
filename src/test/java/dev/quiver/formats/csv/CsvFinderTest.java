package dev.quiver.formats.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.formats.Advice;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.ForeignFixture;
import dev.quiver.formats.Format;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files whose options leave delimiter, header and more open, with values as people write them. The
/// tests of clients read hundreds of such files.
class CsvFinderTest {

  @TempDir private static Path folder;

  private static CsvFile open(byte[] bytes, @Nullable Schema dataset, String... pairs)
      throws IOException {
    Map<String, List<String>> parameters = new HashMap<>();
    for (String pair : pairs) {
      int equals = pair.indexOf('=');
      parameters.put(pair.substring(0, equals), List.of(pair.substring(equals + 1)));
    }
    CsvOptions options = CsvOptions.parse(Format.CSV, parameters);
    return CsvFile.open(
        () -> new ByteArrayInputStream(bytes), options, ForeignFixture.dataset(dataset));
  }

  private static CsvFile open(String text, String... pairs) throws IOException {
    String lines = text.replace("\\n", "\n").replace("\\t", "\t");
    return open(lines.getBytes(StandardCharsets.UTF_8), /* dataset= */ null, pairs);
  }

  private static List<List<@Nullable Object>> rows(CsvFile file) throws IOException {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    try (CsvReader reader = file.read(CpuPool.PROCESS, folder)) {
      for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
        rows.addAll(Values.rows(batch));
      }
    }
    return rows;
  }

  private static List<String> warnings(CsvFile file) {
    return Advice.sentences(file.advice());
  }

  private static long day(int year, int month, int day) {
    return LocalDate.of(year, month, day).toEpochDay();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "a;b\\n1;2 ! [a, b] ! {delimiter=;}",
        "a|b\\n1|2 ! [a, b] ! {delimiter=|}",
        "a\\tb\\n1\\t2 ! [a, b] ! {delimiter=\t}",
        "'\"a\";\"b\"\\n1;2' ! [a, b] ! {delimiter=;}",
        "a;b\\n1,5;2 ! [a, b] ! {delimiter=;, decimal=,}",
        "'name;x, y\\nMüller, Eva;1\\nMeier, Jo;2' ! [name, x, y] ! {delimiter=;}",
        "sep=;\\na;b\\n1;2 ! [a, b] ! {delimiter=;}",
        "sep=,\\na,b\\n1,2 ! [a, b] ! {}",
        "Title\\n\\na;b\\n1;2 ! [a, b] ! {delimiter=;, skippedLines=2}",
        "Title,,\\nsub,,\\na,b,c\\nx,1,2 ! [a, b, c] ! {skippedLines=2}",
        "# one, two\\n# three\\na,b\\n1,2 ! [a, b] ! {skippedLines=2}",
        "7,2\\n3,4 ! [column0, column1] ! {header=false}",
        "1,2\\n3,4 ! [1, 2] ! {}",
        "'country,2020,2021\\nx,1.5,2\\ny,2.5,3' ! [country, 2020, 2021] ! {}",
        "a,b,,\\n1,2,,\\n3,4,, ! [a, b] ! {emptyColumns=2}",
        // The plain reading.
        "a\\nx;y\\nz;w ! [a] ! {}",
        "a,b\\n1;2,3 ! [a, b] ! {}",
        "a ! [a] ! {}",
        "a,\\nx,y\\nz,w ! [a, ] ! {}",
        "a,,,\\nx,y,z,w\\np,q,r,s ! [a, , , ] ! {}",
        "#id,v\\n1,NA\\n2,5\\n3,6 ! [#id, v] ! {}",
        "'\"#id\",v\\n1,2' ! [#id, v] ! {}",
        "name,x;y\\nBob,1;2\\nAl,3;4 ! [name, x;y] ! {}",
        "id,a|b\\n1,2|3\\n4,5|6 ! [id, a|b] ! {}",
        "'\"\"\\nx\\ny' ! [] ! {}",
        "'\"\",\"\"\\n1,2\\n3,4' ! [, ] ! {}",
        "country,2023\\nFrance,5\\nSpain,6 ! [country, 2023] ! {}",
        "',0\\na,5\\nb,6' ! [, 0] ! {}",
        "c,2020,2015,2010\\nx,1,2,3 ! [c, 2020, 2015, 2010] ! {}",
        "q,5,25,50\\nx,1,2,3\\ny,4,5,6 ! [q, 5, 25, 50] ! {}",
        "2024\\n5\\n6 ! [2024] ! {}",
        "1.5,2.5,3.5\\n4.1,2.2,9 ! [column0, column1, column2] ! {header=false}",
        "sep=\\t\\na\\tb\\nx\\ty ! [a, b] ! {delimiter=\t}",
        "'sep=\"\\na,b\\n1,2' ! [a, b] ! {skippedLines=1}",
        "'w;n\\n0,123;x\\n0,456;y' ! [w, n] ! {delimiter=;, decimal=,}"
      })
  void findsTheTable(String text, String names, String found) throws IOException {
    CsvFile file = open(text);
    assertThat(file.names().toString()).isEqualTo(names);
    assertThat(file.found().toString()).isEqualTo(found);
  }

  /// Two readings are possible, of which the plain one wins.
  @Test
  void tellsAnotherDelimiter() throws IOException {
    CsvFile file = open("a;b,c\\nx;y,z\\n");
    assertThat(file.names()).containsExactly("a;b", "c");
    assertThat(file.advice())
        .containsExactly(
            new Advice(
                "The delimiter \";\" divides the rows as well; the parameter csv.delimiter states"
                    + " it",
                "csv.delimiter",
                ";",
                /* column= */ null));
  }

  /// A name above values with one comma each is not a title.
  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {"a\\n1,5\\n2,5", "name\\nMüller, Eva\\nMeier, Jo", "a,b\\nx,1,2\\ny,2,3"})
  void lessNamesThanFieldsAreAnError(String text) {
    assertThatThrownBy(() -> rows(open(text)))
        .isInstanceOfSatisfying(
            ForeignDataException.class, error -> assertThat(error.hint()).contains(" csv."))
        .hasMessageMatching("Expected . fields? but found . at line 2");
  }

  @Test
  void statedOptionsAreNotLookedFor() throws IOException {
    assertThat(open("a;b\\n1;2", "csv.delimiter=,").names()).containsExactly("a;b");
    assertThat(open("1,2\\n3,4", "csv.header=true").names()).containsExactly("1", "2");
    assertThat(open("Title,,\\na,b,c\\nx,1,2", "csv.skip=0").names())
        .containsExactly("Title", "", "");
    CsvFile points = open("a;b\\n1,5;2", "csv.decimal=.");
    assertThat(rows(points)).containsExactly(List.of("1,5", 2L));
    assertThat(warnings(points))
        .containsExactly(
            "Column a is text: it has numbers such as \"1,5\"; the parameter csv.decimal=, reads"
                + " them");
  }

  /// A value of an option can be sent whatever the name of its column has.
  @ParameterizedTest
  @ValueSource(strings = {"a,b", "\"q\"", "a:b", "a\",\"b", "x (a,b):int", "a\":b"})
  void namesInOptionsMayHaveAnyCharacter(String name) throws IOException {
    String text = "\"%s\";n\n5%%;1\n".formatted(name.replace("\"", "\"\""));
    Advice advice = open(text).advice().getFirst();
    assertThat(advice.column()).isEqualTo(name);
    CsvFile file = open(text, advice.option() + "=" + advice.value());
    assertThat(rows(file)).containsExactly(List.of(0.05, 1L));
    assertThat(warnings(file)).isEmpty();
    CsvFile two = open(text, "csv.types=" + advice.value() + ",n:utf8");
    assertThat(rows(two)).containsExactly(List.of(0.05, "1"));
  }

  /// The first line has the names of the dataset, whatever it looks like.
  @Test
  void theNamesOfADatasetAreAHeader() throws IOException {
    Schema dataset =
        Schema.of(
            Field.of("1", true, new ArrowType.Utf8()), Field.of("a;b", true, new ArrowType.Utf8()));
    byte[] numbers = "1\n2\n3\n".getBytes(StandardCharsets.UTF_8);
    assertThat(rows(open(numbers, dataset))).containsExactly(List.of("2"), List.of("3"));
    byte[] semicolons = "a;b\n1;2\n".getBytes(StandardCharsets.UTF_8);
    assertThat(rows(open(semicolons, dataset))).containsExactly(List.of("1;2"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "31.01.2024 10:00 ! 2024-01-31T10:00",
        "5.1.2024 9:05:07.25 ! 2024-01-05T09:05:07.250",
        "2024/01/31 10:00 ! 2024-01-31T10:00",
        "31-OCT-2023 12:30 AM ! 2023-10-31T00:30",
        "'Jan 31, 2024, 3:05:10 PM' ! 2024-01-31T15:05:10",
        "2024-01-31 12:05 pm ! 2024-01-31T12:05",
        "31.01.2024 10:00:00.123456 ! 2024-01-31T10:00:00.123456"
      })
  void timestampsThatReadInOneWayAreTimestamps(String text, String expected) throws IOException {
    // Dates alone, and the form of ISO 8601, may be in the same column.
    CsvFile file = open("t;n\n" + text + ";1\n2024-02-01T00:00:00;2\n31.01.2024;3");
    assertThat(warnings(file)).isEmpty();
    assertThat(rows(file))
        .containsExactly(
            List.of(microseconds(LocalDateTime.parse(expected)), 1L),
            List.of(microseconds(LocalDateTime.of(2024, 2, 1, 0, 0)), 2L),
            List.of(microseconds(LocalDateTime.of(2024, 1, 31, 0, 0)), 3L));
  }

  private static long microseconds(LocalDateTime time) {
    return ChronoUnit.MICROS.between(LocalDateTime.of(1970, 1, 1, 0, 0), time);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "31/01/2024 10:00:05 ! day-first ! 2024-01-31T10:00:05",
        "1/31/2024 3:05 PM ! month-first ! 2024-01-31T15:05",
        "'1/31/24, 12:05 AM' ! month-first ! 2024-01-31T00:05",
        "01-02-2024 10:00 ! day-first ! 2024-02-01T10:00"
      })
  void timestampsThatReadInTwoWaysAreText(String text, String order, String expected)
      throws IOException {
    CsvFile file = open("t;n\n" + text + ";1");
    assertThat(rows(file)).containsExactly(List.of(text, 1L));
    Advice advice = file.advice().getFirst();
    assertThat(advice.sentence())
        .startsWith("Column t is text: it has dates such as \"%s\"; ".formatted(text))
        .contains("csv.dates=" + order);
    assertThat(advice.value()).isEqualTo(order);
    CsvFile ordered = open("t;n\n" + text + ";1", "csv.dates=" + order);
    assertThat(warnings(ordered)).isEmpty();
    assertThat(rows(ordered))
        .containsExactly(List.of(microseconds(LocalDateTime.parse(expected)), 1L));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "31.01.2024 24:00",
        "31.01.2024 10:60",
        "31.02.2024 10:00",
        "31.01.2024 13:00 PM",
        "31.01.2024 0:30 AM",
        "31.01.2024 10:00 +01:00",
        "31.01.2024 10:00:00.1234567",
        "31.01.202410:00",
        "31.01.2024  10:00",
        "1.2.3.4 10:00",
        "at 10:00",
        "room 5 12:30",
        "31.01.2024 10:00 XM",
        "31.01.2024 :00"
      })
  void otherTextsAreNotTimestamps(String text) throws IOException {
    CsvFile file = open("t;n\n" + text + ";1");
    assertThat(rows(file)).containsExactly(List.of(text, 1L));
    assertThat(warnings(file)).isEmpty();
  }

  /// Dates of any year are text beside times of nanoseconds, which do not reach all of them.
  @Test
  void writtenTimestampsAndNanosecondsAreText() throws IOException {
    CsvFile file = open("t\n31.01.2024 10:00\n2024-01-31T10:00:00.123456789");
    assertThat(rows(file).getFirst()).containsExactly("31.01.2024 10:00");
    assertThat(warnings(file).getFirst()).startsWith("Column t is text: no other type holds");
  }

  @Test
  void appendedTimestampsMayBeWritten() throws IOException {
    Schema seconds = Schema.of(Field.of("t", true, new ArrowType.Timestamp(TimeUnit.SECOND, null)));
    byte[] text = "t\n31.01.2024 10:00\n".getBytes(StandardCharsets.UTF_8);
    assertThat(rows(open(text, seconds)))
        .containsExactly(List.of(microseconds(LocalDateTime.of(2024, 1, 31, 10, 0)) / 1_000_000));
    byte[] slashed = "t\n31/01/2024 10:00\n".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> rows(open(slashed, seconds)))
        .isInstanceOfSatisfying(
            ForeignDataException.class,
            error -> assertThat(error.hint()).contains("csv.dates=day-first"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE"})
  void readsWideTextWithoutAMarkWhereThatIsCertain(String charset) throws IOException {
    byte[] bytes = "Größe;b\n1;日本\n2;x\n".getBytes(Charset.forName(charset));
    CsvFile file = open(bytes, /* dataset= */ null);
    assertThat(rows(file)).containsExactly(List.of(1L, "日本"), List.of(2L, "x"));
    String name = charset.toLowerCase(Locale.ROOT);
    assertThat(file.found()).containsEntry("encoding", name);
    assertThat(warnings(file))
        .containsExactly(
            "The text has no mark and was read as %s; the parameter csv.encoding states another encoding"
                .formatted(name));
    // The first line has a character of two bytes: it may be another encoding.
    byte[] open = "価格\n1\n".getBytes(Charset.forName(charset));
    CsvFile told = open(open, /* dataset= */ null);
    assertThat(told.found()).doesNotContainEntry("encoding", name);
    assertThat(told.advice())
        .anyMatch(
            advice -> "csv.encoding".equals(advice.option()) && "utf-16le".equals(advice.value()));
    // A character of the code 0 is one of another encoding.
    byte[] zero = "a\0\n\0\0\0x\0\n\0".getBytes(StandardCharsets.UTF_8);
    assertThat(open(zero, /* dataset= */ null).found()).doesNotContainKey("encoding");
  }

  @Test
  void toldWideTextHasAHint() {
    byte[] fields = "日本;b\n1;x\n".getBytes(StandardCharsets.UTF_16LE);
    assertThatThrownBy(() -> open(fields, /* dataset= */ null))
        .isInstanceOfSatisfying(
            ForeignDataException.class,
            error -> assertThat(error.hint()).contains("csv.encoding=utf-16le"));
  }

  /// Values that are valid by themselves, and not in the dataset.
  @Test
  void leavesOutRowsThatTheDatasetDoesNotHold() throws IOException {
    Schema dataset =
        Schema.of(
            Field.of("t", true, new ArrowType.Timestamp(TimeUnit.SECOND, null)),
            Field.of("n", false, new ArrowType.Int(64, true)),
            Field.of("b", true, new ArrowType.FixedSizeBinary(2)));
    String good = "2024-01-31T10:00:00,1,YWI=\n";
    String bad =
        "2024-01-31T10:00:00.5,2,YWI=\n2024-01-31T10:00:00,,YWI=\n2024-01-31T10:00:00,3,YWJj\n";
    byte[] bytes =
        ("t,n,b\n" + (good.repeat(7) + bad).repeat(9_000) + good).getBytes(StandardCharsets.UTF_8);
    CsvFile file = open(bytes, dataset, "csv.rows=skip");
    try (CsvReader reader = file.read(CpuPool.PROCESS, folder)) {
      long count = 0;
      for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
        count += batch.length();
        assertThat(batch.columns().get(1).nullCount()).isZero();
      }
      assertThat(count).isEqualTo(63_001);
      assertThat(reader.skipped().kinds()).isEqualTo(Map.of("value", 27_000L));
      assertThat(reader.skipped().rows().subList(0, 3).stream().map(Object::toString))
          .containsExactly(
              "Row[line=9, reason=Expected timestamp[s] but found \"2024-01-31T10:00:00.5\" in column t]",
              "Row[line=10, reason=Expected int64 but found \"\" in column n]",
              "Row[line=11, reason=Expected fixed_size_binary[2] but found \"YWJj\" in column b]");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "UTF-16LE, utf-16le",
    "UTF-16BE, utf-16be",
    "UTF-32LE, utf-32le",
    "UTF-32BE, utf-32be"
  })
  void aMarkTellsTheEncoding(String charset, String name) throws IOException {
    byte[] bytes = "\uFEFFa\tb\nä\t1\n".getBytes(Charset.forName(charset));
    CsvFile file = open(bytes, /* dataset= */ null);
    assertThat(rows(file)).containsExactly(List.of("ä", 1L));
    assertThat(file.found()).containsEntry("encoding", name);
    assertThat(file.advice()).isEmpty();
  }

  /// The only bytes that are not ASCII may be behind the beginning, and a character at any place.
  @Test
  void theWholeFileDecidesOnTheEncoding() throws IOException {
    byte[] utf8 = ("a,b\n" + "ä,1\n".repeat(300_000)).getBytes(StandardCharsets.UTF_8);
    assertThat(open(utf8, /* dataset= */ null).found()).isEmpty();
    for (int shift = 0; shift < 4; shift++) {
      String ascii = "a,b\n" + "x".repeat(shift) + ",1\n" + "abc,1\n".repeat(200_000);
      byte[] latin = (ascii + "ä,2\n").getBytes(StandardCharsets.ISO_8859_1);
      CsvFile file = open(latin, /* dataset= */ null);
      assertThat(file.found()).containsEntry("encoding", "windows-1252");
      assertThat(rows(file).getLast()).isEqualTo(List.of("ä", 2L));
      byte[] late = (ascii + "ä,2\n€,3\n").getBytes(StandardCharsets.UTF_8);
      assertThat(open(late, /* dataset= */ null).found()).isEmpty();
    }
  }

  /// A byte of another encoding behind characters of UTF-8, or a character that is cut.
  @Test
  void damagedUtf8IsNotOfAnotherEncoding() throws IOException {
    byte[] whole = "a,b\n1,ä\n1,ä".getBytes(StandardCharsets.UTF_8);
    byte[] cut = Arrays.copyOf(whole, whole.length - 1);
    byte[] other = "a,b\n1,ä\n1,x".getBytes(StandardCharsets.UTF_8);
    other[other.length - 1] = (byte) 0xE4;
    for (byte[] damaged : List.of(cut, other)) {
      assertThatThrownBy(() -> rows(open(damaged, /* dataset= */ null)))
          .hasMessage("Expected UTF-8 but found other bytes at line 3");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "2024/01/31",
        "2024.01.31",
        "31.01.2024",
        "31.1.2024",
        "31-JAN-2024",
        "31JAN2024",
        "31 January 2024",
        "Jan 31 2024",
        "'January 31, 2024'"
      })
  void datesThatReadInOneWayAreDates(String date) throws IOException {
    CsvFile file = open("d;n\\n" + date + ";1\\n;2");
    assertThat(rows(file).getFirst()).isEqualTo(List.of(day(2024, 1, 31), 1L));
    assertThat(warnings(file)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "31/01/2024, csv.dates=day-first",
    "01/31/2024, csv.dates=month-first",
    "31-01-2024, csv.dates=day-first",
    "1/31/24, csv.dates=month-first",
    "01/02/2024, csv.dates=day-first or csv.dates=month-first"
  })
  void datesThatReadInTwoWaysAreText(String date, String options) throws IOException {
    CsvFile file = open("d;n\\n" + date + ";1");
    assertThat(rows(file)).containsExactly(List.of(date, 1L));
    assertThat(warnings(file))
        .containsExactly(
            "Column d is text: it has dates such as \"%s\"; the parameter %s reads them"
                .formatted(date, options));
    String option = file.advice().getFirst().option() + "=" + file.advice().getFirst().value();
    CsvFile dates = open("d;n\\n" + date + ";1", option);
    assertThat(rows(dates).getFirst().getFirst())
        .isEqualTo(date.equals("01/02/2024") ? day(2024, 2, 1) : day(2024, 1, 31));
    assertThat(dates.advice()).isEmpty();
  }

  /// The lines before the table are counted in bytes, whatever these are.
  @Test
  void titlesMayBeOfAnotherEncoding() throws IOException {
    byte[] title =
        "Ums\u00E4tze \u0081\n\nalpha,b,c\nx,1,2\n".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(open(title, /* dataset= */ null).names()).containsExactly("alpha", "b", "c");
    assertThat(open(title, /* dataset= */ null, "csv.encoding=utf-8").names())
        .containsExactly("alpha", "b", "c");
  }

  @Test
  void textsAreKeptAsOtherForms() throws IOException {
    for (String text :
        List.of(
            "31.02.2024",
            "2024.1.5",
            "0123/4/5",
            "1.2.3",
            "31.01.24",
            "2024/13/01",
            "31 Foo 2024",
            "Jan 2024",
            "May")) {
      assertThat(open("d;n\\n" + text + ";1").schema().fields().getFirst().type())
          .as(text)
          .isEqualTo(new ArrowType.Utf8());
    }
  }

  @Test
  void percentagesAndGroupsAreReadIfThatIsStated() throws IOException {
    CsvFile text = open("p;g;f\\n5%;1,234;1,234.50\\n-0.5 %;12;7");
    assertThat(rows(text).getFirst()).isEqualTo(List.of("5%", "1,234", "1,234.50"));
    assertThat(text.advice().stream().map(Advice::value))
        .containsExactly("p:percent", "g:grouped", "f:grouped");
    CsvFile numbers =
        open("p;g;f\\n5%;1,234;1,234.50\\n-0.5 %;12;7", "csv.types=p:percent,g:grouped,f:grouped");
    assertThat(rows(numbers))
        .containsExactly(List.of(0.05, 1234L, 1234.5), List.of(-0.005, 12L, 7.0));
    assertThatThrownBy(
            () -> rows(open("g\\n1,23", "csv.types=g:grouped", "csv.delimiter=;", "csv.decimal=.")))
        .hasMessageContaining("Expected grouped but found \"1,23\"");
    assertThatThrownBy(() -> rows(open("p\\n5", "csv.types=p:percent")))
        .hasMessageContaining("Expected percent but found \"5\"");
  }

  @Test
  void groupsBesideDecimalCommasHavePoints() throws IOException {
    CsvFile file = open("a;b\\n1,5;1.234,50\\n2,5;7,1", "csv.types=b:grouped");
    assertThat(rows(file)).containsExactly(List.of(1.5, 1234.5), List.of(2.5, 7.1));
  }

  /// In a column of text, only what has no quotes is null.
  @Test
  void quotedEmptyFieldsAreNullBesideValues() throws IOException {
    CsvFile file = open("\"n\",\"t\"\\n\"5\",\"x\"\\n\"\",\"\"\\n", "csv.types=t:utf8");
    assertThat(rows(file)).containsExactly(List.of(5L, "x"), Arrays.asList(null, ""));
    CsvFile words = open("n,d\\n5,2024-01-31\\n\"NA\",\"NA\"\\n", "csv.null=NA");
    assertThat(rows(words).getLast()).isEqualTo(Arrays.asList(null, null));
  }

  @Test
  void shortRowsAreFilledIfThatIsStated() throws IOException {
    String text = "a,b,c\\n1,2,x\\n3\\n4,5\\n";
    assertThat(rows(open(text, "csv.rows=fill")))
        .containsExactly(
            List.of(1L, 2L, "x"), Arrays.asList(3L, null, null), Arrays.asList(4L, 5L, null));
    assertThat(rows(open(text, "csv.rows=fill", "csv.null=NA")).get(1))
        .isEqualTo(Arrays.asList(3L, null, null));
    assertThatThrownBy(() -> rows(open("a,b\\n1,2\\n1,2,3\\n", "csv.rows=fill")))
        .hasMessage("Expected 2 fields but found 3 at line 3");
    assertThatThrownBy(() -> rows(open(text)))
        .isInstanceOfSatisfying(
            ForeignDataException.class,
            error -> assertThat(error.hint()).contains("csv.rows=fill", "csv.rows=skip"));
  }

  /// Wherever a row is cut by the pieces in which the file is read.
  @Test
  void badRowsAreLeftOutAtTheEndsOfPieces() throws IOException {
    String bad = "3,\"x\"" + "y".repeat(3000) + "\n";
    String text = "a,b\n" + ("1,2\n".repeat(11) + bad).repeat(400) + "5,6\n";
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    CsvFile file = open(bytes, /* dataset= */ null, "csv.rows=skip");
    assertThat(rows(file)).hasSize(11 * 400 + 1).endsWith(List.of(5L, 6L));
  }

  /// In any block, and more than are listed.
  @Test
  void badRowsAreLeftOutIfThatIsStated() throws IOException {
    String text = "a,b\n" + "1,2\n2\nx,1\n3,\"y\"z\n4,5,6\n".repeat(60_000) + "5,6\n";
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    CsvFile file =
        open(bytes, /* dataset= */ null, "csv.rows=skip", "csv.types=a:int64", "csv.sample=1");
    try (CsvReader reader = file.read(CpuPool.PROCESS, folder)) {
      long count = 0;
      for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
        for (List<@Nullable Object> row : Values.rows(batch)) {
          assertThat(row).isEqualTo(++count == 60_001 ? List.of(5L, 6L) : List.of(1L, 2L));
        }
      }
      assertThat(count).isEqualTo(60_001);
      assertThat(reader.skipped().count()).isEqualTo(240_000);
      assertThat(reader.skipped().kinds())
          .isEqualTo(Map.of("fields", 120_000L, "quotes", 60_000L, "value", 60_000L));
      assertThat(reader.skipped().rows()).hasSize(100);
      assertThat(reader.skipped().rows().subList(0, 5).stream().map(Object::toString))
          .containsExactly(
              "Row[line=3, reason=Expected 2 fields but found 1]",
              "Row[line=4, reason=Expected int64 but found \"x\" in column a]",
              "Row[line=5, reason=Expected the quote that ends a field but found other text]",
              "Row[line=6, reason=Expected 2 fields but found 3]",
              "Row[line=8, reason=Expected 2 fields but found 1]");
    }
  }
}
