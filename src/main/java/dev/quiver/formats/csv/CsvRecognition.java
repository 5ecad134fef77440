package dev.quiver.formats.csv;

import dev.quiver.formats.value.TextStart;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Recognizes CSV by its bytes where nothing states the format of a file. It is stricter than the
/// reader of CSV, since a log or the text of an error is not a table.
public final class CsvRecognition {

  /// The first records, which have the same number of fields.
  private static final int RECORD_COUNT_MAXIMUM = 100;

  private static final int RECORD_COUNT_MINIMUM = 2;
  private static final int FIELD_COUNT_MINIMUM = 2;

  private static final String DELIMITERS = ",;\t|";

  /// The characters with which markup and JSON begin.
  private static final String OTHERS = "<{[";

  private CsvRecognition() {}

  /// Returns whether text is a table of two columns and two lines or more, the first of which is
  /// the header, with the same number of fields in each of its first hundred lines.
  ///
  /// @param start the first bytes, which may end within a line
  /// @param isWhole whether that is all of the file
  public static boolean isTable(byte[] start, boolean isWhole) {
    String text = TextStart.of(start, isWhole);
    if (text == null) {
      return false;
    }
    String content = text.stripLeading();
    if (content.isEmpty() || OTHERS.indexOf(content.charAt(0)) >= 0) {
      return false;
    }
    String bytes = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    CsvSample sample = new CsvSample(bytes, isWhole);
    return DELIMITERS.chars().anyMatch(delimiter -> isTable(sample, (char) delimiter));
  }

  /// Returns whether a file may be text.
  ///
  /// @param start the first bytes, which may end within a character
  public static boolean mayBeText(byte[] start) {
    return TextStart.of(start, /* isWhole= */ false) != null;
  }

  private static boolean isTable(CsvSample sample, char delimiter) {
    List<CsvSample.Row> rows =
        sample.rows(/* start= */ 0, delimiter, /* quote= */ '"', /* escape= */ '"').stream()
            .filter(row -> !row.isEmptyLine())
            .limit(RECORD_COUNT_MAXIMUM)
            .toList();
    if (rows.size() < RECORD_COUNT_MINIMUM) {
      return false;
    }
    int count = rows.getFirst().count();
    return count >= FIELD_COUNT_MINIMUM
        && rows.stream().allMatch(row -> row.isRegular() && row.count() == count);
  }
}
