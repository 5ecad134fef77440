package dev.quiver.arrow.terminal;

import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalTableTest {

  private static final ArrowType INT64 = new ArrowType.Int(64, true);
  private static final ArrowType UTF8 = new ArrowType.Utf8();
  private static final Field NUMBER = named("n", INT64);

  private static Field named(String name, ArrowType type) {
    return Field.of(name, true, type);
  }

  private static RecordBatch batch(Schema schema, List<?>... columns) {
    ArrayBuilder builder = new ArrayBuilder(Arena.ofAuto());
    int length = columns.length == 0 ? 0 : columns[0].size();
    return builder.recordBatch(schema, length, List.of(columns));
  }

  private static String table(int width, int rows, RecordBatch... batches) throws IOException {
    TerminalTable table =
        new TerminalTable(
            batches[0].schema(), TextOptions.DEFAULT, new TerminalTable.Form(width, rows));
    for (RecordBatch batch : batches) {
      table.add(batch);
    }
    return text(table);
  }

  private static String text(TerminalTable table) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    table.writeTo(part -> text.writeBytes(part.toArray(LittleEndian.INT8)));
    return text.toString(StandardCharsets.UTF_8);
  }

  private static RecordBatch numbers(long first, long end) {
    return batch(Schema.of(NUMBER), LongStream.range(first, end).boxed().toList());
  }

  @Test
  void alignsNumbersRightAndShowsNulls() throws Exception {
    Schema schema =
        Schema.of(
            named("city", UTF8),
            named("people", INT64),
            named("x", new ArrowType.FloatingPoint(Precision.DOUBLE)));
    RecordBatch batch =
        batch(schema, asList("東京", "a\nb", null), asList(37L, null, -1L), asList(0.5, 12.25, null));
    assertThat(table(80, 40, batch))
        .isEqualTo(
            """
            ┌──────┬────────┬─────────┐
            │ city │ people │       x │
            │ utf8 │  int64 │ float64 │
            ├──────┼────────┼─────────┤
            │ 東京 │     37 │     0.5 │
            │ a\\nb │   NULL │   12.25 │
            │ NULL │     -1 │    NULL │
            └──────┴────────┴─────────┘
            3 rows, 3 columns
            """);
  }

  @Test
  void tableWithoutRowsHasItsHeaderAndOneWithoutColumnsItsCounts() throws Exception {
    assertThat(table(80, 40, numbers(0, 0)))
        .isEqualTo(
            """
            ┌───────┐
            │     n │
            │ int64 │
            ├───────┤
            └───────┘
            0 rows, 1 column
            """);
    assertThat(table(80, 40, batch(Schema.of()))).isEqualTo("0 rows, 0 columns\n");
  }

  /// The cells of the first column.
  private static List<String> cells(String table) {
    return table
        .lines()
        .filter(line -> line.startsWith("│"))
        .skip(2)
        .map(line -> line.split("│")[1].strip())
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "10, 10", "9, 10", "10, 11", "10, 100", "1, 5", "2, 5", "3, 1000", "0, 5", "40, 41", "7, 0"
  })
  void showsTheFirstAndTheLastRows(int shown, int count) throws Exception {
    List<String> expected = new ArrayList<>();
    int first = (shown + 1) / 2;
    for (int i = 0; i < count; i++) {
      if (count <= shown || i < first || i >= count - (shown - first)) {
        expected.add(Integer.toString(i));
      } else if (i == first) {
        expected.add("…");
      }
    }
    for (int batchRows : List.of(1, 3, 7, 1000)) {
      List<RecordBatch> batches = new ArrayList<>(List.of(numbers(0, 0)));
      for (int i = 0; i < count; i += batchRows) {
        batches.add(numbers(i, Math.min(count, i + batchRows)));
      }
      String table = table(80, shown, batches.toArray(RecordBatch[]::new));
      assertThat(cells(table)).as("%d per batch", batchRows).isEqualTo(expected);
      assertThat(table)
          .endsWith(
              count <= shown
                  ? "\n%d row%s, 1 column\n".formatted(count, count == 1 ? "" : "s")
                  : "\n%,d rows (%d shown), 1 column\n".formatted(count, shown));
    }
  }

  @Test
  void rowsInTheMiddleNeedNotBeRead() throws Exception {
    TerminalTable table =
        new TerminalTable(Schema.of(NUMBER), TextOptions.DEFAULT, new TerminalTable.Form(80, 4));
    table.add(numbers(0, 10));
    table.skip(4_000_000_000L);
    table.add(numbers(4_000_000_010L, 4_000_000_015L));
    assertThat(cells(text(table))).containsExactly("0", "1", "…", "4000000013", "4000000014");
    assertThat(text(table)).endsWith("4,000,000,015 rows (4 shown), 1 column\n");
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 41, 47, 60, 80, 120, 121, 1000})
  void linesFitTheWidth(int width) throws Exception {
    for (int count : List.of(1, 2, 3, 4, 8, 20, 300)) {
      for (String value : List.of("", "x", "値".repeat(15), "w".repeat(2_000))) {
        Schema schema =
            Schema.of(
                IntStream.range(0, count)
                    .mapToObj(i -> named("column " + i, UTF8))
                    .toArray(Field[]::new));
        List<?>[] columns =
            Collections.nCopies(count, List.of(value, "last")).toArray(List<?>[]::new);
        String table = table(width, 40, batch(schema, columns));
        List<String> lines = table.lines().toList();
        List<String> box =
            lines.stream().filter(line -> "┌│├└".indexOf(line.charAt(0)) >= 0).toList();
        assertThat(box)
            .hasSize(7)
            .allSatisfy(line -> assertThat(TerminalText.width(line)).isLessThanOrEqualTo(width));
        assertThat(box.stream().map(TerminalText::width).distinct()).hasSize(1);
        assertThat(lines)
            .allSatisfy(line -> assertThat(TerminalText.width(line)).isLessThanOrEqualTo(width));
        int shown = box.get(1).split("│").length - 1 - (box.get(1).contains("│ … │") ? 1 : 0);
        assertThat(table)
            .endsWith(
                shown == count
                    ? "%d column%s\n".formatted(count, count == 1 ? "" : "s")
                    : "%d columns (%d shown)\n".formatted(count, shown));
      }
    }
  }

  @Test
  void leavesOutColumnsInTheMiddle() throws Exception {
    Schema schema =
        Schema.of(IntStream.range(0, 9).mapToObj(i -> named("c" + i, UTF8)).toArray(Field[]::new));
    List<?>[] columns = Collections.nCopies(9, List.of("value")).toArray(List<?>[]::new);
    assertThat(table(40, 40, batch(schema, columns)).lines().skip(1).findFirst())
        .contains("│ c0    │ c1    │ … │ c7    │ c8    │");
  }

  @Test
  void formsHaveLimits() {
    assertThatIllegalArgumentException().isThrownBy(() -> new TerminalTable.Form(39, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new TerminalTable.Form(1001, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new TerminalTable.Form(40, -1));
  }
}
