package dev.quiver.query.file;

import dev.quiver.columnar.Schema;
import dev.quiver.foreign.csv.CsvFile;
import dev.quiver.foreign.csv.CsvOptions;
import dev.quiver.foreign.csv.CsvReader;
import dev.quiver.input.Limits;
import dev.quiver.memory.ByteSource;
import dev.quiver.parallel.CpuPool;
import dev.quiver.parallel.PermitQueue;
import dev.quiver.query.execution.SpooledFile;
import dev.quiver.query.execution.SqlException;
import dev.quiver.query.execution.WorkerPoolOptions;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// CSV files, which the service reads itself. They take turns, as many at a time as there may be
/// workers, so that the memory for their blocks has a bound. Shared by threads.
final class CsvFiles {

  private final WorkerPoolOptions options;
  private final Path scratchFolder;
  private final PermitQueue turns;
  private final int turnCount;

  CsvFiles(WorkerPoolOptions options, Path scratchFolder) {
    this.options = options;
    this.scratchFolder = scratchFolder;
    this.turnCount = Math.toIntExact(options.workers().maximum());
    this.turns = new PermitQueue(turnCount);
  }

  /// Waits for a turn, and begins to read a file.
  ///
  /// @param dataset the schema of the dataset to which the rows are appended, or null
  /// @param wanted returns whether the rows are still wanted
  /// @param end closed at the end of the rows; not if this fails
  ForeignRows read(
      SpooledFile file,
      CsvOptions csvOptions,
      Limits limits,
      @Nullable Schema dataset,
      BooleanSupplier wanted,
      Closeable end)
      throws IOException {
    // It has waited for its body already, and is not turned away.
    ForeignFiles.await(turns, wanted);
    try {
      long begun = System.nanoTime();
      CsvFile csv =
          CsvFile.open(
              () -> new WantedFile(Files.newInputStream(file.path()), wanted, begun),
              csvOptions,
              dataset);
      CsvReader reader = csv.read(CpuPool.PROCESS, scratchFolder);
      try {
        ByteSource rows =
            new ExpandedRows(new CsvRows(csv.schema(), reader), file.byteSize(), limits);
        return new ForeignRows(
            rows, /* rowCount= */ null, csv.warnings(), limits, () -> close(reader, end));
      } catch (IOException | RuntimeException | Error e) {
        try (reader) {
          throw e;
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      turns.release();
      throw e;
    }
  }

  private void close(CsvReader reader, Closeable end) throws IOException {
    try (end;
        reader) {
      // The reader goes before its file.
    } finally {
      turns.release();
    }
  }

  /// Returns the number of files that are read.
  int readCount() {
    return turnCount - turns.available();
  }

  /// Returns the number of files that wait for their turn.
  int waitingCount() {
    return turns.waitingCount();
  }

  /// A file that is read as long as its rows are wanted and its time lasts.
  private final class WantedFile extends FilterInputStream {

    private final BooleanSupplier wanted;
    private final long begunNanos;

    WantedFile(InputStream file, BooleanSupplier wanted, long begunNanos) {
      super(file);
      this.wanted = wanted;
      this.begunNanos = begunNanos;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (!wanted.getAsBoolean()) {
        throw new SqlException.Cancelled();
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
      if (millis > options.timeout().maximum()) {
        throw SqlException.Timeout.after(options.timeout());
      }
      return super.read(bytes, offset, length);
    }
  }
}
