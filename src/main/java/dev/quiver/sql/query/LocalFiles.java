package dev.quiver.sql.query;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.Admission;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.Advice;
import dev.quiver.formats.AppendedDataset;
import dev.quiver.formats.BatchStream;
import dev.quiver.formats.ColumnRenames;
import dev.quiver.formats.FileBatchReader;
import dev.quiver.formats.FileContents;
import dev.quiver.formats.FileOption;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.SkippedRows;
import dev.quiver.formats.UploadData;
import dev.quiver.formats.csv.CsvFile;
import dev.quiver.formats.csv.CsvOptions;
import dev.quiver.formats.csv.CsvReader;
import dev.quiver.formats.excel.ExcelOptions;
import dev.quiver.formats.excel.ExcelSheet;
import dev.quiver.formats.json.JsonFile;
import dev.quiver.formats.json.JsonOptions;
import dev.quiver.formats.parquet.PageLimits;
import dev.quiver.formats.parquet.PageMemory;
import dev.quiver.formats.parquet.ParquetFile;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.store.blob.SpooledFile;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Files of CSV, JSON and Parquet, and texts of sheets, which the service reads itself. They take
/// turns, so that the memory for all of them has a bound. Shared by threads.
final class LocalFiles {

  private final Limit timeout;
  private final PageLimits pages;
  private final Path scratchFolder;
  private final Admission turns;

  /// The turns of files that take more of the heap than their share.
  private final Admission wholeTurns = Admission.ofPatient(1);

  /// @param count files that are read at a time
  /// @param timeout milliseconds that reading one may take
  /// @param pages of the heap that one Parquet file takes at a time
  LocalFiles(Limit count, Limit timeout, PageLimits pages, Path scratchFolder) {
    this.timeout = timeout;
    this.pages = pages;
    this.scratchFolder = scratchFolder;
    this.turns = Admission.ofPatient(Math.toIntExact(count.maximum()));
  }

