package dev.quiver.arrow.text;

import static dev.quiver.arrow.text.Rendered.INT64;
import static dev.quiver.arrow.text.Rendered.INT8;
import static dev.quiver.arrow.text.Rendered.UTF8;
import static dev.quiver.arrow.text.Rendered.batch;
import static dev.quiver.arrow.text.Rendered.big;
import static dev.quiver.arrow.text.Rendered.encoded;
import static dev.quiver.arrow.text.Rendered.field;
import static dev.quiver.arrow.text.Rendered.named;
import static dev.quiver.arrow.text.Rendered.render;
import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.quiver.arrow.array.DictionaryIndex;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.UnionValue;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.IntervalValue.DayTime;
import dev.quiver.arrow.type.IntervalValue.MonthDayNano;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.type.UnionMode;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests the text of every type, within its domain and outside of it, in a list as JSON and in
/// cells of a CSV file. `RenderedGoldenFilesTest` compares rendered text with the data.
class TypeTextTest {

  private static Field runs(Field values) {
    return field(
        new ArrowType.RunEndEncoded(),
        Field.of("run_ends", false, new ArrowType.Int(32, true)),
        values);
  }

  private static Field map(ArrowType key) {
    return map(Field.of("key", false, key));
  }

  private static Field map(Field key) {
    Field value = named("value", INT64);
    return field(
        new ArrowType.Map(false), Field.of("entries", false, new ArrowType.Struct(), key, value));
  }

  private static ArrowType.Timestamp timestamp(TimeUnit unit, @Nullable String timezone) {
    return new ArrowType.Timestamp(unit, timezone);
  }

  /// Returns a field, its values, their JSON, and the CSV cell of each value.
  private static Arguments type(Field field, List<?> values, String json, String... cells) {
    return arguments(field, values, json, List.of(cells));
  }

  static Stream<Arguments> nullsAndNumbers() {
    return Stream.of(
        type(field(new ArrowType.Null()), asList(null, null), "null,null", "", ""),
        type(
            field(new ArrowType.Bool()),
            asList(true, null, false),
            "true,null,false",
            "true",
            "",
            "false"),
        type(field(INT8), asList(-128, 0, null), "-128,0,null", "-128", "0", ""),
        type(field(new ArrowType.Int(8, false)), asList(255), "255", "255"),
        type(field(new ArrowType.Int(16, true)), asList(-32768, 10), "-32768,10", "-32768", "10"),
        type(field(new ArrowType.Int(16, false)), asList(65535), "65535", "65535"),
        type(
            field(new ArrowType.Int(32, true)),
            asList(Integer.MIN_VALUE, 99),
            "-2147483648,99",
            "-2147483648",
            "99"),
        type(field(new ArrowType.Int(32, false)), asList(4294967295L), "4294967295", "4294967295"),
        type(
            field(INT64),
            asList(Long.MIN_VALUE, Long.MAX_VALUE, 1_000_000_000_000_000_000L),
            "-9223372036854775808,9223372036854775807,1000000000000000000",
            "-9223372036854775808",
            "9223372036854775807",
            "1000000000000000000"),
        type(
            field(new ArrowType.Int(64, false)),
            asList(
                big("18446744073709551615"),
                big("9999999999999999999"),
                big("10000000000000000000"),
                big("9223372036854775808"),
                0),
            "18446744073709551615,9999999999999999999,10000000000000000000,9223372036854775808,0",
            "18446744073709551615",
            "9999999999999999999",
            "10000000000000000000",
            "9223372036854775808",
            "0"),
        type(
            field(new ArrowType.FloatingPoint(Precision.HALF)),
            asList(0.1f, -0.0f, 65504f, 6.0e-8f, 0.3333f, Float.NaN, Float.NEGATIVE_INFINITY),
            "0.1,-0,65500,6e-8,0.3333,null,null",
            "0.1",
            "-0",
            "65500",
            "6e-8",
            "0.3333",
            "NaN",
            "-Infinity"),
        type(
            field(new ArrowType.FloatingPoint(Precision.SINGLE)),
            asList(0.1f, 3.4028235e38f, Float.NaN, Float.POSITIVE_INFINITY),
            "0.1,3.4028235e+38,null,null",
            "0.1",
            "3.4028235e+38",
            "NaN",
            "Infinity"),
        type(
            field(new ArrowType.FloatingPoint(Precision.DOUBLE)),
            asList(0.1, 2.0e-3, 4.9e-324, -0.0, 1e23, Double.NaN),
            "0.1,0.002,5e-324,-0,1e+23,null",
            "0.1",
            "0.002",
            "5e-324",
            "-0",
            "1e+23",
            "NaN"),
        type(
            field(new ArrowType.Decimal(9, 2, 32)),
            asList(new BigDecimal("-1.20"), new BigDecimal("0.00"), new BigDecimal("-0.05")),
            "-1.20,0.00,-0.05",
            "-1.20",
            "0.00",
            "-0.05"),
        type(
            field(new ArrowType.Decimal(18, -3, 64)),
            asList(big("-12"), big("0")),
            "-12E3,0E3",
            "-12E3",
            "0E3"),
        type(
            field(new ArrowType.Decimal(38, 38, 128)),
            asList(big("9".repeat(38)), big("-1")),
            "0." + "9".repeat(38) + ",-0." + "0".repeat(37) + "1",
            "0." + "9".repeat(38),
            "-0." + "0".repeat(37) + "1"),
        type(
            field(new ArrowType.Decimal(76, 0, 256)),
            asList(big("-" + "9".repeat(76)), big("18446744073709551616")),
            "-" + "9".repeat(76) + ",18446744073709551616",
            "-" + "9".repeat(76),
            "18446744073709551616"),
        type(
            field(new ArrowType.Decimal(5, Integer.MIN_VALUE, 128)),
            asList(big("7")),
            "7E2147483648",
            "7E2147483648"),
        type(field(new ArrowType.Decimal(5, 77, 128)), asList(big("7")), "7E-77", "7E-77"));
  }

