package dev.quiver.formats.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.quiver.Trials;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.Advice;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.ForeignFixture;
import dev.quiver.formats.Format;
import dev.quiver.formats.InvalidOptionException;
import dev.quiver.formats.value.TextEncoding;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("random")
class CsvFileTest extends ForeignFixture {

  private static final Schema BINARY_AND_TEXT =
      Schema.of(
          Field.of("t", /* nullable= */ true, new ArrowType.Binary()),
          Field.of("u", /* nullable= */ true, new ArrowType.Utf8()));

  private static CsvFile csv(Path file, String... pairs) throws IOException {
    return csv(file, /* dataset= */ null, pairs);
  }

  private static CsvFile csv(Path file, @Nullable Schema dataset, String... pairs)
      throws IOException {
    return CsvFile.open(
        () -> Files.newInputStream(file),
        CsvOptions.parse(Format.CSV, parameters(pairs)),
        dataset(dataset));
  }

  private static List<String> warnings(CsvFile file) {
    return Advice.sentences(file.advice());
  }

  private static List<String> fields(CsvFile file) {
    return fields(file.schema());
  }

  private static List<List<@Nullable Object>> rows(CsvFile file) throws IOException {
    return rows(file.read(CpuPool.PROCESS, folder), file.schema());
  }

  private static ForeignDataException error(Path file, String... pairs) {
    ForeignDataException error =
        catchThrowableOfType(ForeignDataException.class, () -> rows(csv(file, pairs)));
    assertThat(error).isNotNull();
    return error;
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
    assertThat(warnings(file)).isEmpty();
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
    assertThat(file.schema().fields()).extracting(Field::name).isEqualTo(file.names());
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\",a,b\\n1,\"q, r\"\\n2,x\\n",
        "\"\"a,b\\n1,2\\n",
        "a,\"b\\n1,2\\n",
        "a,b\"\"\\n\"1,2\\n"
      })
  void quotesEndWhereTheirFieldsDo(String text) throws IOException {
    Path path = write("hiding.csv", text.replace("\\n", "\n"));
    assertThat(error(path).getMessage())
        .startsWith("Expected the quote that ends a field but found other text at line ");
  }

  @Test
  void ignoresSpacesBeforeAQuote() throws IOException {
    CsvFile file = csv(write("spaces.csv", " \"a\" , \"b,c\" \n \"1\",x y\n"));
    assertThat(file.names()).containsExactly("a", "b,c");
    assertThat(rows(file)).containsExactly(List.of(1L, "x y"));
  }

  @Test
  void quotedFieldsAreNeverNull() throws IOException {
    CsvFile file = csv(write("nulls.csv", "a,b\n,\"\"\nNA,\"NA\"\n"), "csv.null=", "csv.null=NA");
    assertThat(rows(file)).containsExactly(Arrays.asList(null, ""), Arrays.asList(null, "NA"));
  }

  /// Programs that write `\N` tell it from empty texts; a word does not change what is empty.
  @Test
  void emptyFieldsAreNullBesideStatedOnes() throws IOException {
    Path file = write("nulls.csv", "a,b\n,1\nNA,NA\n\\N,2\n");
    assertThat(rows(csv(file, "csv.null=NA")))
        .containsExactly(Arrays.asList(null, 1L), Arrays.asList(null, null), List.of("\\N", 2L));
    assertThat(rows(csv(file, "csv.null=NA", "csv.null=\\N")))
        .containsExactly(List.of("", 1L), Arrays.asList(null, null), Arrays.asList(null, 2L));
  }

  /// A line within a text has the fields of a record.
  @ParameterizedTest
  @ValueSource(strings = {"%1$d,%2$d.5,\"%3$s\"", "%1$d,\"%3$s\",%2$d.5", "\"%3$s\",%1$d,%2$d.5"})
  void keepsLinesWithinQuotesInTheirRecord(String record) throws IOException {
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

  @Test
  void readsEncodings() throws IOException {
    Path latin = write("latin.csv", "ä,b\n1,é\n".getBytes(StandardCharsets.ISO_8859_1));
    Path utf16 = write("utf16.csv", "\uFEFFä,b\n1,é\n".getBytes(StandardCharsets.UTF_16LE));
    for (CsvFile file :
        List.of(csv(latin, "csv.encoding=latin-1"), csv(utf16, "csv.encoding=utf-16"))) {
      assertThat(file.names()).containsExactly("ä", "b");
      assertThat(rows(file)).containsExactly(List.of(1L, "é"));
    }
    // The mark decides, and text without one that is not UTF-8 is taken for windows-1252.
    Path bigEndian = write("utf16be.csv", "\uFEFFä,b\n1,é\n".getBytes(StandardCharsets.UTF_16BE));
    for (CsvFile file :
        List.of(csv(bigEndian), csv(bigEndian, "csv.encoding=utf-8"), csv(utf16), csv(latin))) {
      assertThat(rows(file)).containsExactly(List.of(1L, "é"));
    }
    assertThat(csv(utf16).found()).isEqualTo(Map.of("encoding", "utf-16le"));
    assertThat(csv(latin).found()).isEqualTo(Map.of("encoding", "windows-1252"));
    assertThat(warnings(csv(utf16))).isEmpty();
    assertThat(warnings(csv(latin)))
        .containsExactly(
            "The text is not UTF-8 and was read as windows-1252; the parameter csv.encoding states"
                + " another encoding");
    assertThat(error(latin, "csv.encoding=utf-8"))
        .hasMessage("Expected UTF-8 but found other bytes at line 1");
    // Not even windows-1252 has this byte.
    Path undefined =
        write("undefined.csv", "a,b\n1,\u0081\n".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(error(undefined).hint())
        .isEqualTo(
            "The parameter csv.encoding states the encoding, such as shift_jis or windows-1251.");
  }

  /// Bytes read before must not complete a character that the file lacks.
  @Test
  void lastCharacterIsWhole() throws IOException {
    for (String shift : List.of("", "x")) {
      String comment = "#" + shift + "ä".repeat(150_000);
      byte[] text = ("a,b\n" + comment + "\n1,ä").getBytes(StandardCharsets.UTF_8);
      String[] options = {"csv.comment=#", "csv.types=a:int64", "csv.encoding=utf-8"};
      assertThat(rows(csv(write("whole.csv", text), options))).isEqualTo(List.of(List.of(1L, "ä")));
      Path cut = write("whole.csv", Arrays.copyOf(text, text.length - 1));
      assertThat(error(cut, options)).hasMessage("Expected UTF-8 but found other bytes at line 3");
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
  }

  @Test
  void tellsThatAnotherDelimiterIsLikely() throws IOException {
    assertThat(warnings(csv(write("semicolons.csv", "a;b\n1;2\n"), "csv.delimiter=,")))
        .containsExactly(
            "The only column has the name \"a;b\"; the parameter csv.delimiter says what is between"
                + " fields");
    assertThat(warnings(csv(folder.resolve("semicolons.csv"), "csv.delimiter=;"))).isEmpty();
    assertThat(warnings(csv(write("one.csv", "a\n1\n")))).isEmpty();
  }

  @Test
  void tellsColumnsThatAreTextBecauseOfSomeValues() throws IOException {
    CsvFile file =
        csv(
            write(
                "telling.csv",
                "id,day,few,name,flag,time\n1,2024-01-02,x,a,true,12:00:00\nzz,n/a,1,b,false,12:30:00\n"
                    + "2,2024-01-03,y,c,?,late\n,2024-01-04,z,d,,\n"));
    assertThat(warnings(file))
        .containsExactly(
            "Column id is text: most values are of type bigint, but row 2 has \"zz\"",
            "Column day is text: most values are of type date, but row 2 has \"n/a\"; the parameter"
                + " csv.null=n/a makes it null",
            "Column flag is text: most values are of type boolean, but row 3 has \"?\"; the parameter"
                + " csv.null=? makes it null",
            "Column time is text: most values are of type time, but row 3 has \"late\"");
    assertThat(fields(file))
        .containsExactly(
            "id: utf8", "day: utf8", "few: utf8", "name: utf8", "flag: utf8", "time: utf8");
    // A stated type is not told.
    assertThat(warnings(csv(folder.resolve("telling.csv"), "csv.types=id:varchar"))).hasSize(3);
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
    assertThat(warnings(file))
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
        "7 | zz | int64",
        "7 | 1.5 | int64",
        "7 | 1e-1 | int64",
        "7 | 00501 | int64",
        "7 | +5 | int64",
        "7 | -0 | int64",
        "7 | 99999999999999999999 | int64",
        "99999999999999999999 | 1.5 | decimal(38,0)",
        "1.5 | zz | double",
        "1.5 | 1e400 | double",
        "1.5 | 007.5 | double",
        "1.5 | 9007199254740993 | double",
        "true | 2 | boolean",
        "true | 1 | boolean",
        "2024-01-02 | 2024-01-02 03:04:05 | date",
        "2024-01-02 | 2024-13-02 | date",
        "2024-01-02 03:04:05 | 2024-01-02 03:04:05.1234567 | timestamp",
        "2024-01-02 03:04:05 | 2024-01-02 03:04:05+02:00 | timestamp",
        "2024-01-02 03:04:05 | 2024-01-02 03:04-02 | timestamp",
        "2024-01-02 03:04:05 | 2024-01-02 03:04:05Z | timestamp",
        "2024-01-02 03:04:05Z | 2024-01-02 03:04:05 | timestamptz",
        "12:00:00 | 12:00:00.1234567 | time"
      })
  void valuesThatWouldLoseSomethingAreErrors(String usual, String late, String type)
      throws IOException {
    StringBuilder text = new StringBuilder("a,b\n");
    for (int i = 0; i < 40; i++) {
      text.append(usual).append(",x\n");
    }
    ForeignDataException error = error(write("late.csv", text + late + ",x\n"), "csv.sample=30");
    assertThat(error.column()).isEqualTo("a");
    assertThat(error.value()).isEqualTo(late);
    assertThat(error.line()).isEqualTo(42);
    assertThat(error)
        .hasMessage("Expected %s but found \"%s\" at line 42, column a".formatted(type, late));
  }

  @Test
  void inferredTypesHoldAllValuesOfTheSample() throws IOException {
    Path path = write("distant.csv", "t\n9999-12-31\n2024-01-01T00:00:00.123456789\n");
    assertThat(warnings(csv(path)))
        .containsExactly(
            "Column t is text: no other type holds \"2024-01-01T00:00:00.123456789\" in row 2 and the"
                + " values before it");
    assertThat(rows(csv(path))).hasSize(2);
    Path fits =
        write("distant.csv", "t,d\n9999-12-31,9999-12-31\n2024-01-01T00:00:00,2024-01-01\n");
    assertThat(fields(csv(fits))).containsExactly("t: timestamp[us]", "d: date32[day]");
    assertThat(warnings(csv(fits))).isEmpty();
  }

  @Test
  void delimiterMayBeASpace() throws IOException {
    CsvFile file =
        csv(write("space.csv", "a b c\n1  \"z\"\n\"x\" \"y\" \"z z\"\n"), "csv.delimiter= ");
    assertThat(rows(file))
        .isEqualTo(List.of(Arrays.asList("1", null, "z"), List.of("x", "y", "z z")));
  }

  @Test
  void delimiterHasNoOtherUse() throws IOException {
    Path path = write("commas.csv", "1,5;2,5\n3,5;4,5\n");
    CsvFile file = csv(path, "csv.delimiter=auto", "csv.decimal=,", "csv.header=false");
    assertThat(rows(file)).isEqualTo(List.of(List.of(1.5, 2.5), List.of(3.5, 4.5)));
    assertThat(csv(path, "csv.delimiter=auto", "csv.quote=;").names()).hasSize(3);
  }

  @Tag("long")
  @Test
  void skippedLinesTakeNoTimeOfTheirOwn() throws IOException {
    for (String line : List.of("x\n", "y".repeat(99) + "\n")) {
      Path path = write("skipped.csv", line.repeat(1_000_000) + "a,b\n1,2\n");
      assertThat(rows(csv(path, "csv.skip=1000000", "csv.delimiter=auto")))
          .isEqualTo(List.of(List.of(1L, 2L)));
    }
  }

  /// An array cannot hold so many bytes.
  @Tag("long")
  @Test
  void skippedLinesAreNotKept() throws IOException {
    byte[] line = ("y".repeat(2_199) + "\n").getBytes(StandardCharsets.UTF_8);
    InputStream lines =
        new InputStream() {
          private long position;

          @Override
          public int read() {
            return line[(int) (position++ % line.length)];
          }

          @Override
          public int read(byte[] bytes, int offset, int length) {
            int start = (int) (position % line.length);
            int count = Math.min(length, line.length - start);
            System.arraycopy(line, start, bytes, offset, count);
            position += count;
            return count;
          }
        };
    CsvOptions options = CsvOptions.parse(Format.CSV, parameters());
    CsvText text = new CsvText(() -> lines, TextEncoding.UTF_8, 0, 0);
    try (CsvScanner scanner = new CsvScanner(text, options)) {
      scanner.skip(1_000_000);
      assertThat(scanner.byteOffset()).isEqualTo(2_200_000_000L);
      assertThat(scanner.next()).isOne();
    }
  }

  /// Whichever column has it.
  @Test
  void reportsTheFirstInvalidRow() throws IOException {
    Path path = write("first.csv", "a,b,c\n" + "1,1,1\n".repeat(50) + "1,1,x\n1,y,1\nz,1,1\n");
    assertThat(error(path, "csv.sample=9"))
        .hasMessage("Expected int64 but found \"x\" at line 52, column c");
    Path wide = write("first.csv", "a,b\n" + "1,1\n".repeat(50) + "x,1\n1,2,3\n");
    assertThat(error(wide, "csv.sample=9")).hasMessageContaining("found \"x\" at line 52");
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
    ForeignDataException error = error(write("irregular.csv", bytes), "csv.encoding=utf-8");
    assertThat(error).hasMessage(message);
    assertThat(error.line()).isEqualTo(line);
  }

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
    ForeignDataException error =
        error(write("several.csv", bytes), "csv.comment=#", "csv.encoding=utf-8");
    assertThat(error).hasMessage(message);
    assertThat(error.line()).isEqualTo(line);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a,b\\n1,\"x\\n\\n2,y\\n | 2",
        "a,b\\n1,\"x\\ny\"\\n2,\"z\\n3,4\\n | 4",
        "a,b\\n1,\"x\\ny\"\\n2,  \"z\"z\\n2,\"z\"\" | 5",
        "a\\r\\n\"x\\r\\ny\"\\r\\n\" | 4"
      })
  void reportsUnterminatedQuotes(String text, long line) throws IOException {
    Path path = write("open.csv", text.replace("\\r", "\r").replace("\\n", "\n"));
    assertThat(error(path))
        .hasMessage(
            "Expected the quote that ends a field but found other text at line %d".formatted(line));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"Name\n(first)\",b\n1,2\n",
        "\"Name\n\n(first)\",\"b\nb\"\n1,\"x\ny\"\n",
        "\"Name\n(first)\"\n1\n",
        "\"Name\",\"b\nb\"\n1,2\n"
      })
  void byteOrderMarkChangesNothing(String text) throws IOException {
    for (String start : List.of("", "\"x\ny\"\n")) {
      String skip = start.isEmpty() ? "csv.skip=0" : "csv.skip=1";
      CsvFile plain = csv(write("mark.csv", start + text), skip);
      List<List<@Nullable Object>> rows = rows(plain);
      CsvFile marked = csv(write("mark.csv", "\uFEFF" + start + text), skip);
      assertThat(marked.names()).isEqualTo(plain.names());
      assertThat(rows(marked)).isEqualTo(rows);
    }
    CsvFile headless = csv(write("mark.csv", "\uFEFF\"x\ny\",1\n2,3\n"), "csv.header=false");
    assertThat(rows(headless)).isEqualTo(List.of(List.of("x\ny", 1L), List.of("2", 3L)));
  }

  @ParameterizedTest
  @CsvSource({"\\n, \\r\\n", "\\r\\n, \\n"})
  void linesMayEndWithOneCharacterOrTwo(String first, String others) throws IOException {
    String text = "a,b" + first + "1,x" + others + "2,y" + first + "3,z" + others;
    CsvFile file = csv(write("ends.csv", text.replace("\\n", "\n").replace("\\r", "\r")));
    assertThat(rows(file)).isEqualTo(List.of(List.of(1L, "x"), List.of(2L, "y"), List.of(3L, "z")));
  }

  /// Programs mix them by mistake.
  @ParameterizedTest
  @CsvSource({"\\r, \\n", "\\n, \\r", "\\r\\n, \\r", "\\r, \\r\\n"})
  void linesEndInAnyWay(String first, String others) throws IOException {
    String text = "a,b" + first + "1,x" + first + "2,y" + others + "3,z" + others;
    Path path = write("ends.csv", text.replace("\\n", "\n").replace("\\r", "\r"));
    assertThat(rows(csv(path)))
        .isEqualTo(List.of(List.of(1L, "x"), List.of(2L, "y"), List.of(3L, "z")));
  }

  /// A null, as the library of Python writes it where there is one column.
  @Test
  void skipsEmptyLinesUnlessTheFileHasOneColumn() throws IOException {
    assertThat(rows(csv(write("blank.csv", "\n\na,b\n\n1,2\n\n\n3,4\n\n")))).hasSize(2);
    Path one = write("blank.csv", "\na\n1\n\n2\n");
    assertThat(rows(csv(one)))
        .isEqualTo(List.of(List.of(1L), Collections.singletonList(null), List.of(2L)));
    assertThat(rows(csv(one, "csv.null=\\N"))).isEqualTo(List.of(List.of(1L), List.of(2L)));
    assertThat(rows(csv(one, "csv.null=NA"))).isEqualTo(rows(csv(one)));
  }

  @Test
  void emptyFieldsAfterTheLastColumnAreLeftOut() throws IOException {
    assertThat(rows(csv(write("longer.csv", "a,b\n1,2,\n3,4,,\"\"\n"))))
        .isEqualTo(List.of(List.of(1L, 2L), List.of(3L, 4L)));
    assertThat(error(write("longer.csv", "a,b\n1,2,,3\n")))
        .hasMessage("Expected 2 fields but found 4 at line 2");
  }

  /// Each byte of these records is once where a piece of the file ends that is read at a time.
  @Test
  void recordsGoOnInTheNextPiece() throws IOException {
    String records = "1,\"q\"\"\"\"\r\n, \" , \"ä\"\r\n#\"z\r\n\r\n2,\"\\\",😀\r\n3,,\r\n";
    List<List<@Nullable Object>> expected =
        List.of(
            List.of(1L, "q\"\"\r\n, ", "ä"),
            List.of(2L, "\\", "😀"),
            Arrays.asList(3L, null, null));
    int pieceByteSize = 256 << 10;
    for (int shift = 0; shift < 80; shift++) {
      String header = "a,b,c\r\n0,";
      String filler = "x".repeat(pieceByteSize - shift - header.length() - ",\r\n".length());
      Path path = write("pieces.csv", header + filler + ",\r\n" + records);
      List<List<@Nullable Object>> rows = rows(csv(path, "csv.comment=#"));
      assertThat(rows.subList(1, rows.size())).as("shift %d", shift).isEqualTo(expected);
    }
  }

  /// Texts up to a certain length are copied as words, and longer ones as a whole.
  @Test
  void readsTextsOfEveryLength() throws IOException {
    for (int length = 0; length <= 80; length++) {
      String text =
          IntStream.range(0, length)
              .mapToObj(i -> "%c".formatted('a' + i % 26))
              .collect(Collectors.joining());
      String quoted = text.replace("c", "\"\"");
      Path file =
          write("lengths.csv", "t,u\n%s,x\ny,%s\n\"%s\",%s".formatted(text, text, quoted, text));
      String unquoted = text.replace('c', '"');
      assertThat(rows(csv(file, "csv.null=\\N")))
          .containsExactly(List.of(text, "x"), List.of("y", text), List.of(unquoted, text));
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      String encoded = Base64.getEncoder().encodeToString(bytes);
      Path binary = write("lengths.csv", "t,u\n%s,x\n\"%s\",y".formatted(encoded, encoded));
      assertThat(rows(csv(binary, BINARY_AND_TEXT, "csv.null=\\N")))
          .extracting(List::getFirst)
          .containsOnly(ByteString.of(bytes));
    }
  }

  /// Blocks end after as many rows, fields or bytes.
  @Test
  void rowsOfAllBlocksAreInOrder() throws IOException {
    StringBuilder narrow = new StringBuilder("a\n");
    StringBuilder wide = new StringBuilder("n,".repeat(999)).append("n\n");
    StringBuilder large = new StringBuilder("a,b\n");
    for (int i = 0; i < 150_000; i++) {
      narrow.append(i).append('\n');
    }
    for (int i = 0; i < 1_200; i++) {
      wide.append((i + ",").repeat(999)).append(i).append('\n');
    }
    for (int i = 0; i < 10; i++) {
      large.append(i).append(',').append("y".repeat(1_900_000)).append('\n');
    }
    for (StringBuilder text : List.of(narrow, wide, large)) {
      List<List<@Nullable Object>> rows = rows(csv(write("order.csv", text.toString())));
      assertThat(rows).hasSize((int) text.chars().filter(c -> c == '\n').count() - 1);
      assertThat(rows)
          .extracting(List::getFirst)
          .isEqualTo(LongStream.range(0, rows.size()).boxed().toList());
    }
  }

  @Test
  void linesHaveALimit() throws IOException {
    String most = "a,b\n1," + "x".repeat(1_999_997) + "\n2,y";
    assertThat(rows(csv(write("large.csv", most)))).hasSize(2);
    Path large = write("large.csv", "a,b\n1,y\n1," + "x".repeat(1_999_998) + "\n2,z");
    String message = "Expected a record of at most 2,000,000 bytes but found more at line ";
    assertThat(error(large)).hasMessage(message + 3);
    assertThat(error(large).hint()).contains("csv.quote=");
    assertThat(error(write("endless.csv", "a".repeat(3_000_000)))).hasMessage(message + 1);
    assertThat(error(write("endless.csv", "a\n\"" + "\n".repeat(9_000_000))))
        .hasMessage(message + 2);
    // These are no rows, and take no room.
    String blank = "#" + "c".repeat(1000) + "\n" + "\n".repeat(9_000_000);
    assertThat(rows(csv(write("blank.csv", blank + "a,b\n" + blank + "1,2\n"), "csv.comment=#")))
        .hasSize(1);
  }

  @Test
  void longValuesAreCutInErrors() throws IOException {
    String filler = "\"" + "Could not convert\n\n".repeat(200) + "\"";
    Path path =
        write("long.csv", "a,b\n2024-01-01," + filler + "\n" + "x".repeat(500) + "," + filler);
    ForeignDataException error = error(path, "csv.types=a:date");
    assertThat(error.value()).isEqualTo("x".repeat(100) + "…");
    assertThat(error.getMessage())
        .startsWith("Expected date but found \"xxx")
        .endsWith("at line 403, column a")
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
        .hasMessage("Expected at most 10,000 columns but found 10,001")
        .isInstanceOfSatisfying(
            ForeignDataException.class,
            error -> assertThat(error.hint()).contains("csv.delimiter"));
  }

  /// The search for the nearest name takes time for each pair of characters.
  @Test
  void longNamesAreNotCompared() throws IOException {
    String name = "n".repeat(1_900_000);
    Path path = write("long.csv", name + "\n1\n");
    assertThatThrownBy(() -> csv(path, "csv.types=" + "m".repeat(8_000) + ":int64"))
        .isInstanceOf(InvalidOptionException.class)
        .hasMessageStartingWith("Expected the name of a column but found \"mmm");
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
    for (int seed : Trials.seeds(60)) {
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
      // None of the texts is null.
      assertThat(rows(file)).as("seed %d", seed).isEqualTo(expected);
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
