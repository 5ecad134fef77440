package dev.quiver.server.transfer;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.arrow.text.WorkbookWriter;
import dev.quiver.arrow.type.Schema;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.ProblemType;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.blob.Spool;
import dev.quiver.store.blob.SpooledFile;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Rows as workbooks of Excel. Each is written to a file before it is sent, since only then is it
/// known whether a workbook can have the rows, which values are text, and how long it is. Files of
/// stored versions are kept for later requests. Shared by threads.
///
/// A file ends with the warnings about its workbook, which are not sent with it.
public final class WorkbookFiles {

  /// The header with the warnings: a list of strings (RFC 9651 §3.1).
  public static final String WARNINGS = "Quiver-Warnings";

  /// The warnings have at most half of this.
  private static final int WARNINGS_BYTE_SIZE = 1 << 10;

  private final Limit limit;
  private final Spool spool;
  private final ResponseAdmission admission;
  private final LongAdder written = new LongAdder();

  /// @param limit the limit on the bytes of a worksheet
  public WorkbookFiles(Limit limit, Spool spool, ResponseAdmission admission) {
    this.limit = limit;
    this.spool = spool;
    this.admission = admission;
  }

  /// The rows of a workbook.
  ///
  /// @param name the name of the worksheet
  public record Rows(String name, TextOptions options, Schema schema, Batches batches) {}

  /// Record batches of a schema.
  @FunctionalInterface
  public interface Batches {

    /// Passes all batches on, one at a time.
    void writeTo(BatchSink sink) throws IOException;
  }

  /// Receives a record batch.
  @FunctionalInterface
  public interface BatchSink {

    void write(RecordBatch batch) throws IOException;
  }

  /// Returns a workbook that is kept. Opening it sets the header with its warnings.
  ///
  /// @param body keeps the file until the response is sent
  /// @param tag of the workbook: different for different bytes
  /// @param rowCount the number of rows
  /// @param isSmall whether the rows are few
  public BodySource kept(
      FileBody body,
      String tag,
      long rowCount,
      boolean isSmall,
      Rows rows,
      HttpServletResponse response) {
    return body.kept(
        () ->
            hinted(() -> {
              WorkbookWriter.requireRows(rowCount);
              return spool.kept().open(tag, () -> admitted(isSmall, rows));
            }),
        file -> workbook(file, response));
  }

  private SpooledFile admitted(boolean isSmall, Rows rows) throws IOException {
    try (Permit _ = admission.acquireForFile(isSmall)) {
      return write(rows);
    }
  }

  /// Writes a workbook of this response alone, and sets the header with its warnings. The caller
  /// holds a permit.
  ///
  /// @param body keeps the file until the response is sent
  /// @throws ProblemException 413 if a workbook cannot have the rows
  public FixedLengthBody once(FileBody body, Rows rows, HttpServletResponse response)
      throws IOException {
    return body.own(hinted(() -> write(rows)), file -> workbook(file, response));
  }

  private SpooledFile write(Rows rows) throws IOException {
    SpooledFile file = SpooledFile.written(sink -> write(rows, sink), spool);
    written.increment();
    return file;
  }

  private void write(Rows rows, ByteSink sink) throws IOException {
    Cancellation cancellation = Cancellation.current();
    ByteSink cancellable =
        bytes -> {
          cancellation.throwIfRequested();
          sink.write(bytes);
        };
    try (WorkbookWriter writer =
        new WorkbookWriter(rows.name(), rows.options(), rows.schema(), cancellable, limit)) {
      rows.batches()
          .writeTo(batch -> {
            cancellation.throwIfRequested();
            writer.write(batch);
          });
      byte[] warnings = header(writer.end()).getBytes(StandardCharsets.US_ASCII);
      byte[] padded = Arrays.copyOf(warnings, WARNINGS_BYTE_SIZE);
      Arrays.fill(padded, warnings.length, padded.length, (byte) ' ');
      sink.write(MemorySegment.ofArray(padded));
    }
  }

  private static String header(List<String> warnings) {
    return warnings.stream().map(warning -> '"' + warning + '"').collect(Collectors.joining(", "));
  }

  private static BodyPart workbook(BodyPart file, HttpServletResponse response) throws IOException {
    long byteSize = file.byteSize() - WARNINGS_BYTE_SIZE;
    ByteArrayOutputStream end = new ByteArrayOutputStream();
    file.slice(byteSize, WARNINGS_BYTE_SIZE)
        .writeTo(BlobSink.reading(part -> end.writeBytes(part.toArray(ValueLayout.JAVA_BYTE))));
    String warnings = end.toString(StandardCharsets.US_ASCII).strip();
    if (!warnings.isEmpty()) {
      response.setHeader(WARNINGS, warnings);
    }
    return file.slice(0, byteSize);
  }

  private static <T> T hinted(BodySource.IoSupplier<T> writing) throws IOException {
    try {
      return writing.get();
    } catch (TooLargeInputException e) {
      String hint = hint(e.limit());
      if (hint == null) {
        throw e;
      }
      throw Problem.of(ProblemType.TOO_LARGE, String.valueOf(e.getMessage()))
          .withHint(hint)
          .asException();
    }
  }

  private static @Nullable String hint(Limit exceeded) {
    if (exceeded.equals(WorkbookWriter.ROWS)) {
      return "Ask for fewer rows by limit=, where= or the statement, or for .csv.";
    }
    if (exceeded.equals(WorkbookWriter.COLUMNS)) {
      return "Ask for fewer columns by columns= or the statement, or for .csv.";
    }
    return exceeded.equals(WorkbookWriter.CHARACTERS)
        ? "Cut long values by max-value-bytes=24000, leave out the column, or ask for .csv."
        : null;
  }

  /// Returns the number of workbooks written.
  public long writtenCount() {
    return written.sum();
  }
}