  static Stream<Arguments> times() {
    ArrowType.Time nanoseconds = new ArrowType.Time(TimeUnit.NANOSECOND, 64);
    return Stream.of(
        type(
            field(new ArrowType.Date(DateUnit.DAY)),
            asList(0, -1, 11016, 2932896, 2932897, -719528, -719529, Integer.MAX_VALUE),
            "'1970-01-01','1969-12-31','2000-02-29','9999-12-31','+10000-01-01','0000-01-01','-0001-12-31','+5881580-07-11'",
            "1970-01-01",
            "1969-12-31",
            "2000-02-29",
            "9999-12-31",
            "+10000-01-01",
            "0000-01-01",
            "-0001-12-31",
            "+5881580-07-11"),
        type(
            field(new ArrowType.Date(DateUnit.MILLISECOND)),
            asList(86_400_000L, -1L, Long.MAX_VALUE),
            "'1970-01-02','1969-12-31T23:59:59.999','+292278994-08-17T07:12:55.807'",
            "1970-01-02",
            "1969-12-31T23:59:59.999",
            "+292278994-08-17T07:12:55.807"),
        type(
            field(new ArrowType.Time(TimeUnit.SECOND, 32)),
            asList(0, 86_399, 86_400, -61),
            "'00:00:00','23:59:59','24:00:00','-00:01:01'",
            "00:00:00",
            "23:59:59",
            "24:00:00",
            "-00:01:01"),
        type(
            field(new ArrowType.Time(TimeUnit.MILLISECOND, 32)),
            asList(61_001),
            "'00:01:01.001'",
            "00:01:01.001"),
        type(
            field(new ArrowType.Time(TimeUnit.MICROSECOND, 64)),
            asList(1L),
            "'00:00:00.000001'",
            "00:00:00.000001"),
        type(
            field(nanoseconds),
            asList(1L, Long.MIN_VALUE),
            "'00:00:00.000000001','-2562047:47:16.854775808'",
            "00:00:00.000000001",
            "-2562047:47:16.854775808"),
        type(
            field(timestamp(TimeUnit.SECOND, "Mars/Phobos")),
            asList(0L, Long.MAX_VALUE, Long.MIN_VALUE),
            "'1970-01-01T00:00:00Z','+292277026596-12-04T15:30:07Z','-292277022657-01-27T08:29:52Z'",
            "1970-01-01T00:00:00Z",
            "+292277026596-12-04T15:30:07Z",
            "-292277022657-01-27T08:29:52Z"),
        type(
            field(timestamp(TimeUnit.MILLISECOND, "")),
            asList(-1L),
            "'1969-12-31T23:59:59.999'",
            "1969-12-31T23:59:59.999"),
        type(
            field(timestamp(TimeUnit.MICROSECOND, "Europe/Paris")),
            asList(1_600_000_000_123_456L),
            "'2020-09-13T12:26:40.123456Z'",
            "2020-09-13T12:26:40.123456Z"),
        type(
            field(timestamp(TimeUnit.NANOSECOND, null)),
            asList(Long.MIN_VALUE, null),
            "'1677-09-21T00:12:43.145224192',null",
            "1677-09-21T00:12:43.145224192",
            ""),
        type(
            field(new ArrowType.Duration(TimeUnit.SECOND)),
            asList(5400L, -1L, 0L, Long.MIN_VALUE),
            "'PT5400S','PT-1S','PT0S','PT-9223372036854775808S'",
            "PT5400S",
            "PT-1S",
            "PT0S",
            "PT-9223372036854775808S"),
        type(
            field(new ArrowType.Duration(TimeUnit.NANOSECOND)),
            asList(1_500_000_000L, -1L),
            "'PT1.5S','PT-0.000000001S'",
            "PT1.5S",
            "PT-0.000000001S"),
        type(
            field(new ArrowType.Interval(IntervalUnit.YEAR_MONTH)),
            asList(14, -1, 0),
            "'P14M','P-1M','P0M'",
            "P14M",
            "P-1M",
            "P0M"),
        type(
            field(new ArrowType.Interval(IntervalUnit.DAY_TIME)),
            asList(new DayTime(1, -2), new DayTime(0, 0), new DayTime(-3, 0)),
            "'P1DT-0.002S','PT0S','P-3D'",
            "P1DT-0.002S",
            "PT0S",
            "P-3D"),
        type(
            field(new ArrowType.Interval(IntervalUnit.MONTH_DAY_NANO)),
            asList(new MonthDayNano(-1, 2, 3_000_000_000L), new MonthDayNano(0, 0, 1)),
            "'P-1M2DT3S','PT0.000000001S'",
            "P-1M2DT3S",
            "PT0.000000001S"));
  }