  /// Waits for a turn, and begins to read a file.
  ///
  /// @param dataset to which the rows are appended, or null
  /// @param rows the number of first rows that suffice, or [Long#MAX_VALUE]
  /// @param end closed at the end of the rows; not if this fails
  ForeignRows read(
      SpooledFile file,
      FileOptions format,
      Limits limits,
      @Nullable AppendedDataset dataset,
      long rows,
      Closeable end)
      throws IOException {
    Cancellation cancellation = Cancellation.current();
    // It has waited for its body already, and is not rejected.
    Turn turn = new Turn(turns.enterPatiently());
    AppendedDataset named = dataset == null ? null : dataset.namedFor(format.renames());
    Schema schema = named == null ? null : named.schema();
    try {
      Runnable checkpoint = () -> check(cancellation, turn.begunNanos);
      FileHead head =
          switch (format) {
            case FileOptions.Csv(CsvOptions options, ColumnRenames renames) ->
                csv(file, options, renames, dataset, rows, checkpoint);
            case FileOptions.Json(JsonOptions options, ColumnRenames renames) ->
                json(file, options, limits, schema, rows, checkpoint).renamed(renames);
            case FileOptions.Excel(ExcelOptions options, ColumnRenames renames) ->
                excel(file, options, named, rows, checkpoint).renamed(renames);
            case FileOptions.Parquet(ColumnRenames renames) ->
                parquet(file, limits, schema, turn, checkpoint).renamed(renames);
          };
      FileBatchReader reader = new CheckedRows(head.rows(), checkpoint);
      try {
        long fileByteSize = file.byteSize();
        BatchStream stream =
            new BatchStream(
                head.schema(),
                reader,
                head.valid(),
                byteSize -> BatchStream.requireRatio(byteSize, fileByteSize, limits),
                () -> close(reader, end, turn));
        return new ForeignRows(
            new UploadData.Batches(stream, rows),
            head.schema(),
            head.rowCount(),
            head.advice(),
            head.found(),
            head.options(),
            head.parameters(),
            head.skipped(),
            head.leftOut(),
            stream);
      } catch (IOException | RuntimeException | Error e) {
        try (reader) {
          throw e;
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      turn.close();
      throw e;
    }
  }

  /// @param file the text of a sheet
  /// @param checkpoint as for CSV
  private FileHead excel(
      SpooledFile file,
      ExcelOptions options,
      @Nullable AppendedDataset dataset,
      long rows,
      Runnable checkpoint)
      throws IOException {
    ExcelSheet sheet = ExcelSheet.open(file.path(), options);
    CsvFile table = sheet.table(contents(file, checkpoint), dataset);
    List<Advice> advice = new ArrayList<>(sheet.advice());
    advice.addAll(table.advice());
    Map<String, Object> found = new LinkedHashMap<>(sheet.found());
    found.putAll(table.found());
    List<FileOption> read = new ArrayList<>(sheet.options());
    read.addAll(table.options());
    return head(table, advice, found, read, rows);
  }

  private static FileContents contents(SpooledFile file, Runnable checkpoint) {
    return () -> new CheckedFile(Files.newInputStream(file.path()), checkpoint);
  }

  /// @param checkpoint throws an exception if the rows are cancelled, or take too long
  private FileHead csv(
      SpooledFile file,
      CsvOptions options,
      ColumnRenames renames,
      @Nullable AppendedDataset dataset,
      long rows,
      Runnable checkpoint)
      throws IOException {
    FileContents contents = contents(file, checkpoint);
    ColumnRenames last =
        dataset == null || !renames.isEmpty() ? ColumnRenames.NONE : dataset.lastRenames();
    if (dataset != null && !last.isEmpty()) {
      CsvFile csv = CsvFile.open(contents, options, dataset.namedFor(last));
      if (csv.isReadAsLastUpload() && !csv.hasOnlyNamesOf(dataset.schema())) {
        return head(csv, csv.advice(), csv.found(), csv.options(), rows)
            .renamed(last.among(csv.names()))
            .keeping(last);
      }
    }
    AppendedDataset named = dataset == null ? null : dataset.namedFor(renames);
    CsvFile csv = CsvFile.open(contents, options, named);
    List<Advice> advice = new ArrayList<>(csv.advice());
    if (!last.among(csv.names()).isEmpty()) {
      FileOption option = last.option();
      advice.add(
          new Advice(
              "The names are those of the dataset; the parameter %s=%s gives columns the names of the last upload"
                  .formatted(option.option(), ForeignDataException.excerpt(option.value())),
              option.option(),
              option.value(),
              /* column= */ null));
    }
    return head(csv, advice, csv.found(), csv.options(), rows).renamed(renames);
  }

  private FileHead head(
      CsvFile csv,
      List<Advice> advice,
      Map<String, Object> found,
      List<FileOption> options,
      long rows)
      throws IOException {
    CsvReader reader = csv.read(CpuPool.PROCESS, scratchFolder, rows);
    return new FileHead(
        csv.schema(),
        advice,
        found,
        options,
        csv.parameters(),
        /* rowCount= */ null,
        reader,
        reader::skipped,
        reader::leftOut,
        csv.makesValidBatches());
  }

  /// @param checkpoint as for CSV
  private FileHead json(
      SpooledFile file,
      JsonOptions options,
      Limits limits,
      @Nullable Schema dataset,
      long rows,
      Runnable checkpoint)
      throws IOException {
    JsonFile json =
        JsonFile.open(
            () -> new CheckedFile(Files.newInputStream(file.path()), checkpoint),
            options,
            limits,
            dataset,
            CpuPool.PROCESS,
            rows);
    BatchStream.requireRatio(json.byteSizeMinimum(rows), file.byteSize(), limits);
    return new FileHead(
        json.schema(),
        json.advice(),
        json.found(),
        json.options(),
        /* parameters= */ null,
        /* rowCount= */ null,
        json.read(CpuPool.PROCESS, scratchFolder, rows),
        () -> SkippedRows.NONE,
        List::of,
        json.makesValidBatches());
  }

  /// @param checkpoint as for CSV
  private FileHead parquet(
      SpooledFile file, Limits limits, @Nullable Schema dataset, Turn turn, Runnable checkpoint)
      throws IOException {
    ParquetFile parquet =
        ParquetFile.open(
            file.path(),
            limits,
            turn,
            byteSize -> BatchStream.requireRatio(byteSize, file.byteSize(), limits),
            dataset,
            scratchFolder,
            checkpoint);
    return new FileHead(
        parquet.schema(),
        parquet.warnings().stream().map(Advice::new).toList(),
        Map.of(),
        List.of(),
        /* parameters= */ null,
        parquet.rowCount(),
        parquet.read(CpuPool.PROCESS, scratchFolder),
        () -> SkippedRows.NONE,
        List::of,
        /* valid= */ false);
  }

  private void check(Cancellation cancellation, long begunNanos) {
    cancellation.throwIfRequested();
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
    if (millis > timeout.maximum()) {
      throw new SqlException.Timeout(
          "Expected a file that is read within %d ms but found one that takes longer (%s)"
              .formatted(timeout.maximum(), timeout.name()),
          /* hint= */ null);
    }
  }

  private static void close(FileBatchReader reader, Closeable end, Turn turn) throws IOException {
    try (turn;
        end;
        reader) {
      // The reader goes before its file.
    }
  }

  /// The turn of a file, and of one with large pages among those.
  private final class Turn implements PageMemory, AutoCloseable {

    private final Permit turn;
    private Permit whole = Permit.UNLIMITED;

    /// The time when the file began to be read.
    private volatile long begunNanos = System.nanoTime();

    Turn(Permit turn) {
      this.turn = turn;
    }

    @Override
    public Limit share() {
      return pages.share();
    }

    @Override
    public Limit whole() throws IOException {
      if (pages.whole().maximum() > pages.share().maximum()) {
        whole = wholeTurns.enterPatiently();
        begunNanos = System.nanoTime();
      }
      return pages.whole();
    }

    @Override
    public void close() {
      whole.close();
      turn.close();
    }
  }

  /// Returns the number of files that are read.
  int readCount() {
    return turns.takenCount() - wholeTurns.waitingCount();
  }

  /// Returns the number of files that wait for their turn.
  int waitingCount() {
    return turns.waitingCount() + wholeTurns.waitingCount();
  }

  /// Rows with a check before each batch: a few bytes of a file can stand for many batches.
  private record CheckedRows(FileBatchReader rows, Runnable checkpoint) implements FileBatchReader {

    @Override
    public @Nullable RecordBatch next() throws IOException {
      checkpoint.run();
      return rows.next();
    }

    @Override
    public void close() throws IOException {
      rows.close();
    }
  }

  /// A file with a check before each read.
  private static final class CheckedFile extends FilterInputStream {

    private final Runnable checkpoint;

    CheckedFile(InputStream file, Runnable checkpoint) {
      super(file);
      this.checkpoint = checkpoint;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      checkpoint.run();
      return super.read(bytes, offset, length);
    }
  }
}
