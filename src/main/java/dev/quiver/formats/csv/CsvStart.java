package dev.quiver.formats.csv;

import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.value.ByteOrderMark;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;

/// The start of a CSV file, as far as a reader of its first rows needs it.
public final class CsvStart {

  private static final String DELIMITERS = ",;\t|";

  private CsvStart() {}

  /// Returns the text up to the end of its last whole record, or all of it without any.
  ///
  /// @param text may end within a record, or a character
  public static byte[] wholeRecords(byte[] text, CsvOptions options) throws IOException {
    ByteOrderMark mark = ByteOrderMark.of(text);
    String encoding =
        CsvText.of(
                () -> new ByteArrayInputStream(text),
                options.encoding(),
                !options.finds("encoding"))
            .encoding()
            .name();
    int unit = encoding.startsWith("utf-16") ? 2 : encoding.startsWith("utf-32") ? 4 : 1;
    int offset = encoding.endsWith("be") ? unit - 1 : 0;
    int quote = options.quote().isEmpty() ? -1 : options.quote().charAt(0);
    int escape = options.escape().isEmpty() ? -1 : options.escape().charAt(0);
    boolean isQuoted = false;
    boolean isStart = true;
    int end = 0;
    for (int i = mark == null ? 0 : mark.byteSize(); i + unit <= text.length; i += unit) {
      int character = character(text, i, unit, offset);
      if (isQuoted) {
        if (character == escape && escape != quote) {
          i += unit;
        } else if (character == quote) {
          // A doubled one begins another part of the field.
          isQuoted = false;
          isStart = true;
        }
        continue;
      }
      if (character == quote && isStart) {
        isQuoted = true;
        continue;
      }
      isStart =
          character == '\n'
              || character == '\r'
              || character >= 0 && DELIMITERS.indexOf(character) >= 0
              || options.delimiter().charAt(0) == character;
      if (character == '\n' || character == '\r') {
        end = i + unit;
      }
    }
    return end == 0 ? text : Arrays.copyOf(text, end);
  }

  /// Returns a character of one byte, or -1 for any other.
  ///
  /// @param unit the bytes of each character
  /// @param offset that of the last one, in which a character of one byte lies
  private static int character(byte[] text, int start, int unit, int offset) {
    for (int i = 0; i < unit; i++) {
      if (i != offset && text[start + i] != 0) {
        return -1;
      }
    }
    return text[start + offset] & 0xFF;
  }

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