  static Stream<Arguments> binaryAndText() {
    List<?> binary = asList(new byte[] {1, -1, 63, -5}, new byte[0], null, new byte[] {0, 0});
    String base64 = "'Af8/+w==','',null,'AAA='";
    String[] cells = {"Af8/+w==", "\"\"", "", "AAA="};
    List<?> text =
        asList("plain", "", null, "a,b", "say \"x\"\r\n", " pad", "\u0001\\/\u007f矢😀", "=1+1");
    String strings =
        "'plain','',null,'a,b','say \\'x\\'\\r\\n',' pad','\\u0001\\\\/\u007f矢😀','=1+1'";
    String[] texts = {
      "plain",
      "\"\"",
      "",
      "\"a,b\"",
      "\"say \"\"x\"\"\r\n\"",
      "\" pad\"",
      "\u0001\\/\u007f矢😀",
      "=1+1"
    };
    return Stream.of(
        type(field(new ArrowType.Binary()), binary, base64, cells),
        type(field(new ArrowType.LargeBinary()), binary, base64, cells),
        type(field(new ArrowType.BinaryView()), binary, base64, cells),
        type(
            field(new ArrowType.FixedSizeBinary(3)),
            asList(new byte[] {1, 2, 3}, null),
            "'AQID',null",
            "AQID",
            ""),
        type(field(new ArrowType.FixedSizeBinary(0)), asList(new byte[0]), "''", "\"\""),
        type(field(UTF8), text, strings, texts),
        type(field(new ArrowType.LargeUtf8()), text, strings, texts),
        type(field(new ArrowType.Utf8View()), text, strings, texts),
        type(
            encoded(new ArrowType.Int(64, false)),
            asList("a", null, new DictionaryIndex(2), "b \"c\""),
            "'a',null,null,'b \\'c\\''",
            "a",
            "",
            "",
            "\"b \"\"c\"\"\""),
        type(
            runs(field(UTF8)), asList("a", "a", null, "b"), "'a','a',null,'b'", "a", "a", "", "b"));
  }

