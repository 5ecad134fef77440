package dev.quiver.formats.csv;

import dev.quiver.formats.ForeignDataException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;

/// The start of a CSV file, as far as a reader of its first rows needs it.
public final class CsvStart {

  private CsvStart() {}

  /// Reads a file up to the last of its first rows, and of those that decide on the types of its
  /// columns. The file is read to its end if it has fewer, or if a record is invalid.
  ///
  /// @param file read ahead by some blocks
  /// @param rows the number of these rows
  public static void read(InputStream file, CsvOptions options, long rows) throws IOException {
    if (!hasRows(file, options, rows)) {
      file.transferTo(OutputStream.nullOutputStream());
    }
  }

  private static boolean hasRows(InputStream file, CsvOptions options, long rows)
      throws IOException {
    if (options.rows() == CsvRows.SKIP) {
      // Whether a row is left out shows when its values are read.
      return false;
    }
    byte[] start = file.readNBytes(CsvSample.BYTE_SIZE_MAXIMUM);
    CsvFindings findings =
        CsvFinder.find(() -> new ByteArrayInputStream(start), options, /* dataset= */ null);
    CsvText text =
        findings.text().of(() -> new SequenceInputStream(new ByteArrayInputStream(start), file));
    try (CsvScanner scanner = new CsvScanner(text, findings.options())) {
      scanner.skip(options.skip());
      int columnCount = Math.min(scanner.next(), findings.width());
      if (columnCount == 0) {
        return false;
      }
      long wanted = Math.max(rows, CsvFile.sampleRows(options, columnCount));
      // In a file with one column, empty lines may be rows. It is then read further than needed.
      return scanner.skip(
          findings.options().header() ? wanted : wanted - 1, /* skipsEmpty= */ true);
    } catch (ForeignDataException invalid) {
      return false;
    }
  }
}
