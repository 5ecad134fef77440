package dev.quiver.foreign;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.cast.InvalidCastException;
import dev.quiver.engine.SqlException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsvFileTest extends ForeignFixture {

  private static List<String> fields(CsvFile file) {
    CsvTypes types = types(file);
    return fields(file.schema(types, engine.schema(file.sql(types))));
  }

  private static List<List<@Nullable Object>> rows(CsvFile file) {
    CsvTypes types = types(file);
    String sql = file.sql(types);
    return engine.rows(sql, file.schema(types, engine.schema(sql)), file.inferredIntegers(types));
  }

  private static ForeignDataException error(CsvFile file) {
    CsvTypes types = types(file);
    String sql = file.sql(types);
    try {
      engine.rows(sql, file.schema(types, engine.schema(sql)), file.inferredIntegers(types));
    } catch (InvalidCastException e) {
      return file.error(requireNonNull(e.getMessage()));
    } catch (SqlException _) {
      // Told below.
    }
    return error(sql, file::error);
  }

  @Test
  void readsTypesOfAllKinds() throws IOException {
    CsvFile file =
        csv(
            write(
                "kinds.csv",
                """
                i,large,d,b,t,ts,ns,tz,text,day
                1,9223372036854775808,1.5,true,12:34:56,2024-01-02 03:04:05,2024-01-02T03:04:05.123456789,2024-01-02T03:04:05+02:00,x,2024-01-02
                -2,1,-2e3,False,00:00:00.5,2024-01-02T03:04:05.5,2024-01-02,2024-01-02 03:04Z,,
                """));
    assertThat(fields(file))
        .containsExactly(
            "i: int64",
            "large: decimal128(38, 0)",
            "d: float64",
            "b: bool",
            "t: time64[us]",
            "ts: timestamp[us]",
            "ns: timestamp[ns]",
            "tz: timestamp[us, UTC]",
            "text: utf8",
            "day: date32[day]");
    long seconds = LocalDateTime.of(2024, 1, 2, 3, 4, 5).toEpochSecond(ZoneOffset.UTC);
    List<@Nullable Object> first = rows(file).getFirst();
    assertThat(first.get(5)).isEqualTo(seconds * 1_000_000);
    assertThat(first.get(6)).isEqualTo(seconds * 1_000_000_000 + 123_456_789);
    assertThat(first.get(7)).isEqualTo((seconds - 7200) * 1_000_000);
    assertThat(types(file).textColumns()).isEmpty();
  }

  /// Numbers that would lose something as numbers stay text, as do dates that could be two.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "007",
        "+5",
        "1_000",
        "0x10",
        "nan",
        "inf",
        "01/02/2024",
        "2024-1-2",
        "2024-02-30",
        "yes",
        "25:00:00",
        "epoch",
        "12345678901234567890123456789012345678901"
      })
  void otherValuesAreText(String value) throws IOException {
    CsvFile file = csv(write("text.csv", "a\n" + value + "\n"));
    assertThat(fields(file)).containsExactly("a: utf8");
    assertThat(rows(file)).containsExactly(List.of(value));
  }

  @Test
  void numbersMayBeInfiniteOrNotANumber() throws IOException {
    CsvFile file = csv(write("nan.csv", "a\n1\nNaN\n-inf\n"));
    assertThat(rows(file))
        .containsExactly(List.of(1.0), List.of(Double.NaN), List.of(Double.NEGATIVE_INFINITY));
  }

  @Test
  void keepsEveryNameOfTheHeader() throws IOException {
    CsvFile file =
        csv(write("names.csv", "a,a,A,,filename,a_1,\" x, \"\"y\"\"\"\n1,2,3,4,5,6,7\n"));
    assertThat(file.names()).containsExactly("a", "a", "A", "", "filename", "a_1", " x, \"y\"");
    assertThat(file.schema(types(file), engine.schema(file.sql(types(file)))).fields())
        .extracting(field -> field.name())
        .isEqualTo(file.names());
    assertThat(rows(file)).containsExactly(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L));
  }

  @Test
  void readsFilesWithoutAHeader() throws IOException {
    CsvFile file = csv(write("headless.csv", "1,x\n2,y\n"), "csv.header=false");
    assertThat(fields(file)).containsExactly("column0: int64", "column1: utf8");
    assertThat(rows(file)).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a,b\\n1,2\\n | csv.skip=0",
        "a,b\\r\\n1,2\\r\\n | csv.skip=0",
        "a,b\\r1,2\\r | csv.skip=0",
        "\uFEFFa,b\\n1,2 | csv.skip=0",
        "\\n\\na,b\\n\\n1,2\\n | csv.skip=0",
        "x,y,z\\n\"p\\nq\"\\na,b\\n1,2\\n | csv.skip=2",
        "#x\\n\\na,b\\n#1,5\\n1,2 #5\\n | csv.comment=#",
        "#x\\ny\\n#z\\n\\na,b\\n1,2\\n | csv.comment=#,csv.skip=1",
        "a;b\\n1;2\\n | csv.delimiter=;",
        "a;b\\n1;2\\n | csv.delimiter=auto",
        "a\\tb\\n1\\t2\\n | csv.delimiter=auto",
        "\"a\";\"b\"\\n\"1\";\"2\"\\n | csv.delimiter=auto",
        "'a','b'\\n'1',2\\n | csv.quote='",
      })
  void findsTheHeader(String text, String options) throws IOException {
    Path path =
        write("header.csv", text.replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t"));
    CsvFile file = csv(path, options.split("(?<=[#1]),"));
    assertThat(file.names()).containsExactly("a", "b");
    assertThat(fields(file)).hasSize(2);
    assertThat(
            rows(file).stream()
                .map(row -> row.stream().map(value -> value.toString().strip()).toList()))
        .containsExactly(List.of("1", "2"));
  }

  /// The engine reads no rows of such files, without an error.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\",a,b\\n1,\"q, r\"\\n2,x\\n | Expected the quote that ends a field but found other text at line 1",
        "\"\"a,b\\n1,2\\n | Expected the quote that ends a field but found other text at line 1",
        "a,\"b\\n1,2\\n | Expected the quote that ends a field but found other text at line 1",
        "\\n\\na,b\\r\\n1,2\\r\\n | Expected rows as in RFC 4180, with one kind of line ends, but found others",
        "\\r\\na,b\\n1,2\\n | Expected rows as in RFC 4180, with one kind of line ends, but found others"
      })
  void rejectsHeadersThatHideAllRows(String text, String message) throws IOException {
    Path path = write("hiding.csv", text.replace("\\n", "\n").replace("\\r", "\r"));
    assertThatThrownBy(() -> csv(path))
        .isInstanceOf(ForeignDataException.class)
        .hasMessage(message);
  }

  @Test
  void spacesBeforeAQuoteAreNoPartOfTheField() throws IOException {
    CsvFile file = csv(write("spaces.csv", " \"a\" , \"b,c\" \n \"1\",x y\n"));
    assertThat(file.names()).containsExactly("a", "b,c");
    assertThat(rows(file)).containsExactly(List.of(1L, "x y"));
  }

  @Test
  void quotedFieldsAreNeverNull() throws IOException {
    CsvFile file = csv(write("nulls.csv", "a,b\n,\"\"\nNA,\"NA\"\n"), "csv.null=", "csv.null=NA");
    assertThat(rows(file)).containsExactly(Arrays.asList(null, ""), Arrays.asList(null, "NA"));
  }

  /// The engine reads parts of 4 MB. A line within a text has the fields of a record.
  @ParameterizedTest
  @ValueSource(strings = {"%1$d,%2$d.5,\"%3$s\"", "%1$d,\"%3$s\",%2$d.5", "\"%3$s\",%1$d,%2$d.5"})
  void linesWithinQuotesAreNoRecords(String record) throws IOException {
    Random random = new Random(1);
    StringBuilder text = new StringBuilder("a,b,c\n");
    List<String> texts = new ArrayList<>();
    while (text.length() < 9_000_000) {
      int row = texts.size();
      String lines =
          IntStream.range(0, 1 + random.nextInt(400))
              .mapToObj(i -> record.formatted(row, i, "x").replace("\"", ""))
              .collect(Collectors.joining("\n"));
      texts.add(lines);
      text.append(record.formatted(row, row, lines)).append('\n');
    }
    CsvFile file = csv(write("quoted.csv", text.toString()));
    int column = List.of(record.split(",")).indexOf("\"%3$s\"");
    assertThat(rows(file)).extracting(row -> row.get(column)).isEqualTo(texts);
  }

  /// Against [CsvRecords], which knows nothing of the engine.
  @Test
  void losesNoRecordsAmongQuotes() throws IOException {
    Random random = new Random(1);
    List<String> values = List.of("", "x", "\n", "z\nz", "a,b", "c\"\"d", "\"\"", "5'", "e f");
    // No spaces: the engine reads "x" "y" as one field.
    List<String> changes = List.of("\"", "\"\"", ",", "\n", "x");
    int read = 0;
    for (int i = 0; i < 1_000; i++) {
      StringBuilder text = new StringBuilder("a,b\n");
      for (int row = random.nextInt(6); row >= 0; row--) {
        for (String end : List.of(",", "\n")) {
          String value = values.get(random.nextInt(values.size()));
          boolean quoted = value.contains("\"") || random.nextBoolean();
          text.append(quoted ? "\"" + value + "\"" : value.strip().replace(",", "")).append(end);
        }
      }
      for (int change = random.nextInt(3); change > 0; change--) {
        int place = 4 + random.nextInt(text.length() - 4);
        text.replace(place, place + random.nextInt(2), changes.get(random.nextInt(changes.size())));
      }
      List<List<@Nullable Object>> rows;
      try {
        rows = rows(csv(write("random.csv", text.toString()), "csv.types=a:utf8,b:utf8"));
      } catch (SqlException | ForeignDataException _) {
        continue;
      }
      read++;
      assertThat(withoutNulls(rows)).as("%s", text).isEqualTo(records(text.toString()));
    }
    assertThat(read).isBetween(300, 900);
  }

  private static List<List<String>> withoutNulls(List<List<@Nullable Object>> rows) {
    return rows.stream()
        .map(row -> row.stream().map(value -> value == null ? "" : value.toString()).toList())
        .toList();
  }

  /// Returns the fields of all records after the header that are not empty lines. As the engine
  /// does, leaves out empty fields after the last column.
  private static List<List<String>> records(String text) throws IOException {
    CsvRecords records =
        new CsvRecords(
            new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
            CsvOptions.parse(ForeignFormat.CSV, parameters()),
            ",");
    List<List<String>> read = new ArrayList<>();
    records.next();
    List<String> record;
    while ((record = records.next()) != null) {
      if (!record.equals(List.of(""))) {
        boolean longer = record.stream().skip(2).allMatch(String::isEmpty);
        read.add(longer ? record.subList(0, Math.min(2, record.size())) : record);
      }
    }
    return read;
  }

  @Test
  void readsEncodings() throws IOException {
    Path latin = write("latin.csv", "ä,b\n1,é\n".getBytes(StandardCharsets.ISO_8859_1));
    Path utf16 = write("utf16.csv", "\uFEFFä,b\n1,é\n".getBytes(StandardCharsets.UTF_16LE));
    for (CsvFile file :
        List.of(csv(latin, "csv.encoding=latin-1"), csv(utf16, "csv.encoding=utf-16"))) {
      assertThat(file.names()).containsExactly("ä", "b");
      assertThat(rows(file)).containsExactly(List.of(1L, "é"));
    }
    Path bigEndian = write("utf16be.csv", "\uFEFFä,b\n1,é\n".getBytes(StandardCharsets.UTF_16BE));
    assertThatThrownBy(() -> csv(bigEndian, "csv.encoding=utf-16"))
        .hasMessage("Expected UTF-16 of little-endian order but found the other");
    for (Path path : List.of(latin, utf16)) {
      assertThatThrownBy(() -> csv(path))
          .isInstanceOf(ForeignDataException.class)
          .hasMessage("Expected UTF-8 but found other bytes at line 1");
    }
  }

  @Test
  void readsStatedFormats() throws IOException {
    Path path = write("formats.csv", "d;t;x\n31.12.2024;31.12.2024 05:06;1,25\n");
    CsvFile file =
        csv(
            path,
            "csv.delimiter=;",
            "csv.decimal=,",
            "csv.dateformat=%d.%m.%Y",
            "csv.timestampformat=%d.%m.%Y %H:%M",
            "csv.types=x:decimal(9,2)");
    assertThat(fields(file))
        .containsExactly("d: date32[day]", "t: timestamp[us]", "x: decimal128(9, 2)");
    LocalDate day = LocalDate.of(2024, 12, 31);
    assertThat(rows(file).getFirst().getFirst()).isEqualTo(day.toEpochDay());
    assertThat(rows(file).getFirst().getLast().toString()).isEqualTo("125");
    CsvFile odd = csv(path, "csv.delimiter=;", "csv.dateformat=%q");
    assertThat(error(odd.sampleSql().getFirst(), odd::error))
        .hasMessage(
            "Expected formats of dates and timestamps such as %Y-%m-%d but found an unknown one");
  }

  @Test
  void tellsThatAnotherDelimiterIsLikely() throws IOException {
    assertThat(csv(write("semicolons.csv", "a;b\n1;2\n")).delimiterWarning())
        .isEqualTo(
            "The only column has the name \"a;b\"; the parameter csv.delimiter says what is between"
                + " fields");
    assertThat(csv(folder.resolve("semicolons.csv"), "csv.delimiter=;").delimiterWarning())
        .isNull();
    assertThat(csv(write("one.csv", "a\n1\n")).delimiterWarning()).isNull();
  }

  @Test
  void tellsColumnsThatAreTextBecauseOfSomeValues() throws IOException {
    CsvFile file =
        csv(
            write(
                "telling.csv",
                "id,day,few,name,flag,time\n1,2024-01-02,x,a,true,12:00:00\nzz,n/a,1,b,false,12:30:00\n"
                    + "2,2024-01-03,y,c,?,late\n,2024-01-04,z,d,,\n"));
    assertThat(types(file).textColumns())
        .extracting(CsvTypes.TextColumn::sentence)
        .containsExactly(
            "Column id is text: most values are of type bigint, but row 2 has \"zz\"",
            "Column day is text: most values are of type date, but row 2 has \"n/a\"",
            "Column flag is text: most values are of type boolean, but row 3 has \"?\"",
            "Column time is text: most values are of type time, but row 3 has \"late\"");
    assertThat(fields(file))
        .containsExactly(
            "id: utf8", "day: utf8", "few: utf8", "name: utf8", "flag: utf8", "time: utf8");
    // A stated type is not told.
    assertThat(types(csv(folder.resolve("telling.csv"), "csv.types=id:varchar")).textColumns())
        .hasSize(3);
  }

  @Test
  void tellsColumnsOfNumbersOrTimesThatNoOneTypeHolds() throws IOException {
    CsvFile file =
        csv(
            write(
                "mixed.csv",
                "long,large,zone,exact,whole\n0.5,1.5,2024-01-02T03:04:05Z,1,9007199254740993\n"
                    + "9007199254740993,99999999999999999999,2024-01-02T03:04:05,9007199254740992,2\n"
                    + "1,1,2024-01-02,0.5,3\n"));
    assertThat(types(file).textColumns())
        .extracting(CsvTypes.TextColumn::sentence)
        .containsExactly(
            "Column long is text: no other type holds \"9007199254740993\" in row 2 and the values"
                + " before it",
            "Column large is text: no other type holds \"99999999999999999999\" in row 2 and the"
                + " values before it",
            "Column zone is text: no other type holds \"2024-01-02T03:04:05\" in row 2 and the"
                + " values before it");
    assertThat(fields(file))
        .containsExactly(
            "long: utf8", "large: utf8", "zone: utf8", "exact: float64", "whole: int64");
  }

  /// The first value of another type comes after the sample.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "7 | zz | int64 | false",
        "7 | 1.5 | int64 | false",
        "7 | 1e-1 | int64 | false",
        "7 | 00501 | int64 | false",
        "7 | +5 | int64 | false",
        "7 | -0 | int64 | false",
        "7 | 99999999999999999999 | int64 | false",
        "99999999999999999999 | 1.5 | decimal(38,0) | false",
        "1.5 | zz | double | true",
        "true | 2 | boolean | true",
        "2024-01-02 | 2024-01-02 03:04:05 | date | true",
        "2024-01-02 | 2024-13-02 | date | true",
        "2024-01-02 03:04:05 | 2024-01-02 03:04:05.1234567 | timestamp | false",
        "2024-01-02 03:04:05 | 2024-01-02 03:04:05+02:00 | timestamp | false",
        "2024-01-02 03:04:05 | 2024-01-02 03:04-02 | timestamp | false",
        "2024-01-02 03:04:05 | 2024-01-02 03:04:05Z | timestamp | false",
        "2024-01-02 03:04:05Z | 2024-01-02 03:04:05 | timestamptz | false",
        "12:00:00 | 12:00:00.1234567 | time | false"
      })
  void valuesThatWouldLoseSomethingAreErrors(
      String usual, String late, String type, boolean toldWithLine) throws IOException {
    StringBuilder text = new StringBuilder("a,b\n");
    for (int i = 0; i < 40; i++) {
      text.append(usual).append(",x\n");
    }
    CsvFile file = csv(write("late.csv", text + late + ",x\n"), "csv.sample=30");
    ForeignDataException error = error(file);
    assertThat(error.column()).isEqualTo("a");
    assertThat(error.value()).isEqualTo(late);
    if (toldWithLine) {
      assertThat(error.line()).isEqualTo(42);
      assertThat(file.rowSql(error)).isNull();
      assertThat(error)
          .hasMessage("Expected %s but found \"%s\" at line 42, column a".formatted(type, late));
    } else {
      assertThat(error.located(engine.batches(requireNonNull(file.rowSql(error)))))
          .hasMessage("Expected %s but found \"%s\" in column a, row 41".formatted(type, late));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a,b,c\\n1,2,3\\n1,2,3,4\\n | 3 | Expected 3 fields but found 4 at line 3",
        "a,b,c\\n1,2,3\\n1,2\\n | 3 | Expected 3 fields but found 2 at line 3",
        "a\\n1,2\\n | 2 | Expected 1 field but found 2 at line 2",
        "a,b\\n1,ä\\n2,\uFFFD\\n | 3 | Expected UTF-8 but found other bytes at line 3",
        "a,b\\n1,\"x\"y\\n | 2 | Expected the quote that ends a field but found other text at line 2"
      })
  void tellsTheLineOfIrregularRows(String text, long line, String message) throws IOException {
    byte[] bytes =
        text.replace("\\n", "\n")
            .replace("ä", "a")
            .replace("\uFFFD", "\u00FF")
            .getBytes(StandardCharsets.ISO_8859_1);
    CsvFile file = csv(write("irregular.csv", bytes));
    for (String sql : List.of(file.sampleSql().getFirst(), file.sql(allText(file)))) {
      assertThat(error(sql, file::error)).hasMessage(message);
      assertThat(error(sql, file::error).line()).isEqualTo(line);
    }
  }

  /// The engine counts a record as one line.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a,b\\n1,\"x\\ny\"\\n1,2,3\\n | 4 | Expected 2 fields but found 3 at line 4",
        "a,b\\r\\n1,\"x\\r\\ny\"\\r\\n\\r\\n1,2,3\\r\\n | 5 | Expected 2 fields but found 3 at line 5",
        "a,b\\n#\"\\n1,\"\\n\\n\"\\n1\\n | 6 | Expected 2 fields but found 1 at line 6",
        "\u00EF\u00BB\u00BF\"a\\na\",b\\n1,\"x\\ny\"\\n1,2,3\\n | 5 | Expected 2 fields but found 3 at line 5",
        "a,b\\n1,\"x\\ny\"\\n2,\"z\"z\\n | 4 | Expected the quote that ends a field but found other text at line 4",
        "\"a\\na\",b\\n1,\"x\\ny\"\\n1,2\\n1,\uFFFD\\n | 6 | Expected UTF-8 but found other bytes at line 6"
      })
  void tellsTheLineAfterRecordsWithSeveral(String text, long line, String message)
      throws IOException {
    byte[] bytes =
        latin1(text.replace("\\r", "\r").replace("\\n", "\n").replace("\uFFFD", "\u00FF"));
    Path path = write("several.csv", bytes);
    CsvFile file = csv(path, "csv.comment=#");
    ForeignDataException error = error(file.sql(allText(file)), file::error);
    assertThat(error.line()).isLessThan(line);
    ForeignDataException located = file.located(error, () -> Files.newInputStream(path));
    assertThat(located).hasMessage(message);
    assertThat(located.line()).isEqualTo(line);
  }

  /// By parts or in order, the engine may drop the record, and tells nothing.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a,b\\n1,\"x\\n\\n2,y\\n | 2",
        "a,b\\n1,\"x\\ny\"\\n2,\"z\\n3,4\\n | 4",
        "a,b\\n1,\"x\\ny\"\\n2,  \"z\"z\\n2,\"z\"\" | 5",
        "a\\r\\n\"x\\r\\ny\"\\r\\n\" | 4"
      })
  void quotesThatDoNotEndAreTold(String text, long line) throws IOException {
    Path path = write("open.csv", text.replace("\\r", "\r").replace("\\n", "\n"));
    assertThatThrownBy(() -> csv(path))
        .isInstanceOf(ForeignDataException.class)
        .hasMessage(
            "Expected the quote that ends a field but found other text at line %d".formatted(line));
  }

  /// The engine begins a part at 4,000,000, and takes other lines for empty or for none.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\n|\n",
        "\n\n|",
        "|\n\n",
        "\r|\n\r\n",
        "\r\n|\r\n",
        "\r\n\r|\n",
        "\r\n\r\n|\r\n",
        "\r|\n"
      })
  void emptyLinesBetweenPartsChangeNothing(String ends) throws IOException {
    String before = ends.substring(0, ends.indexOf('|'));
    String after = ends.substring(before.length() + 1);
    String lineEnd = ends.contains("\r") ? "\r\n" : "\n";
    for (String first : List.of("1,x", "1,\"x" + lineEnd + "1,x\"")) {
      StringBuilder text = new StringBuilder("a,b" + lineEnd + first + lineEnd);
      String record = "2,yyyyyyy" + lineEnd;
      int end = 4_000_000 - before.length();
      while (text.length() + 2 * record.length() < end) {
        text.append(record);
      }
      text.append("3,").append("z".repeat(end - text.length())).append(before).append(after);
      text.append("4,a").append(lineEnd).append("5,b").append(lineEnd);
      CsvFile file = csv(write("parts.csv", text.toString()), "csv.types=a:utf8");
      List<List<@Nullable Object>> rows;
      try {
        rows = rows(file);
      } catch (SqlException e) {
        assertThat(file.error(requireNonNull(e.getMessage())))
            .hasMessage("Expected rows without empty lines between them but found some");
        // Empty lines that end with two characters, where the engine begins a part.
        assertThat(lineEnd).isEqualTo("\r\n");
        assertThat(before + after).contains("\r\n\r\n");
        continue;
      }
      assertThat(withoutNulls(rows)).isEqualTo(records(text.toString()));
    }
  }

  /// After a byte order mark, the engine does not see a quote.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"Name\n(first)\",b\n1,2\n",
        "\"Name\n\n(first)\",\"b\nb\"\n1,\"x\ny\"\n",
        "\"Name\n(first)\"\n1\n",
        "\"Name\",\"b\nb\"\n1,2\n"
      })
  void namesMayHaveLineBreaksAfterAByteOrderMark(String text) throws IOException {
    for (String mark : List.of("", "\uFEFF")) {
      CsvFile file = csv(write("mark.csv", mark + text));
      assertThat(withoutNulls(rows(file))).isEqualTo(records(text));
    }
    assertThatThrownBy(() -> csv(write("mark.csv", "\uFEFF\"x\ny\",1\n2,3\n"), "csv.header=false"))
        .hasMessage(
            "Expected a first field without line breaks after a byte order mark but found some at line"
                + " 1");
    String preamble = "\"x\ny\"\n";
    for (String mark : List.of("", "\uFEFF")) {
      CsvFile file = csv(write("mark.csv", mark + preamble + text), "csv.skip=1");
      assertThat(withoutNulls(rows(file))).isEqualTo(records(text));
    }
  }

  private static CsvTypes allText(CsvFile file) {
    return new CsvTypes(file.names().stream().map(_ -> ColumnType.VARCHAR).toList(), List.of());
  }

  /// The engine reads no rows, without an error, of a file whose lines end otherwise than it
  /// thinks.
  @ParameterizedTest
  @CsvSource({"\\n, \\r\\n", "\\r\\n, \\n", "\\r, \\n", "\\n, \\r"})
  void linesThatEndDifferentlyAreAnError(String first, String others) throws IOException {
    String text = "a,b" + first + "1,x" + others + "2,y" + others + "3,z" + others;
    CsvFile file = csv(write("ends.csv", text.replace("\\n", "\n").replace("\\r", "\r")));
    assertThat(error(file.sampleSql().getFirst(), file::error).getMessage())
        .startsWith("Expected ");
  }

  @Test
  void tellsOtherErrorsOfFiles() throws IOException {
    CsvFile mixed = csv(write("mixed.csv", "a,b\r\n1,x\n2,y\r\n"));
    assertThat(error(mixed.sampleSql().getFirst(), mixed::error))
        .hasMessage("Expected rows as in RFC 4180, with one kind of line ends, but found others");
    CsvFile large = csv(write("large.csv", "a,b\n1," + "x".repeat(2_100_000) + "\n"));
    assertThat(error(large.sampleSql().getFirst(), large::error))
        .hasMessage("Expected a line of at most 2000000 bytes but found more at line 2");
    assertThat(large.error("Cannot open file \"/tmp/x/y\": it's gone"))
        .hasMessage("The file cannot be read as CSV");
  }

  /// The engine quotes the whole line before the reason.
  @Test
  void longLinesHideNoReason() throws IOException {
    String filler = "\"" + "Could not convert\n\n".repeat(200) + "\"";
    Path path =
        write("long.csv", "a,b\n2024-01-01," + filler + "\n" + "x".repeat(500) + "," + filler);
    CsvFile file = csv(path, "csv.types=a:date");
    ForeignDataException error = error(file);
    assertThat(error.value()).isEqualTo("x".repeat(100) + "…");
    assertThat(error.getMessage())
        .startsWith("Expected date but found \"xxx")
        .endsWith("column a")
        .hasSizeLessThan(300);
  }

  @Test
  void filesWithoutRowsOrWithTooManyColumns() throws IOException {
    assertThatThrownBy(() -> csv(write("empty.csv", "\n\n")))
        .hasMessage("Expected a row with the names of columns but found no rows");
    assertThatThrownBy(() -> csv(write("empty.csv", "x\n\"\na,b\n1,2\n"), "csv.skip=2"))
        .hasMessage("Expected the quote that ends a field but found other text at line 2");
    assertThatThrownBy(() -> csv(write("empty.csv", ""), "csv.header=false"))
        .hasMessage("Expected rows but found none");
    assertThat(rows(csv(write("only.csv", "a,b\n")))).isEmpty();
    String names = IntStream.range(0, 10_000).mapToObj(i -> "n").collect(Collectors.joining(","));
    assertThat(csv(write("wide.csv", names)).names()).hasSize(10_000);
    assertThatThrownBy(() -> csv(write("wide.csv", names + ",n")))
        .hasMessage("Expected at most 10,000 columns but found 10,001");
    assertThatThrownBy(() -> csv(write("endless.csv", "a".repeat(2_000_001))))
        .hasMessage("Expected at most 2,000,000 characters but found more at line 1");
  }

  @Test
  void typesMustNameColumns() throws IOException {
    Path path = write("typed.csv", "alpha,beta\n1,2\n");
    assertThatThrownBy(() -> csv(path, "csv.types=alpa:integer"))
        .isInstanceOf(InvalidOptionException.class)
        .hasMessage(
            "Expected the name of a column, such as \"alpha\", but found \"alpa\" at parameter"
                + " csv.types");
    assertThat(fields(csv(path, "csv.types=alpha:utinyint")))
        .containsExactly("alpha: uint8", "beta: int64");
  }

  /// Text of any kind is read as it was written. A failure names its seed.
  @Test
  void readsWhatAnotherWriterWrote() throws IOException {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      int columnCount = 1 + random.nextInt(5);
      List<String> names = texts(random, columnCount, "n");
      List<List<String>> expected = new ArrayList<>();
      for (int i = random.nextInt(50); i > 0; i--) {
        expected.add(texts(random, columnCount, ""));
      }
      String lineEnd = random.nextBoolean() ? "\n" : "\r\n";
      StringBuilder text = new StringBuilder(line(names)).append(lineEnd);
      expected.forEach(row -> text.append(line(row)).append(lineEnd));
      CsvFile file = csv(write("random.csv", text.toString()));
      assertThat(file.names()).as("seed %d", seed).isEqualTo(names);
      assertThat(rows(file.sql(allText(file)))).as("seed %d", seed).isEqualTo(expected);
    }
  }

  private static List<String> texts(Random random, int count, String start) {
    String characters = "ab,;\t\"'\n\\#äß漢😀 ";
    int[] codePoints = characters.codePoints().toArray();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder text = new StringBuilder(start);
      for (int j = random.nextInt(6); j > 0; j--) {
        text.appendCodePoint(codePoints[random.nextInt(codePoints.length)]);
      }
      texts.add(text.toString());
    }
    return texts;
  }

  private static String line(List<String> row) {
    return row.stream()
        .map(text -> "\"" + text.replace("\"", "\"\"") + "\"")
        .collect(Collectors.joining(","));
  }

  /// Values of one type are read as what they are, by another writer's text of them.
  @Test
  void readsRandomValues() throws IOException {
    Random random = new Random(7);
    StringBuilder text = new StringBuilder("i,d,day,ts\n");
    List<List<Object>> expected = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      long integer = random.nextLong() >> random.nextInt(64);
      double number = random.nextDouble() * Math.pow(10, random.nextInt(40) - 20);
      LocalDate day = LocalDate.ofEpochDay(random.nextInt(60_000) - 20_000);
      LocalDateTime time =
          day.atStartOfDay().plus(random.nextLong(86_400_000_000L), ChronoUnit.MICROS);
      text.append("%d,%s,%s,%s%n".formatted(integer, number, day, time));
      expected.add(
          List.of(
              integer,
              number,
              day.toEpochDay(),
              ChronoUnit.MICROS.between(LocalDateTime.of(1970, 1, 1, 0, 0), time)));
    }
    CsvFile file = csv(write("values.csv", text.toString()));
    assertThat(fields(file))
        .containsExactly("i: int64", "d: float64", "day: date32[day]", "ts: timestamp[us]");
    assertThat(rows(file)).isEqualTo(expected);
  }
}
