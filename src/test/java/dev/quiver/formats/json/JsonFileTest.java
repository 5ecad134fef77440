package dev.quiver.formats.json;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.Advice;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.ForeignFixture;
import dev.quiver.formats.Format;
import dev.quiver.formats.InvalidOptionException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonFileTest extends ForeignFixture {

  private static final Field INT64 = Field.of("", true, new ArrowType.Int(64, true));

  @Test
  void readsArraysLinesAndSingleObjects() throws IOException {
    for (JsonFile file :
        List.of(
            json(write("a.json", "[{\"a\":1,\"b\":\"x\"},{\"a\":2}]"), Format.JSON),
            json(write("a.jsonl", "{\"a\":1,\"b\":\"x\"}\n{\"a\":2}\n"), Format.JSON),
            json(write("b.jsonl", "{\"a\":1,\"b\":\"x\"}\n\n{\"a\":2}"), Format.JSON_LINES),
            json(write("c.jsonl", "[{\"a\":1,\"b\":\"x\"},{\"a\":2}]"), Format.JSON_LINES),
            json(
                write("d.jsonl", "{\n\"a\": 1,\n\"b\": \"x\"\n}\r\n{\n\"a\":\n2}"),
                Format.JSON_LINES),
            json(
                write("b.json", "[{\"a\":1,\"b\":\"x\"},{\"a\":2}]"),
                Format.JSON,
                "json.format=array"))) {
      assertThat(fields(file.schema())).containsExactly("a: int64", "b: utf8");
      assertThat(rows(file)).containsExactly(List.of(1L, "x"), Arrays.asList(2L, null));
      assertThat(file.makesValidBatches()).isTrue();
    }
    JsonFile single = json(write("c.json", "{\"a\":{\"b\":[1,2]}}"), Format.JSON);
    assertThat(fields(single.schema())).containsExactly("a: struct<b: list<item: int64>>");
    assertThat(single.advice()).isEmpty();
  }

  @Test
  void keysThatAppearLateAreColumns() throws IOException {
    JsonFile file =
        json(
            write("late.jsonl", "{\"a\":1}\n".repeat(900_000) + "{\"late\":2}\n"),
            Format.JSON_LINES);
    List<List<@Nullable Object>> rows = rows(file);
    assertThat(rows).hasSize(900_001);
    assertThat(rows.getFirst()).isEqualTo(Arrays.asList(1L, null));
    assertThat(rows.getLast()).isEqualTo(Arrays.asList(null, 2L));
  }

  @Test
  void manyKeysAreColumns() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      text.append("{\"k%d\":1}%n".formatted(i));
    }
    JsonFile file = json(write("keys.jsonl", text.toString()), Format.JSON_LINES);
    assertThat(file.schema().fields()).hasSize(300);
  }

  @Test
  void statedTypesReplaceInferredOnes() throws IOException {
    Path path = write("types.jsonl", "{\"a\":123456789012345678901,\"b\":\"x\",\"it's\":\"1\"}\n");
    JsonFile inferred = json(path, Format.JSON_LINES);
    assertThat(fields(inferred.schema()))
        .containsExactly("a: decimal128(38, 0)", "b: utf8", "it's: utf8");
    JsonFile stated = json(path, Format.JSON_LINES, "json.types=a:decimal(30,0),it's:integer");
    assertThat(rows(stated))
        .containsExactly(List.of(new BigInteger("123456789012345678901"), "x", 1L));
    assertThatThrownBy(() -> json(path, Format.JSON_LINES, "json.types=bb:varchar"))
        .isInstanceOf(InvalidOptionException.class)
        .hasMessage(
            "Expected the name of a column, such as \"b\", but found \"bb\" at parameter json.types");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // Types and values of a key in all objects, and whether there is a warning.
        "9007199254740993 | int64 | 9007199254740993 | 0",
        "-0 | float64 | -0.0 | 0",
        "1e2 | float64 | 100.0 | 0",
        "18446744073709551617 | decimal128(38, 0) | 18446744073709551617 | 0",
        "-99999999999999999999999999999999999999 ~ 1 ~ null | decimal128(38, 0) | -99999999999999999999999999999999999999 | 0",
        "123456789012345678901234567890123456789 | utf8 | 123456789012345678901234567890123456789 | 1",
        "9007199254740993 ~ 0.5 | utf8 | 9007199254740993 | 1",
        "1.5 ~ 1700000000000000 ~ 1e300 | float64 | 1.5 | 0",
        "9007199254740993.0 | utf8 | 9007199254740993.0 | 1",
        "-9007199254740993e0 | utf8 | -9007199254740993e0 | 1",
        "9007199254740992.0 | float64 | 9.007199254740992E15 | 0",
        "12345678901234567.89 | utf8 | 12345678901234567.89 | 1",
        "1.2345678901234568e+25 ~ 1.7976931348623157e308 ~ 1e23 | float64 | 1.2345678901234568E25 | 0",
        "1e400 ~ 1 | utf8 | 1e400 | 1",
        "1e-400 | utf8 | 1e-400 | 1",
        "0e400 | float64 | 0.0 | 0",
        "[1.5, 18446744073709551617] | list<item: utf8> | [1.5, 18446744073709551617] | 1",
        "{\"b\": 1.5, \"c\": \"18446744073709551617 \\\" 9\"} | struct<b: float64, c: utf8> | | 0",
        "\"x\" ~ 5 ~ true ~ -1.50 | utf8 | x | 1",
        "{\"b\": 1} ~ 5 | json | {\"b\":1} | 1",
        "{\"b\": 1} ~ [5] | json | {\"b\":1} | 1",
        "[ 1 , \"a\\u0062\\/\" , null ] ~ 5 | json | [1,\"a\\u0062\\/\",null] | 1",
        "[[], {}] | list<item: json> | | 1",
        "[] ~ null | list<item: utf8> | [] | 0",
        "{} | json | {} | 0",
        "null | utf8 | | 0",
        "\"2020-01-02\" | date32[day] | | 0",
        "\"01-02-2020\" | utf8 | 01-02-2020 | 0",
        "\"1001-1-5\" | utf8 | 1001-1-5 | 0",
        "\" 2020-01-02\" | utf8 | ` 2020-01-02` | 0",
        "\"epoch\" ~ \"infinity\" | utf8 | epoch | 0",
        "\"20-01-02\" | utf8 | 20-01-02 | 0",
        "\"01-02-2020 03:04:05\" ~ null | utf8 | 01-02-2020 03:04:05 | 0",
        "\"2020-01-02T03:04:05Z\" | timestamp[us, UTC] | | 0",
        "\"2020-01-02T03:04:05\" ~ \"2020-01-02T03:04:05.5\" | timestamp[us] | | 0",
        "\"2020-01-02T03:04:05.123456789+01:00\" ~ \"2020-01-02T03:04:05Z\" | timestamp[ns, UTC] | | 0",
        "\"2020-01-02T03:04:05.1234567\" ~ \"2020-01-02\" | timestamp[ns] | | 0",
        "\"2020-01-02T03:04:05.1234567\" ~ \"9999-01-02\" | utf8 | | 1",
        "\"10:30:00.1234567\" ~ \"10:30:00\" | time64[ns] | | 0",
        "\"10:30:00\" | time64[us] | | 0",
        "\"00000000-0000-4000-8000-00000000000A\" | uuid | | 0",
        "\"00000000-0000-4000-8000-00000000000A\" ~ \"x\" | utf8 | 00000000-0000-4000-8000-00000000000A | 1",
        "\"5\" ~ \"true\" | utf8 | 5 | 0",
        "{\"a b\": [\"01-02-2020 03:04:05\"], \"e\": 0.5} | struct<a b: list<item: utf8>, e: float64> | | 0",
      })
  void typesThatAreInferredChangeNoValue(
      String values, String type, @Nullable String first, int warnings) throws IOException {
    String lines =
        Arrays.stream(values.split(" ~ "))
            .map(value -> "{\"it's\":" + value + "}\n")
            .collect(Collectors.joining());
    JsonFile file = json(write("inferred.jsonl", lines), Format.JSON_LINES);
    assertThat(fields(file.schema())).containsExactly("it's: " + type);
    if (first != null) {
      assertThat(rows(file).getFirst().getFirst()).asString().isEqualTo(first);
    }
    assertThat(file.advice()).hasSize(warnings);
  }

  @Test
  void warningsNameTheKinds() throws IOException {
    Path path =
        write("mixed.json", "[{\"a\":5,\"b\":{},\"c\":[\"x\"]},{\"a\":\"x\",\"b\":7,\"c\":[1]}]");
    assertThat(Advice.sentences(json(path, Format.JSON).advice()))
        .containsExactly(
            "Column a is text: it has values of several kinds, numbers (\"5\" in row 1), strings (\"x\" in row 2)",
            "Column b is JSON text: it has objects, and \"7\" in row 2",
            "Column c[] is text: it has values of several kinds, strings (\"x\" in row 1), numbers (\"1\" in row 2)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[18446744073709551617, 2] | Expected an object but found 18446744073709551617 at line 1, column 2",
        "[{\"a\": 1}, 5] | Expected an object but found 5 at line 1, column 12",
        "[{}, [1, 2]] | Expected an object but found an array at line 1, column 6",
        "[null] | Expected an object but found null at line 1, column 2",
        "[{}, \"x\"] | Expected an object but found \"x\" at line 1, column 6",
        "\"text\" | Expected an array of objects, or objects, but found \"\"\" at line 1, column 1",
        "true | Expected an array of objects, or objects, but found \"t\" at line 1, column 1",
        "[] | Expected objects with keys but found none",
        "{\"data\":[],\"total\":5} | Expected objects with keys but found none",
        "{\"type\":\"FeatureCollection\",\"features\":[]} | Expected objects with keys but found none",
        "[{}, {}] | Expected objects with keys but found none",
        "{} | Expected objects with keys but found none",
        "`  ` | Expected objects but found no data at line 1, column 3",
      })
  void rowsAreObjectsWithKeys(String text, String message) throws IOException {
    Path path = write("objects.json", text);
    assertThatThrownBy(() -> json(path, Format.JSON))
        .isInstanceOf(ForeignDataException.class)
        .hasMessage(message);
  }

  @Test
  void keysStayAsTheyAre() throws IOException {
    Path path =
        write(
            "case.jsonl",
            "{\"a\":1,\"A\":2,\"\":3,\"a_1\":4,\"n\\u0000\":{\"x\":5,\"X\":6,\"\":7}}\n");
    JsonFile file = json(path, Format.JSON_LINES);
    assertThat(file.schema().fields().stream().map(Field::name))
        .containsExactly("a", "A", "", "a_1", "n\0");
    assertThat(rows(file)).containsExactly(List.of(1L, 2L, 3L, 4L, List.of(5L, 6L, 7L)));
    assertThat(fields(json(path, Format.JSON_LINES, "json.types=a:varchar").schema()))
        .startsWith("a: utf8", "A: int64");
  }

  @Test
  void depthEndsInTextOfJson() throws IOException {
    Path path = write("deep.json", "[{\"a\":{\"b\":[1]},\"c\":5}]");
    JsonFile flat = json(path, Format.JSON, "json.depth=1");
    assertThat(rows(flat)).containsExactly(List.of("{\"b\":[1]}", 5L));
    assertThat(flat.schema().fields().getFirst().isExtension("arrow.json")).isTrue();
    assertThat(fields(json(path, Format.JSON, "json.depth=2").schema()))
        .containsExactly("a: struct<b: json>", "c: int64");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // $ is a byte that is not UTF-8, and ~ a line feed.
        "jsonl | {\"a\":1}~{\"a\":}~{\"a\":2} | 2 | 6 | Expected JSON but found \"}\"",
        "jsonl | {\"a\":1}~{\"a\":\"$\"} | 2 | 7 | Expected UTF-8 but found other bytes",
        "json | [{\"a\":1},{\"a\":}] | 1 | 15 | Expected JSON but found \"}\"",
        "json | [{\"a\":1},{\"a\":1,\"a\":2}] | 1 | | Expected each key once in an object but found \"a\" again",
        "json | [{\"a\":1,\"b\":{\"c\":1,~\"c\":~2}}] | 2 | 1 | Expected each key once in an object but found \"c\" again",
        "json | {\"data\":[{\"a\":1}],~\"data\":[{\"a\":2}]} | 2 | 1 | Expected each key once in an object but found \"data\" again",
        "json | {\"data\":[{\"a\":1}],\"n\":\"\\ud800\"} | 1 | | Expected both halves of a surrogate pair but found",
        "json | [,{\"a\":1}] | 1 | 2 | Expected a value before the comma but found \",\"",
        "json | [{\"a\":1},,{\"a\":1}] | 1 | 10 | Expected",
        "json | [{\"a\":1}, true] | 1 | 11 | Expected an object but found true",
        "json | [{\"a\":1},] | 1 | 10 | Expected a value after the comma but found \"]\"",
        "json | [{\"a\":[1,]}] | 1 | 10 | Expected a value after the comma but found \"]\"",
        "json | [{\"a\":1,}] | 1 | 9 | Expected a value after the comma but found \"}\"",
        "json | [{\"a\":1}~ | 2 | 1 | Expected the end of the array but found the end of the file",
        "json | [{\"a\":1},~ | 2 | 1 | Expected the end of the array but found the end of the file",
        "json | [{\"a\":[1}] | 1 | 9 | Expected JSON but found \"}\"",
        "json | [{\"a\":1}]~ x | 2 | 2 | Expected the end of the file after the array but found \"x\"",
        "json | [{\"a\":1}][] | 1 | 10 | Expected the end of the file after the array but found \"[\"",
        "json | [{\"a\":1} {\"a\":2}] | 1 | 10 | Expected JSON but found \"{\"",
        "json | [{\"a\":NaN}] | 1 | 7 | Expected JSON but found \"NaN\"",
        "json | [{\"a\":-Infinity}] | 1 | | Expected JSON",
        "json | [{\"a\":+1}] | 1 | 7 | Expected JSON but found \"+\"",
        "json | [{\"a\":01}] | 1 | | Expected JSON",
        "json | [{\"a\":1.}] | 1 | | Expected JSON",
        "json | [{\"a\":.5}] | 1 | 7 | Expected JSON",
        "json | [{\"a\":1e}] | 1 | | Expected JSON",
        "json | [{\"a\":tru}] | 1 | 7 | Expected JSON but found \"tru\"",
        "json | [{a:1}] | 1 | 3 | Expected JSON but found \"a\"",
        "json | [{'a':1}] | 1 | 3 | Expected JSON but found \"'\"",
        "json | [{\"a\":1}//x~] | 1 | | Expected JSON",
        "json | [{\"a\":\"\\x\"}] | 1 | | Expected JSON",
        "json | [{\"a\":\"\\u12\"}] | 1 | | Expected JSON",
        "json | [{\"a\":\"é\t\"}] | 1 | 9 | Expected JSON but found the control character U+0009",
        "json | [{\"a\":\"\\ud800\"}] | 1 | 7 | Expected both halves of a surrogate pair but found \\uD800",
        "json | [{\"a\":\"\\udc00\\ud800\"}] | 1 | 7 | Expected both halves of a surrogate pair but found \\uDC00",
        "json | [{\"\\ud800\":1}] | 1 | | Expected both halves of a surrogate pair but found",
        "json | {\"a\":1}} | 1 | 8 | Expected JSON but found \"}\"",
        "json | {\"a\":1} x | 1 | 9 | Expected JSON but found \"x\"",
        "json | {\"a\":{\"b\":1} | 1 | 13 | Expected the end of a value but found the end of the record",
        "json | {\"a\":1~{\"a\":2} | 2 | 1 | Expected JSON but found \"{\"",
        "json | a,b | 1 | 1 | Expected an array of objects, or objects, but found \"a\"",
      })
  void tellsThePlaceOfErrors(
      String format, String text, long line, @Nullable Long column, String message)
      throws IOException {
    byte[] bytes = text.replace('~', '\n').getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = bytes[i] == '$' ? (byte) 0xFF : bytes[i];
    }
    Path path = write("bad." + format, bytes);
    ForeignDataException error =
        catchThrowableOfType(
            ForeignDataException.class,
            () -> json(path, requireNonNull(Format.ofName("x." + format))));
    assertThat(error).as(text).isNotNull();
    assertThat(error).hasMessageStartingWith(message);
    assertThat(error.line()).as(error.getMessage()).isEqualTo(line);
    assertThat(error.columnNumber()).isNotNull();
    if (column != null) {
      assertThat(error.columnNumber()).as(error.getMessage()).isEqualTo(column);
    }
  }

  /// Of other notations: JavaScript, Python, YAML and JSON5.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "-",
      value = {
        "[{\"a\":1},] | ,] | ] | Remove the comma after the last value.",
        "[{\"a\":1,}] | ,} | } | Remove the comma after the last value.",
        "[{\"a\":1},,{\"a\":2}] | ,, | , | Remove the comma.",
        "[{'a':1}] | ' | \" | Write names and texts in double quotes.",
        "[{a:1}] | a | \"a\" | Write names and texts in double quotes.",
        "[{\"a\":b_c}] | b_c | \"b_c\" | Write names and texts in double quotes.",
        "[{\"a\":NaN},{\"a\":2}] | NaN | null | Write null in place of NaN.",
        "[{\"a\":None},{\"a\":2}] | None | null | Write null in place of None.",
        "[{\"a\":True}] | True | true | Write true in place of True.",
        "[{\"a\":+1}] | + | `` | Write the number without its plus sign.",
        "[{\"a\":1}, /* x */ {\"a\":2}] | /* x */ | `` | Remove the comment, which JSON does not have.",
        "[{\"a\":\"b\tc\"}] | `\t` | \\t | Write it as an escape, such as \\n or \\t.",
        "a,b | a,b | [{\"a\":1}] | -",
      })
  void hintsLeadToJson(String text, String wrong, String right, @Nullable String hint)
      throws IOException {
    ForeignDataException error =
        catchThrowableOfType(
            ForeignDataException.class, () -> json(write("other.json", text), Format.JSON));
    assertThat(error).as(text).isNotNull();
    assertThat(error.hint()).as(error.getMessage()).isEqualTo(hint);
    assertThat(rows(json(write("other.json", text.replace(wrong, right)), Format.JSON)))
        .isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"a\":1}]\r\n\t ",
        "[ { \"a\" : 1 } , { } ]",
        "{\"a\":\"\\u0000\\ud83d\\ude00\\\"\\\\\\/\\b\\f\\n\\r\\t\"}",
        "{\"a\":-0.0e-0}",
        "{\"a\":[[[]],{\"b\":[{}]}]}",
        "{\"\\u0061\":\"\u007f\u2028\ufffe\udbff\udfff\"}",
      })
  void acceptsWhatIsJson(String text) throws IOException {
    assertThat(rows(json(write("good.json", text), Format.JSON))).isNotEmpty();
  }

  @Test
  void tellsValuesThatDoNotConvert() throws IOException {
    Path path = write("convert.jsonl", "{\"a\":1}\n{\"a\":\"" + "z".repeat(300) + "\"}\n");
    JsonFile file = json(path, Format.JSON_LINES, "json.types=a:bigint");
    ForeignDataException error = catchThrowableOfType(ForeignDataException.class, () -> rows(file));
    assertThat(error.column()).isEqualTo("a");
    assertThat(error.line()).isEqualTo(2);
    assertThat(error.value()).startsWith("zzz").hasSizeLessThan(102);
    assertThat(error).message().endsWith(" at line 2, column a").hasSizeLessThan(200);
    for (String nested : List.of("{\"b\":1}", "[1]")) {
      JsonFile object =
          json(
              write("nested.jsonl", "{\"a\":" + nested + "}\n"),
              Format.JSON_LINES,
              "json.types=a:bigint");
      assertThatThrownBy(() -> rows(object)).hasMessageStartingWith("Expected int64 but found");
      JsonFile text =
          json(
              write("nested.jsonl", "{\"a\":" + nested + "}\n"),
              Format.JSON_LINES,
              "json.types=a:utf8");
      assertThat(rows(text)).containsExactly(List.of(nested));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16BE", "UTF-16LE", "UTF-32BE", "UTF-32LE"})
  void byteOrderMarkTellsTheEncoding(String charset) throws IOException {
    byte[] text =
        "\uFEFF[{\"é\":\"😀\"},~{\"é\":1,}]".replace('~', '\n').getBytes(Charset.forName(charset));
    Path path = write("marked.json", text);
    assertThatThrownBy(() -> json(path, Format.JSON))
        .hasMessage("Expected a value after the comma but found \"}\" at line 2, column 8");
    byte[] good = "\uFEFF[{\"é\":\"😀\"}]".getBytes(Charset.forName(charset));
    assertThat(rows(json(write("marked.json", good), Format.JSON))).containsExactly(List.of("😀"));
    assertThat(Format.ofStart(Arrays.copyOf(good, 16))).isEqualTo(Format.JSON);
  }

  @Test
  void limitsHaveKeys() throws IOException {
    Path large = write("large.json", "{\"a\":\"" + "x".repeat(17 << 20) + "\"}");
    assertThatThrownBy(() -> json(large, Format.JSON))
        .hasMessageStartingWith("Expected a record of at most 16,777,216 bytes but found more");
    assertThat(
            rows(json(write("fits.json", "{\"a\":\"" + "x".repeat(15 << 20) + "\"}"), Format.JSON)))
        .hasSize(1);
    for (String opening : List.of("{\"a\":", "[")) {
      String closing = opening.equals("[") ? "]" : "}";
      Path fits =
          write("levels.json", "[{\"x\":" + opening.repeat(63) + "1" + closing.repeat(63) + "}]");
      assertThat(json(fits, Format.JSON).schema().fields()).hasSize(1);
      for (String option : List.of("json.depth=100", "json.depth=1")) {
        Path deep = write("deep.json", "[{\"x\":" + opening.repeat(100_000));
        assertThatThrownBy(() -> json(deep, Format.JSON, option))
            .isInstanceOf(TooLargeInputException.class)
            .hasMessageContaining("schema-depth-levels");
      }
    }
    StringBuilder keys = new StringBuilder("{\"a\":0");
    for (int i = 0; i < 200_000; i++) {
      keys.append(",\"k").append(i).append("\":1");
    }
    Path wide = write("wide.jsonl", keys + "}");
    assertThatThrownBy(() -> json(wide, Format.JSON_LINES))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("schema-fields");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // The option, the file, the columns, what is left out, and a warning.
        "- | {\"data\":[{\"a\":1}],\"total\":5,\"next\":null,\"ok\":true} | a | {total=5, next=null, ok=true} | Member \"total\" (5) is left out: the rows are the objects of \"data\"; the parameter json.records=. keeps all as one row",
        "- | {\"count\":1.5,\"results\":[{\"a\":1},{\"b\":2}]} | a,b | {count=1.5} | Member \"count\" (1.5)",
        "- | {\"items\":[{\"a\":1}],\"total\":5} | items,total | {} | The file is one row; the parameter json.records=items makes a row of each object of its array \"items\"",
        "- | {\"data\":[{\"a\":1}],\"meta\":{}} | data,meta | {} | json.records=data",
        "- | {\"data\":[1],\"total\":5} | data,total | {} |",
        "json.records=. | {\"data\":[{\"a\":1}],\"total\":5} | data,total | {} |",
        "json.records=items | {\"items\":[{\"a\":1}],\"meta\":{}} | a | {meta=an object} |",
      })
  void recordsMayBeInOneMember(
      String option, String text, String columns, String omitted, @Nullable String warning)
      throws IOException {
    String[] options = option.equals("-") ? new String[0] : new String[] {option};
    JsonFile file = json(write("member.json", " " + text), Format.JSON, options);
    assertThat(file.schema().fields().stream().map(Field::name))
        .containsExactly(columns.split(","));
    assertThat(rows(file)).isNotEmpty();
    assertThat(String.valueOf(file.found().getOrDefault("omitted", Map.of()))).isEqualTo(omitted);
    if (warning == null) {
      assertThat(file.advice()).isEmpty();
    } else {
      assertThat(file.advice().getFirst().sentence()).contains(warning);
    }
    JsonFile lines = json(write("member.jsonl", text), Format.JSON_LINES);
    assertThat(lines.found()).isEmpty();
    assertThat(rows(lines)).hasSize(1);
  }

  @Test
  void recordsOptionNeedsAnArrayOfObjects() throws IOException {
    Path path = write("member.json", "{\"items\":[{\"a\":1}],\"total\":5}");
    assertThatThrownBy(() -> json(path, Format.JSON, "json.records=total"))
        .isInstanceOf(InvalidOptionException.class)
        .hasMessage(
            "Expected the key of an array of objects, such as \"items\", but found \"total\" at parameter json.records");
    Path array = write("array.json", "[{\"a\":1}]");
    assertThatThrownBy(() -> json(array, Format.JSON, "json.records=a"))
        .isInstanceOf(InvalidOptionException.class);
    assertThat(rows(json(array, Format.JSON, "json.records=."))).hasSize(1);
  }

  @Test
  void featuresOfGeoJsonAreRows() throws IOException {
    Path path =
        write(
            "places.json",
            """
            {"type":"FeatureCollection","name":"places","crs":{},"features":[
            {"type":"Feature","id":7,"properties":{"a":"x","type":"city"},"geometry":{"type":"Point","coordinates":[1.0, 2.50]}},
            {"type":"Feature","properties":null,"geometry":null},
            {"type":"Feature","properties":{"id":"p","b":1},"geometry":{"type":"Point","coordinates":[3,4]},"bbox":[1,2]}]}
            """);
    JsonFile file = json(path, Format.JSON);
    assertThat(fields(file.schema()))
        .containsExactly(
            "id: int64",
            "a: utf8",
            "type: utf8",
            "properties.id: utf8",
            "b: int64",
            "geometry: json",
            "bbox: list<item: int64>");
    assertThat(file.schema().fields().get(5).isExtension("arrow.json")).isTrue();
    assertThat(rows(file))
        .containsExactly(
            Arrays.asList(
                7L,
                "x",
                "city",
                null,
                null,
                "{\"type\":\"Point\",\"coordinates\":[1.0,2.50]}",
                null),
            Arrays.asList(null, null, null, null, null, null, null),
            Arrays.asList(
                null,
                null,
                null,
                "p",
                1L,
                "{\"type\":\"Point\",\"coordinates\":[3,4]}",
                List.of(1L, 2L)));
    assertThat(file.found().toString())
        .isEqualTo("{records=features, omitted={name=places, crs=an object}}");
    assertThat(Advice.sentences(file.advice()))
        .anyMatch(sentence -> sentence.contains("\"name\" (places) is left out"))
        .anyMatch(sentence -> sentence.contains("properties.id"));
  }

  @Test
  void appendedRowsHaveTheTypesOfTheDataset() throws IOException {
    Schema dataset =
        Schema.of(
            Field.of("f", true, new ArrowType.FloatingPoint(Precision.SINGLE)),
            Field.of("t", true, new ArrowType.Utf8View()),
            Field.of(
                "m",
                true,
                new ArrowType.Map(false),
                Field.of(
                    "entries",
                    false,
                    new ArrowType.Struct(),
                    Field.of("key", false, new ArrowType.Utf8()),
                    INT64.withName("value"))),
            Field.of("l", true, new ArrowType.LargeList(), INT64.withName("item")),
            Field.of(
                "b", true, new ArrowType.Struct(), Field.of("x", true, new ArrowType.Binary())),
            JsonTypes.json("j"));
    Path path =
        write(
            "appended.jsonl",
            """
            {"t":5,"f":1,"m":{"k":1,"n":null},"l":[1,null],"b":{"x":"AAE="},"j":{ "q": [1 , 2]}}
            {"j":"x","l":null,"m":{},"b":{}}
            """);
    JsonFile file = json(path, Format.JSON_LINES, dataset);
    assertThat(fields(file.schema())).isEqualTo(fields(dataset));
    assertThat(rows(file))
        .containsExactly(
            List.of(
                1.0,
                "5",
                List.of(List.of("k", 1L), Arrays.asList("n", null)),
                Arrays.asList(1L, null),
                List.of(ByteString.of("\0\1")),
                "{\"q\":[1,2]}"),
            Arrays.asList(null, null, List.of(), null, Arrays.asList((Object) null), "\"x\""));
    Path other = write("other.jsonl", "{\"l\":[\"x\"]}\n");
    JsonFile invalid = json(other, Format.JSON_LINES, dataset);
    assertThatThrownBy(() -> rows(invalid))
        .hasMessage("Expected int64 but found \"x\" at line 1, column l");
    Path unfit = write("unfit.jsonl", "{\"b\":{\"y\":1}}\n");
    assertThat(fields(json(unfit, Format.JSON_LINES, dataset).schema()))
        .containsExactly("b: struct<y: int64>");
  }

  /// An object whose keys are columns is a row, whatever they are called.
  @Test
  void appendedObjectWithTheKeysOfTheDatasetIsARow() throws IOException {
    Schema dataset =
        Schema.of(
            Field.of(
                "data",
                true,
                new ArrowType.List(),
                Field.of("item", true, new ArrowType.Struct(), INT64.withName("a"))),
            INT64.withName("total"));
    Path path = write("row.json", "{\"data\":[{\"a\":1},{\"a\":2}],\"total\":5}");
    assertThat(rows(json(path, Format.JSON, dataset)))
        .containsExactly(List.of(List.of(List.of(1L), List.of(2L)), 5L));
    assertThat(rows(json(path, Format.JSON, Schema.of(INT64.withName("a"))))).hasSize(2);
  }

  /// Texts that look like the ends of records lie at the ends of blocks.
  @ParameterizedTest
  @ValueSource(strings = {"lines", "pretty", "array", "spaced", "member"})
  void blocksEndBetweenRecords(String layout) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    int count = 60_000;
    text.writeBytes(
        latin1(
            switch (layout) {
              case "array", "spaced" -> "[";
              case "member" -> "{\"x\":1,\"data\":[";
              default -> "";
            }));
    String separator =
        switch (layout) {
          case "lines", "pretty" -> "\n";
          case "spaced" -> " ,\r\n\t";
          default -> ",";
        };
    for (int i = 0; i < count; i++) {
      String filler = "} {},{\\n[\\\"]\\\\".repeat(i % 7);
      String record =
          "{\"i\":%d,\"s\":\"%s\\\\\",\"l\":[{\"a\":[%d]},{\"a\":[]}]}".formatted(i, filler, i);
      text.writeBytes(
          latin1((i > 0 ? separator : "") + (layout.equals("pretty") ? pretty(record) : record)));
    }
    text.writeBytes(
        latin1(
            switch (layout) {
              case "array", "spaced" -> "]";
              case "member" -> "],\"y\":[]}".replace("[]", "2");
              default -> "";
            }));
    JsonFile file = json(write("blocks.json", text.toByteArray()), Format.JSON);
    List<List<@Nullable Object>> rows = rows(file);
    assertThat(rows).hasSize(count);
    for (int i = 0; i < count; i++) {
      String filler = "} {},{\n[\"]\\".repeat(i % 7);
      assertThat(rows.get(i))
          .isEqualTo(
              List.of(
                  (long) i,
                  filler + "\\",
                  List.of(List.of(List.of((long) i)), List.of(List.of()))));
    }
  }

  /// Misplaced commas lie where the array is divided.
  @Test
  void arraysOfManyBlocksHaveAValueBeforeEachComma() throws IOException {
    String blanks = " ".repeat(3 << 20);
    String large = "{\"a\":\"" + "x".repeat(3 << 20) + "\"}";
    for (String text :
        List.of(
            "[," + large + "]",
            "[{\"a\":\"y\"}," + blanks + "," + large + "]",
            "[{\"a\":\"y\"}" + blanks + "," + blanks + "]")) {
      Path path = write("commas.json", text);
      assertThatThrownBy(() -> json(path, Format.JSON))
          .isInstanceOf(ForeignDataException.class)
          .hasMessageContaining("comma");
    }
    Path path =
        write("commas.json", "[{\"a\":\"y\"}" + blanks + "," + blanks + large + blanks + "]");
    assertThat(rows(json(path, Format.JSON))).hasSize(2);
  }

  /// One of these has a backslash as the last byte that is read at a time.
  @Test
  void escapesMayLieAtTheEndsOfWhatIsRead() throws IOException {
    for (String before : List.of("", "x", "xx", "xxx")) {
      String marks = "\\\"]x".repeat(750_000);
      Path path = write("escapes.json", "[{\"a\":\"" + before + marks + "\"},{\"a\":\"],[\"}]");
      List<List<@Nullable Object>> rows = rows(json(path, Format.JSON));
      assertThat(rows.getFirst().getFirst()).asString().hasSize(before.length() + 3 * 750_000);
      assertThat(rows.getLast()).isEqualTo(List.of("],["));
    }
  }

  /// The parser would take such bytes for UTF-16 or UTF-32, block by block.
  @ParameterizedTest
  @ValueSource(strings = {"UTF-16BE", "UTF-16LE", "UTF-32BE", "UTF-32LE"})
  void otherEncodingsNeedAMark(String charset) throws IOException {
    for (String text : List.of("{\"a\":12345}", "[{\"a\":\"x\"}]", "{\"a\":1}\n{\"a\":2}")) {
      Path path = write("unmarked.json", text.getBytes(Charset.forName(charset)));
      assertThatThrownBy(() -> json(path, Format.JSON)).isInstanceOf(ForeignDataException.class);
    }
  }

  /// Absent keys take no more memory than present ones may.
  @Test
  void sparseRowsAreRead() throws IOException {
    int keys = 2_000;
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 100_000; i++) {
      text.append("{\"k").append(i % keys).append("\":").append(i).append("}\n");
    }
    JsonFile file = json(write("sparse.jsonl", text.toString()), Format.JSON_LINES);
    long rowCount = 0;
    try (JsonReader reader = file.read(CpuPool.PROCESS, folder, Long.MAX_VALUE)) {
      for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
        assertThat(batch.length()).isBetween(1L, 1_000L);
        List<@Nullable Object> values = Values.of(batch.columns().get((int) (rowCount % keys)));
        assertThat(values.getFirst()).isEqualTo(rowCount);
        rowCount += batch.length();
      }
    }
    assertThat(rowCount).isEqualTo(100_000);
    StringBuilder list = new StringBuilder("{\"l\":[{}");
    for (int i = 0; i < 200_000; i++) {
      list.append(",{\"k").append(i % keys).append("\":1}");
    }
    JsonFile dense = json(write("dense.jsonl", list + "]}"), Format.JSON_LINES);
    assertThatThrownBy(() -> rows(dense))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("decompression-ratio");
  }

  /// Each column of a block takes memory, however few rows the block has.
  @Test
  void fewerBlocksOfWideRowsAreReadAtATime() {
    assertThat(JsonReader.blockCount(1)).isEqualTo(5);
    assertThat(JsonReader.blockCount(2_000)).isEqualTo(5);
    assertThat(JsonReader.blockCount(5_000)).isEqualTo(2);
    assertThat(JsonReader.blockCount(5_001)).isEqualTo(1);
    assertThat(JsonReader.blockCount(100_000)).isEqualTo(1);
  }

  @Test
  void batchesEndOnceTheirListsHaveManySlots() throws IOException {
    int items = 1_500;
    StringBuilder record = new StringBuilder("{\"l\":[{\"k0\":0");
    for (int i = 1; i < 1_000; i++) {
      record.append(",\"k").append(i).append("\":1");
    }
    record.append("}").append(",{}".repeat(items - 1)).append("]}\n");
    JsonFile file = json(write("lists.jsonl", record.toString().repeat(7)), Format.JSON_LINES);
    List<Long> lengths = new ArrayList<>();
    try (JsonReader reader = file.read(CpuPool.PROCESS, folder, Long.MAX_VALUE)) {
      for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
        if (batch.length() > 0) {
          lengths.add(batch.length());
        }
        ArrayData list = batch.columns().getFirst();
        assertThat(list.children().getFirst().length()).isEqualTo(batch.length() * items);
      }
    }
    assertThat(lengths).containsExactly(2L, 2L, 2L, 1L);
  }

  @Test
  void knowsTheBytesThatNullsTakeAtLeast() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 3_000; i++) {
      text.append("{\"k").append(i).append("\":1,\"s\":{\"t\":\"x\"}}\n");
    }
    JsonFile file = json(write("nulls.jsonl", text.toString()), Format.JSON_LINES);
    long byteSize = 0;
    try (JsonReader reader = file.read(CpuPool.PROCESS, folder, Long.MAX_VALUE)) {
      for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
        byteSize +=
            EncodedBody.of(batch.length(), batch.columns(), Codec.NONE, Arena.global()).byteSize();
      }
    }
    assertThat(file.byteSizeMinimum(Long.MAX_VALUE)).isBetween(byteSize * 3 / 4, byteSize);
    assertThat(file.byteSizeMinimum(1)).isBetween(3_000L * 64, 3_002L * 64);
  }

  @Test
  void depthKeepsKeysThatTheDatasetLacks() throws IOException {
    Schema dataset = Schema.of(Field.of("b", true, new ArrowType.Struct(), INT64.withName("x")));
    Path path = write("depth.json", "[{\"b\":{\"x\":1,\"y\":2}}]");
    JsonFile file = json(path, Format.JSON, dataset, "json.depth=1");
    assertThat(rows(file)).containsExactly(List.of("{\"x\":1,\"y\":2}"));
    Path twice = write("depth.json", "[{\"b\":{\"x\":1,\"x\":2}}]");
    JsonFile repeated = json(twice, Format.JSON, dataset, "json.depth=1");
    assertThatThrownBy(() -> rows(repeated)).hasMessageContaining("Expected each key once");
  }

  @Test
  void floatsOfTheDatasetTakeWholeNumbers() throws IOException {
    Field number = Field.of("f", true, new ArrowType.FloatingPoint(Precision.DOUBLE));
    Path path = write("whole.json", "[{\"f\":100000000000000000},{\"f\":-0},{\"f\":null}]");
    assertThat(rows(json(path, Format.JSON, Schema.of(number))))
        .containsExactly(List.of(1e17), List.of(-0.0), Arrays.asList((Object) null));
  }

  @Test
  void otherTypesOfFeaturesAreKept() throws IOException {
    String features =
        "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{\"id\":\"p\"},\"id\":1},{\"type\":\"%s\"}]}";
    JsonFile usual = json(write("types.json", features.formatted("Feature")), Format.JSON);
    assertThat(usual.schema().fields().stream().map(Field::name))
        .containsExactly("properties.id", "id");
    JsonFile other = json(write("types.json", features.formatted("road")), Format.JSON);
    assertThat(other.schema().fields().getFirst().name()).isEqualTo("type");
    // The rows can be appended to what was made of them.
    JsonFile again =
        json(write("types.json", features.formatted("Feature")), Format.JSON, usual.schema());
    assertThat(rows(again)).isEqualTo(rows(usual));
  }

  @Test
  void firstRecordsSuffice() throws IOException {
    ByteArrayOutputStream copy = new ByteArrayOutputStream();
    String record = "{\"a\":[1]}";
    for (String mark : List.of("", "\uFEFF")) {
      byte[] text =
          (mark + "[" + (record + ",").repeat(30_000) + "x").getBytes(StandardCharsets.UTF_8);
      long byteSize = JsonStart.read(new ByteArrayInputStream(text), 5);
      copy.reset();
      copy.write(text, 0, (int) byteSize);
      JsonFile file =
          JsonFile.open(
              () -> new ByteArrayInputStream(copy.toByteArray()),
              JsonOptions.parse(Format.JSON, Map.of()),
              Limits.DEFAULT,
              /* dataset= */ null,
              CpuPool.PROCESS,
              5);
      assertThat(rows(file)).hasSize(JsonFile.SAMPLE_ROWS_MAXIMUM);
    }
    byte[] deep = ("[{\"a\":" + "[".repeat(2_000_000)).getBytes(StandardCharsets.UTF_8);
    assertThat(JsonStart.read(new ByteArrayInputStream(deep), 5)).isEqualTo(Long.MAX_VALUE);
  }

  private static String pretty(String record) {
    return record.replace(",\"", ",\n  \"").replace(":{", ":\n{").replace("]}", "]\n}");
  }
}
