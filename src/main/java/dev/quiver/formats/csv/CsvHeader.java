package dev.quiver.formats.csv;

import dev.quiver.formats.value.KindParser;
import dev.quiver.formats.value.TextKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The search for a row of names. It is there unless the first row clearly has values.
final class CsvHeader {

  /// The rows after the first one that are compared with it.
  private static final int ROW_COUNT_MAXIMUM = 100;

  private static final Set<TextKind> WORDS =
      EnumSet.of(TextKind.TEXT, TextKind.BOOLEAN, TextKind.NON_FINITE);

  private CsvHeader() {}

  /// Returns whether the first of some records stands out: a column has text only in it, and
  /// numbers or times in the others.
  static boolean isHeader(List<CsvSample.Row> rows) {
    return comparison(rows).textCount > 0;
  }

  /// Returns whether the first of some records has values like the others: in most columns numbers
  /// or times, which are no names such as years.
  static boolean isAbsent(List<CsvSample.Row> rows) {
    if (rows.size() < 2) {
      return false;
    }
    Comparison found = comparison(rows);
    int width = rows.getFirst().count();
    boolean isMost =
        found.alikeCount == width || found.alikeCount > 1 && 2 * found.alikeCount >= width;
    return found.textCount == 0 && isMost && !isSeries(rows.getFirst());
  }

  /// Returns whether all fields of a record are words, and no one stands for a missing value.
  static boolean hasWordsOnly(CsvSample.Row row) {
    KindParser kinds = new KindParser('.', null, null, null);
    return row.fields().stream()
        .map(String::strip)
        .allMatch(text ->
            !text.isEmpty()
                && kind(kinds, text) == TextKind.TEXT
                && !CsvFile.NULL_WORDS.contains(text.toLowerCase(Locale.ROOT)));
  }

  /// A comparison of the first record with the others, of the columns that have numbers or times.
  ///
  /// @param textCount those whose first field is text
  /// @param alikeCount those whose first field is of the kind of others
  private record Comparison(int textCount, int alikeCount) {}

  private static Comparison comparison(List<CsvSample.Row> rows) {
    KindParser kinds = new KindParser('.', null, null, null);
    CsvSample.Row first = rows.getFirst();
    int texts = 0;
    int alike = 0;
    for (int i = 0; i < first.count(); i++) {
      Set<TextKind> others = EnumSet.noneOf(TextKind.class);
      for (CsvSample.Row row : rows.subList(1, Math.min(rows.size(), ROW_COUNT_MAXIMUM))) {
        String text = i < row.count() ? row.fields().get(i).strip() : "";
        if (!text.isEmpty() && !CsvFile.NULL_WORDS.contains(text.toLowerCase(Locale.ROOT))) {
          others.add(kind(kinds, text));
        }
      }
      String text = first.fields().get(i).strip();
      if (others.isEmpty() || others.stream().anyMatch(WORDS::contains) || text.isEmpty()) {
        continue;
      }
      TextKind kind = kind(kinds, text);
      texts += WORDS.contains(kind) ? 1 : 0;
      alike += others.contains(kind) ? 1 : 0;
    }
    return new Comparison(texts, alike);
  }

  /// Returns the number of columns that have numbers or times, but for the first of some records.
  ///
  /// @param hasDecimalCommas whether a number may have a decimal comma
  static int typedCount(List<CsvSample.Row> rows, boolean hasDecimalCommas) {
    KindParser points = new KindParser('.', null, null, null);
    int typed = 0;
    for (int i = 0; i < rows.getFirst().count(); i++) {
      int all = 0;
      int count = 0;
      for (CsvSample.Row row : rows.subList(1, Math.min(rows.size(), ROW_COUNT_MAXIMUM))) {
        String text = i < row.count() ? row.fields().get(i).strip() : "";
        if (!text.isEmpty()) {
          all++;
          TextKind kind = kind(points, text);
          boolean isText =
              WORDS.contains(kind) || !hasDecimalCommas && kind == TextKind.OTHER_NUMBER;
          count += isText ? 0 : 1;
        }
      }
      typed += all > 0 && 2 * count > all ? 1 : 0;
    }
    return typed;
  }

  private static TextKind kind(KindParser kinds, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    return kinds.kind(bytes, 0, bytes.length);
  }

  /// Returns whether the integers and dates of a record are names: years, days in order, or numbers
  /// that count up or down.
  private static boolean isSeries(CsvSample.Row row) {
    KindParser kinds = new KindParser('.', null, null, null);
    List<Long> numbers = new ArrayList<>();
    for (String field : row.fields()) {
      String text = field.strip();
      TextKind kind = text.isEmpty() ? TextKind.TEXT : kind(kinds, text);
      if (kind == TextKind.INTEGER || kind == TextKind.DATE) {
        numbers.add(Long.parseLong(kind == TextKind.DATE ? text.replace("-", "") : text));
      } else if (!WORDS.contains(kind)) {
        return false;
      }
    }
    if (numbers.isEmpty()) {
      return false;
    }
    boolean areYears = numbers.stream().allMatch(number -> number >= 1800 && number < 2100);
    boolean ascend = true;
    boolean descend = true;
    boolean count = numbers.getFirst() == 0 || numbers.getFirst() == 1;
    for (int i = 1; i < numbers.size(); i++) {
      long step = numbers.get(i) - numbers.get(i - 1);
      ascend &= step > 0;
      descend &= step < 0;
      count &= step == 1;
    }
    boolean isOrdered = ascend || descend;
    return areYears && isOrdered
        || numbers.size() > 2 && numbers.size() < row.count() && isOrdered
        || numbers.size() > 1 && count;
  }
}
