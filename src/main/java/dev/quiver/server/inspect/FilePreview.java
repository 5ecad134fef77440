package dev.quiver.server.inspect;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.text.CellText;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.Finding;
import dev.quiver.arrow.validate.InvalidDataException;
import dev.quiver.arrow.validate.Level;
import dev.quiver.arrow.validate.Validator;
import dev.quiver.formats.Advice;
import dev.quiver.formats.BatchStream;
import dev.quiver.formats.FileReport;
import dev.quiver.formats.Format;
import dev.quiver.server.resource.Documents;
import dev.quiver.server.write.ArrowBody;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A file of another format as it would be stored: its columns, how it is read, and its first rows.
///
/// @param format the suffix of the format, without its dot
/// @param columns with the names and types that they get
/// @param found what was found rather than stated in the file, by name
/// @param read the parameters by which it is read, those that were found included
/// @param options what would read it in another way
/// @param rows the first ones, each value as its text in CSV, truncated if long; null for null
record FilePreview(
    String format,
    List<Documents.Column> columns,
    Map<String, Object> found,
    List<Documents.Option> read,
    List<String> warnings,
    List<Documents.Option> options,
    List<List<@Nullable String>> rows) {

  static final int ROW_COUNT_MAXIMUM = 20;

  /// The characters of all rows after which no other row follows. Files may have many columns.
  private static final int TEXT_LENGTH_MAXIMUM = 1 << 20;

  /// Reads the first rows of a file.
  ///
  /// @param body a file of another format, which is open
  /// @param stream its rows
  static FilePreview of(ArrowBody body, BatchStream stream) throws IOException {
    List<List<@Nullable String>> rows;
    try {
      rows = rows(stream);
    } catch (InvalidDataException e) {
      throw body.failure(e);
    }
    Schema schema = Objects.requireNonNull(body.inferredSchema());
    Format format = Objects.requireNonNull(body.foreignFormat());
    FileReport report = body.report();
    return new FilePreview(
        format.suffix().substring(1),
        schema.fields().stream().map(Documents.Column::of).toList(),
        report.found(),
        body.fileOptions().stream().map(Documents.Option::of).toList(),
        Advice.sentences(report.advice()),
        Documents.Option.of(report.advice()),
        rows);
  }

  private static List<List<@Nullable String>> rows(BatchStream stream) throws IOException {
    List<List<@Nullable String>> rows = new ArrayList<>();
    long length = 0;
    while (hasPlace(rows, length)) {
      RecordBatch batch = stream.next();
      if (batch == null) {
        break;
      }
      if (!stream.isValid()) {
        requireValid(batch);
      }
      length = add(batch, rows, length);
    }
    return rows;
  }

  private static boolean hasPlace(List<List<@Nullable String>> rows, long length) {
    return rows.size() < ROW_COUNT_MAXIMUM && length < TEXT_LENGTH_MAXIMUM;
  }

  private static void requireValid(RecordBatch batch) {
    List<Finding> findings = Validator.validate(batch, Level.VALUES);
    if (!findings.isEmpty()) {
      throw new InvalidDataException(findings, InputLocation.UNKNOWN);
    }
  }

  /// Adds rows while there is a place.
  ///
  /// @param length the characters of the rows so far
  /// @return those of all rows
  private static long add(RecordBatch batch, List<List<@Nullable String>> rows, long length) {
    long all = length;
    List<CellText> columns =
        batch.columns().stream().map(column -> new CellText(column, TextOptions.DEFAULT)).toList();
    for (long slot = 0; slot < batch.length() && hasPlace(rows, all); slot++) {
      List<@Nullable String> cells = new ArrayList<>();
      for (CellText column : columns) {
        String text = column.get(slot);
        cells.add(text);
        all += text == null ? 0 : text.length();
      }
      rows.add(cells);
    }
    return all;
  }
}
