package dev.quiver.formats.csv;

import dev.quiver.formats.ForeignDataException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/// The start of a CSV file, as far as a reader of its first rows needs it.
public final class CsvStart {

  private CsvStart() {}

  /// Reads a file up to the last of its first rows, and of those that decide on the types of its
  /// columns. The file is read to its end if it has fewer, if a record is invalid, or if the
  /// delimiter has to be found.
  ///
  /// @param file read ahead by some blocks
  /// @param rows the number of these rows
  public static void read(InputStream file, CsvOptions options, long rows) throws IOException {
    if (options.delimiter() == null || !hasRows(file, options, rows)) {
      file.transferTo(OutputStream.nullOutputStream());
    }
  }

  private static boolean hasRows(InputStream file, CsvOptions options, long rows)
      throws IOException {
    // An error opens the file again, to count lines. It is not reported here.
    boolean[] opened = {false};
    CsvText text =
        new CsvText(
            () -> {
              boolean again = opened[0];
              opened[0] = true;
              return again ? InputStream.nullInputStream() : file;
            },
            options.encoding());
    try (CsvScanner scanner = new CsvScanner(text, options, options.fieldDelimiter())) {
      scanner.skip(options.skip());
      int columnCount = scanner.next();
      if (columnCount == 0) {
        return false;
      }
      long wanted = Math.max(rows, CsvFile.sampleRows(options, columnCount));
      // In a file with one column, empty lines may be rows. It is then read further than needed.
      return scanner.skip(options.header() ? wanted : wanted - 1, /* skipsEmpty= */ true);
    } catch (ForeignDataException invalid) {
      return false;
    }
  }
}
