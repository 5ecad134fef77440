package dev.quiver.formats.json;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.ForeignFixture;
import dev.quiver.formats.Format;
import dev.quiver.formats.InvalidOptionException;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonFileTest extends ForeignFixture {

  @Test
  void readsArraysLinesAndSingleObjects() throws IOException {
    for (JsonFile file :
        List.of(
            json(write("a.json", "[{\"a\":1,\"b\":\"x\"},{\"a\":2}]"), Format.JSON),
            json(write("a.jsonl", "{\"a\":1,\"b\":\"x\"}\n{\"a\":2}\n"), Format.JSON),
            json(write("b.jsonl", "{\"a\":1,\"b\":\"x\"}\n\n{\"a\":2}"), Format.JSON_LINES),
            json(
                write("b.json", "[{\"a\":1,\"b\":\"x\"},{\"a\":2}]"),
                Format.JSON,
                "json.format=array"))) {
      assertThat(fields(engine.schema(sql(file)))).containsExactly("a: int64", "b: utf8");
      assertThat(rows(sql(file))).containsExactly(List.of(1L, "x"), Arrays.asList(2L, null));
    }
    JsonFile single = json(write("c.json", "{\"a\":{\"b\":[1,2]}}"), Format.JSON);
    assertThat(fields(engine.schema(sql(single))))
        .containsExactly("a: struct<b: list<item: int64>>");
  }

  /// The engine itself looks at 20,480 objects only.
  @Test
  void keysThatAppearLateAreColumns() throws IOException {
    JsonFile file =
        json(
            write("late.jsonl", "{\"a\":1}\n".repeat(21_000) + "{\"late\":2}\n"),
            Format.JSON_LINES);
    assertThat(rows("SELECT count(*), max(late) FROM (" + sql(file) + ")"))
        .containsExactly(List.of(21_001L, 2L));
  }

  /// The engine itself makes a map of objects with many keys.
  @Test
  void manyKeysAreColumns() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      text.append("{\"k%d\":1}%n".formatted(i));
    }
    JsonFile file = json(write("keys.jsonl", text.toString()), Format.JSON_LINES);
    assertThat(engine.schema(sql(file)).fields()).hasSize(300);
  }

  @Test
  void statedTypesReplaceInferredOnes() throws IOException {
    Path path = write("types.jsonl", "{\"a\":123456789012345678901,\"b\":\"x\",\"it's\":\"1\"}\n");
    JsonFile inferred = json(path, Format.JSON_LINES);
    assertThat(fields(engine.schema(sql(inferred))))
        .containsExactly("a: decimal128(38, 0)", "b: utf8", "it's: utf8");
    JsonFile stated = json(path, Format.JSON_LINES, "json.types=a:decimal(30,0),it's:integer");
    assertThat(rows(sql(stated)))
        .containsExactly(List.of(new BigInteger("123456789012345678901"), "x", 1L));
    JsonFile unknown = json(path, Format.JSON_LINES, "json.types=bb:varchar");
    assertThatThrownBy(() -> sql(unknown))
        .isInstanceOf(InvalidOptionException.class)
        .hasMessage(
            "Expected the name of a column, such as \"b\", but found \"bb\" at parameter json.types");
  }

  /// With types, the engine would look for the key `A_1`.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // Types and values of a key in all objects.
        "9007199254740993 | int64 | 9007199254740993",
        "18446744073709551617 | decimal128(38, 0) | 18446744073709551617",
        "-99999999999999999999999999999999999999 ~ 1 ~ null | decimal128(38, 0) | -99999999999999999999999999999999999999",
        "123456789012345678901234567890123456789 | utf8 | 123456789012345678901234567890123456789",
        "9007199254740993 ~ 0.5 | utf8 | 9007199254740993",
        "1.5 ~ 1700000000000000 ~ 12345678901234567890.5 ~ 1e300 | float64 | 1.5",
        "1e400 ~ 1 | utf8 | 1e400",
        "[1.5, 18446744073709551617] | list<item: utf8> | [1.5, 18446744073709551617]",
        "{\"DOUBLE\": 18446744073709551617, \"c\": \"x\"} | struct<DOUBLE: utf8, c: utf8> | ",
        "{\"b\": 1.5, \"c\": \"18446744073709551617 \\\" 99999999999999999999\"} | struct<b: float64, c: utf8> | ",
        "\"2020-01-02\" | date32[day] | ",
        "\"01-02-2020\" | utf8 | 01-02-2020",
        "\"20-01-02\" | utf8 | 20-01-02",
        "\"01-02-2020 03:04:05\" ~ null | utf8 | 01-02-2020 03:04:05",
        "\"2020-01-02T03:04:05Z\" | timestamp[us, UTC] | ",
        "{\"a b\": [\"01-02-2020 03:04:05\"], \"e\": 0.5} | struct<a b: list<item: utf8>, e: float64> | ",
      })
  void typesThatAreInferredChangeNoValue(String values, String type, @Nullable String first)
      throws IOException {
    String lines =
        Arrays.stream(values.split(" ~ "))
            .map(value -> "{\"it's\":" + value + "}\n")
            .collect(Collectors.joining());
    JsonFile file = json(write("inferred.jsonl", lines), Format.JSON_LINES);
    assertThat(fields(engine.schema(sql(file)))).containsExactly("it's: " + type);
    if (first != null) {
      assertThat(rows(sql(file)).getFirst().getFirst()).asString().isEqualTo(first);
    }
    boolean changed = type.contains("utf8") && !type.contains("c: utf8") || type.contains("38");
    assertThat(columns(file).warnings()).hasSize(changed || type.contains("DOUBLE") ? 1 : 0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[18446744073709551617, 2] | Expected an object but found 18446744073709551617 in record 1",
        "[{\"a\": 1}, 5] | Expected an object but found 5 in record 2",
        "[{}, [1, 2]] | Expected an object but found [1, 2] in record 2",
        "[null] | Expected an object but found null in record 1",
        "\"text\" | Expected an object but found \"text\" in record 1",
        "true | Expected an object but found true in record 1",
        "[] | Expected objects with keys but found none",
        "[{}, {}] | Expected objects with keys but found none",
        "{} | Expected objects with keys but found none",
        "`  ` | Expected objects with keys but found none",
        "[{\"json\": 1}, {}] |",
        "[{\"json\": {\"json\": 5}}] |",
        "[{\"json\": null}] |",
        "[{\"JSON\": null}] |",
      })
  void rowsAreObjectsWithKeys(String text, @Nullable String message) throws IOException {
    JsonFile file = json(write("objects.json", text), Format.JSON);
    String objectsSql = file.objectsSql(columns(file));
    if (message == null) {
      assertThat(objectsSql == null || JsonFile.requireObjects(engine.batches(objectsSql)))
          .isTrue();
    } else {
      assertThatThrownBy(() -> JsonFile.requireObjects(engine.batches(requireNonNull(objectsSql))))
          .isInstanceOf(ForeignDataException.class)
          .hasMessage(message);
    }
  }

  @Test
  void keysThatDifferInCaseKeepTheirValues() throws IOException {
    Path path = write("case.jsonl", "{\"a\":1,\"A\":2}\n");
    assertThat(rows(sql(json(path, Format.JSON_LINES)))).containsExactly(List.of(1L, 2L));
    JsonFile stated = json(path, Format.JSON_LINES, "json.types=a:varchar");
    assertThatThrownBy(() -> sql(stated)).isInstanceOf(InvalidOptionException.class);
  }

  @Test
  void depthEndsInTextOfJson() throws IOException {
    Path path = write("deep.json", "[{\"a\":{\"b\":[1]}}]");
    assertThat(rows(sql(json(path, Format.JSON, "json.depth=1"))))
        .containsExactly(List.of("{\"b\":[1]}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "jsonl | {\"a\":1}~{\"a\":}~{\"a\":2} | 2 | Expected JSON but found an unexpected character, as byte 6 at line 2",
        "jsonl | {\"a\":1}~{\"a\":\"$\"} | 2 | Expected JSON but found invalid UTF-8 encoding in string, as byte 7 at line 2",
        "json | [{\"a\":1},{\"a\":}] | | Expected JSON but found an unexpected character, as byte 6 in record 2",
        "json | [{\"a\":1},{\"a\":1,\"a\":2}] | | Expected each key once in an object but found \"a\" again in record 2",
        "jsonl | {\"a\":1}~{\"a\":2,\"a\":3} | 2 | Expected each key once in an object but found \"a\" again at line 2",
        "json | a,b | | Expected JSON but found an unexpected character, as byte 1 in record 1"
      })
  void tellsThePlaceOfErrors(String format, String text, Long line, String message)
      throws IOException {
    Path path = write("bad." + format, latin1(text.replace('~', '\n').replace('$', '\u00FF')));
    JsonFile file = json(path, requireNonNull(Format.ofName("x." + format)));
    ForeignDataException error = error(sql(file), file::error);
    assertThat(error).hasMessage(message);
    assertThat(error.line()).isEqualTo(line);
  }

  @Test
  void tellsValuesThatDoNotConvert() throws IOException {
    Path path = write("convert.jsonl", "{\"a\":1}\n{\"a\":\"" + "z".repeat(300) + "\"}\n");
    JsonFile file = json(path, Format.JSON_LINES, "json.types=a:bigint");
    JsonColumns columns = columns(file);
    ForeignDataException error = error(sql(file), message -> file.error(message, columns));
    assertThat(error.column()).isEqualTo("a");
    assertThat(error.value()).startsWith("zzz").hasSizeLessThan(102);
    assertThat(error.located(engine.batches(requireNonNull(file.rowSql(error, columns)))))
        .message()
        .endsWith(" in column a, row 2")
        .hasSizeLessThan(200);
  }

  /// The engine reads the first of these without an error.
  @Test
  void arraysMustHaveAnEnd() throws IOException {
    JsonFile truncated = json(write("truncated.json", "[{\"a\":1},"), Format.JSON);
    assertThat(rows(sql(truncated))).containsExactly(List.of(1L));
    for (String text : List.of("[{\"a\":1},", " \n[{\"a\":1}, \n", "[")) {
      assertThatThrownBy(() -> JsonFile.requireWhole(latin1(text), latin1(text)))
          .isInstanceOf(ForeignDataException.class)
          .hasMessage(
              "Expected the end of an array but found the end of the file: it is truncated");
    }
    for (String text : List.of("[{\"a\":1}] \n", "{\"a\":1}", "", "[]")) {
      JsonFile.requireWhole(latin1(text), latin1(text));
    }
  }

  @Test
  void tellsLimits() throws IOException {
    JsonFile large =
        json(write("large.json", "{\"a\":\"" + "x".repeat(17 << 20) + "\"}"), Format.JSON);
    assertThat(error(sql(large), large::error))
        .hasMessage("Expected objects of at most 16777216 bytes but found a larger one");
    JsonFile deep =
        json(write("levels.json", "{\"a\":".repeat(200) + "1" + "}".repeat(200)), Format.JSON);
    assertThat(error(sql(deep), deep::error))
        .hasMessage("Expected JSON of at most 128 levels but found more");
    assertThat(deep.error("Cannot open file \"/tmp/x/y\""))
        .hasMessage("The file cannot be read as JSON");
  }
}
