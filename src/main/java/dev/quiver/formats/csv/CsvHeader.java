package dev.quiver.formats.csv;

import dev.quiver.formats.value.KindParser;
import dev.quiver.formats.value.TextKind;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The search for a row of names. It is there unless the first row clearly has values.
final class CsvHeader {

  /// The rows after the first one that are compared with it.
  private static final int ROW_COUNT_MAXIMUM = 100;

  private static final Set<TextKind> WORDS =
      EnumSet.of(TextKind.TEXT, TextKind.BOOLEAN, TextKind.NON_FINITE);

  private CsvHeader() {}

  /// Returns whether the first of some records stands out: it has text where the others have
  /// numbers or times.
  static boolean isHeader(List<CsvSample.Row> rows) {
    return score(rows) > 0;
  }

  /// Returns whether the first of some records has values like the others: where these have numbers
  /// or times, it has as well, and they are not names such as years.
  static boolean isAbsent(List<CsvSample.Row> rows) {
    return rows.size() > 1 && score(rows) < 0 && !isSeries(rows.getFirst());
  }

  /// Returns 1 if a column has text only in its first field, -1 if no column has and some have
  /// values of one kind from the first field on, or else 0.
  private static int score(List<CsvSample.Row> rows) {
    KindParser kinds = new KindParser('.', null, null, null);
    CsvSample.Row first = rows.getFirst();
    int alike = 0;
    for (int i = 0; i < first.count(); i++) {
      Set<TextKind> others = EnumSet.noneOf(TextKind.class);
      for (CsvSample.Row row : rows.subList(1, Math.min(rows.size(), ROW_COUNT_MAXIMUM))) {
        String text = i < row.count() ? row.fields().get(i).strip() : "";
        if (!text.isEmpty()) {
          others.add(kind(kinds, text));
        }
      }
      String text = first.fields().get(i).strip();
      if (others.isEmpty() || others.stream().anyMatch(WORDS::contains)) {
        continue;
      }
      if (!text.isEmpty() && WORDS.contains(kind(kinds, text))) {
        return 1;
      }
      alike += others.contains(kind(kinds, text)) ? 1 : 0;
    }
    return alike > 0 ? -1 : 0;
  }

  /// Returns the number of columns that have numbers or times, but for the first of some records.
  static int typedCount(List<CsvSample.Row> rows) {
    KindParser points = new KindParser('.', null, null, null);
    int typed = 0;
    for (int i = 0; i < rows.getFirst().count(); i++) {
      int all = 0;
      int count = 0;
      for (CsvSample.Row row : rows.subList(1, Math.min(rows.size(), ROW_COUNT_MAXIMUM))) {
        String text = i < row.count() ? row.fields().get(i).strip() : "";
        if (!text.isEmpty()) {
          all++;
          count += WORDS.contains(kind(points, text)) ? 0 : 1;
        }
      }
      typed += all > 0 && 2 * count > all ? 1 : 0;
    }
    return typed;
  }

  private static TextKind kind(KindParser kinds, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return kinds.kind(bytes, 0, bytes.length);
  }

  /// Returns whether the numbers or dates of a record ascend by the same step, as the names of
  /// years and days do, and no text occurs twice.
  private static boolean isSeries(CsvSample.Row row) {
    Set<String> seen = new HashSet<>();
    long previous = 0;
    long step = 0;
    int count = 0;
    for (String field : row.fields()) {
      String text = field.strip();
      if (!text.isEmpty() && !seen.add(text)) {
        return false;
      }
      String digits = text.replaceAll("[-./]", "");
      if (!digits.matches("[0-9]{1,18}")) {
        continue;
      }
      long number = Long.parseLong(digits);
      if (count == 1) {
        step = number - previous;
      }
      if (count > 0 && (number <= previous || step > 1 && number - previous != step)) {
        return false;
      }
      previous = number;
      count++;
    }
    return count > 1;
  }
}
