package dev.quiver.sql.query;

import dev.quiver.arrow.ipc.SniffedBody;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.formats.FileCoding;
import dev.quiver.formats.ForeignDataException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Files that are said to be text but are not, such as workbooks, databases and pages.
final class OtherFormats {

  /// The bytes that are looked at for other formats than documents.
  private static final int SNIFFED_BYTE_SIZE = 16;

  private static final String DOCUMENT = "an Excel workbook or another document of Office";

  private OtherFormats() {}

  /// Returns a file whose first bytes were read, and may be text if that is its format.
  ///
  /// @throws ForeignDataException if they show another format
  static ByteSource checked(ByteSource file, FileOptions format) throws IOException {
    if (format instanceof FileOptions.Parquet) {
      return file;
    }
    MemorySegment start = FileCoding.readStart(file);
    byte[] bytes = start.toArray(ValueLayout.JAVA_BYTE);
    byte[] sniffed = Arrays.copyOf(bytes, Math.min(bytes.length, SNIFFED_BYTE_SIZE));
    boolean isDocument = FileCoding.isDocument(bytes);
    if (format instanceof FileOptions.Excel) {
      String other = isDocument ? null : SniffedBody.notText(sniffed);
      if (other == null || other.equals("a ZIP archive")) {
        return ByteSource.joined(start, file);
      }
      throw ForeignDataException.of("Expected an Excel workbook (.xlsx) but found " + other)
          .withHint(hint(other));
    }
    String other = isDocument ? DOCUMENT : SniffedBody.notText(sniffed);
    if (other == null && format instanceof FileOptions.Csv && isJson(bytes)) {
      other = "JSON";
    }
    if (other == null) {
      return ByteSource.joined(start, file);
    }
    throw ForeignDataException.of(
            "Expected %s but found %s"
                .formatted(format instanceof FileOptions.Csv ? "text in columns" : "JSON", other))
        .withHint(hint(other));
  }

  /// Returns whether a file begins with an object with a key, or with an array of objects. No name
  /// of a column begins so, unless it is quoted.
  private static boolean isJson(byte[] start) {
    String text = new String(start, StandardCharsets.UTF_8).stripLeading();
    return text.startsWith("{\"") || text.startsWith("[{");
  }

  private static String hint(String other) {
    if (other.contains("database")) {
      return "Export the table as CSV or Parquet, and send that.";
    }
    if (other.contains("old Excel")) {
      return "Save it as .xlsx without a password, and send that.";
    }
    return switch (other) {
      case DOCUMENT -> "Send a workbook with the suffix .xlsx.";
      case "JSON" -> "Send it with the suffix .json or .jsonl, or as application/json.";
      case "HTML" -> "The file may be a page about the file that was wanted; send that file.";
      case "a Git LFS pointer" ->
          "The command \"git lfs pull\" fetches the file itself; send that.";
      case "a Parquet file", "an Arrow IPC file" ->
          "Send it with the suffix or the media type of its format.";
      case "bzip2 data", "xz data", "LZ4 data" ->
          "Decompress it, or compress it by gzip or Zstandard.";
      default -> "Convert it to CSV, JSON, Parquet or Arrow, and send that.";
    };
  }
}
