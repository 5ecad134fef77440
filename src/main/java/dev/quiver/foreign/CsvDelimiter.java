package dev.quiver.foreign;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/// The delimiter of a CSV file, found in its first records.
final class CsvDelimiter {

  private static final List<String> CANDIDATES = List.of(",", "\t", ";", "|");
  private static final int RECORDS = 100;

  private CsvDelimiter() {}

  /// Returns the delimiter that divides each of the first records into the same number of fields,
  /// the one of most fields if several do, or a comma if none does.
  static String of(CsvFile.Contents contents, CsvOptions options) throws IOException {
    String best = CANDIDATES.getFirst();
    int most = 1;
    for (String candidate : CANDIDATES) {
      int count = fieldCount(contents, options, candidate);
      if (count > most) {
        most = count;
        best = candidate;
      }
    }
    return best;
  }

  /// Returns the number of fields of each record, or 0 if it differs.
  private static int fieldCount(CsvFile.Contents contents, CsvOptions options, String delimiter)
      throws IOException {
    try (InputStream file = contents.open()) {
      CsvRecords records = new CsvRecords(file, options, delimiter);
      records.skip();
      int count = 0;
      for (int i = 0; i < RECORDS && records.count() < CsvRecords.LINE_BYTE_SIZE_MAXIMUM; i++) {
        List<String> fields = records.next();
        if (fields == null) {
          return count;
        }
        boolean empty = fields.size() == 1 && fields.getFirst().isEmpty();
        if (!empty && count != 0 && fields.size() != count) {
          return 0;
        }
        count = empty ? count : fields.size();
      }
      return count;
    } catch (ForeignDataException e) {
      // Quotes stand elsewhere if this is not the delimiter.
      return 0;
    }
  }
}