  static Stream<Arguments> nested() {
    Field item = named("item", UTF8);
    List<?> lists = asList(asList("a", null), List.of(), null);
    String arrays = "['a',null],[],null";
    String[] cells = {"\"[\"\"a\"\",null]\"", "\"[]\"", ""};
    Field struct = field(new ArrowType.Struct(), named("n", INT8), item, named("n", INT64));
    Field unionText = named("t", UTF8);
    Field unionNumber = named("n", INT8);
    List<?> unions = asList(new UnionValue(5, 9), new UnionValue(4, null), new UnionValue(4, "x"));
    return Stream.of(
        type(field(new ArrowType.List(), item), lists, arrays, cells),
        type(field(new ArrowType.LargeList(), item), lists, arrays, cells),
        type(field(new ArrowType.ListView(), item), lists, arrays, cells),
        type(field(new ArrowType.LargeListView(), item), lists, arrays, cells),
        type(
            field(new ArrowType.FixedSizeList(1), item),
            asList(asList("a"), null),
            "['a'],null",
            "\"[\"\"a\"\"]\"",
            ""),
        type(
            field(new ArrowType.FixedSizeList(0), item),
            asList(List.of(), null),
            "[],null",
            "\"[]\"",
            ""),
        type(
            struct,
            asList(asList(1, "x\"", 2L), null, asList(null, null, null)),
            "{'n':1,'item':'x\\'','n_2':2},null,{'n':null,'item':null,'n_2':null}",
            "\"{\"\"n\"\":1,\"\"item\"\":\"\"x\\\"\"\"\",\"\"n_2\"\":2}\"",
            "",
            "\"{\"\"n\"\":null,\"\"item\"\":null,\"\"n_2\"\":null}\""),
        type(field(new ArrowType.Struct()), asList(List.of(), null), "{},null", "\"{}\"", ""),
        type(
            map(UTF8),
            asList(List.of(List.of("k", 1L), asList("k", null)), null, List.of()),
            "{'k':1,'k':null},null,{}",
            "\"{\"\"k\"\":1,\"\"k\"\":null}\"",
            "",
            "\"{}\""),
        type(map(encoded(INT8)), asList(List.of(List.of("a", 1L))), "{'a':1}", "\"{\"\"a\"\":1}\""),
        type(
            map(runs(field(UTF8))),
            asList(List.of(asList(null, 1L))),
            "{'null':1}",
            "\"{\"\"null\"\":1}\""),
        type(
            map(INT8),
            asList(List.of(List.of(1, 2L), asList(1, null)), List.of()),
            "[[1,2],[1,null]],[]",
            "\"[[1,2],[1,null]]\"",
            "\"[]\""),
        type(
            field(new ArrowType.Union(UnionMode.DENSE, List.of(4, 5)), unionText, unionNumber),
            unions,
            "{'n':9},{'t':null},{'t':'x'}",
            "\"{\"\"n\"\":9}\"",
            "\"{\"\"t\"\":null}\"",
            "\"{\"\"t\"\":\"\"x\"\"}\""),
        type(
            field(
                new ArrowType.Union(UnionMode.SPARSE, List.of(4, 5)), unionText, named("t", INT8)),
            unions,
            "{'t_2':9},{'t':null},{'t':'x'}",
            "\"{\"\"t_2\"\":9}\"",
            "\"{\"\"t\"\":null}\"",
            "\"{\"\"t\"\":\"\"x\"\"}\""),
        type(
            runs(field(new ArrowType.List(), encoded(INT8))),
            asList(asList("a"), asList("a"), null),
            "['a'],['a'],null",
            "\"[\"\"a\"\"]\"",
            "\"[\"\"a\"\"]\"",
            ""));
  }

  static Stream<Arguments> everyType() {
    return Stream.of(nullsAndNumbers(), times(), binaryAndText(), nested()).flatMap(s -> s);
  }

  /// The expected JSON is written with `'` instead of `"`.
  @ParameterizedTest
  @MethodSource("everyType")
  void writesTheTextOfEveryType(Field field, List<?> values, String json, List<String> cells)
      throws IOException {
    RecordBatch batch = batch(field, values);
    Field list = Field.of("l", false, new ArrowType.List(), field);
    assertThat(render(TextFormat.JSON_LINES, JsonNumbers.NUMBER, batch(list, List.of(values))))
        .isEqualTo("{\"l\":[" + json.replace('\'', '"') + "]}\n");
    assertThat(render(TextFormat.CSV, JsonNumbers.NUMBER, batch))
        .isEqualTo("c\r\n" + String.join("\r\n", cells) + "\r\n");
  }
}
