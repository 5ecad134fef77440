package dev.quiver.formats.csv;

import dev.quiver.formats.ForeignDataException;
import java.io.IOException;
import java.util.List;

/// The delimiter of a CSV file, found in its first records.
final class CsvDelimiter {

  private static final List<String> CANDIDATES = List.of(",", "\t", ";", "|");
  private static final int RECORDS = 100;

  /// The bytes after which no record is looked at.
  private static final int BYTE_SIZE_MAXIMUM = CsvInput.RECORD_BYTE_SIZE_MAXIMUM;

  private CsvDelimiter() {}

  /// Returns the delimiter that divides each of the first records into the same number of fields,
  /// the one of most fields if several do, or a comma if none does.
  static String of(CsvText text, CsvOptions options) throws IOException {
    String best = CANDIDATES.getFirst();
    int most = 1;
    for (String candidate : CANDIDATES) {
      if (options.hasOtherUse(candidate)) {
        continue;
      }
      int count = fieldCount(text, options, candidate);
      if (count > most) {
        most = count;
        best = candidate;
      }
    }
    return best;
  }

  /// Returns the number of fields of each record, or 0 if it differs.
  private static int fieldCount(CsvText text, CsvOptions options, String delimiter)
      throws IOException {
    try (CsvScanner scanner = new CsvScanner(text, options, delimiter)) {
      scanner.skip(options.skip());
      int count = 0;
      for (int i = 0; i < RECORDS; i++) {
        int found = scanner.next();
        if (found == 0 || scanner.byteOffset() > BYTE_SIZE_MAXIMUM) {
          break;
        }
        if (count != 0 && found != count) {
          return 0;
        }
        count = found;
      }
      return count;
    } catch (ForeignDataException e) {
      // Quotes stand elsewhere if this is not the delimiter.
      return 0;
    }
  }
}
