package dev.quiver.sql.query;

import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageEncoder;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.Level;
import dev.quiver.formats.parquet.ParquetExport;
import dev.quiver.sql.execution.DamagedTableException;
import dev.quiver.sql.execution.ResultBatches;
import dev.quiver.sql.execution.Run;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.WorkerLease;
import dev.quiver.sql.execution.WorkerPoolOptions;
import dev.quiver.sql.execution.Workers;
import dev.quiver.sql.worker.RunRequest;
import dev.quiver.sql.worker.StoredTable;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.blob.KeptFile;
import dev.quiver.store.blob.Spool;
import dev.quiver.store.blob.SpooledFile;
import dev.quiver.store.read.SelectedBytes;
import dev.quiver.store.read.SelectedVersion;
import dev.quiver.store.read.Snapshot;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/// Rows as Parquet files, which workers write. Files of stored versions are kept for later
/// requests. Shared by threads.
public final class ParquetFiles {

  private final Workers workers;
  private final WorkerPoolOptions options;
  private final Spool spool;
  private final LongAdder written = new LongAdder();

  public ParquetFiles(Workers workers, WorkerPoolOptions options, Spool spool) {
    this.workers = workers;
    this.options = options;
    this.spool = spool;
  }

  /// Fails if there can be no file of these columns.
  ///
  /// @throws dev.quiver.formats.parquet.UnrepresentableTypeException if Parquet has no type for a
  ///   column
  public void require(Schema schema) {
    workers.requireAvailable();
    var _ = new ParquetExport(schema);
  }

  /// Returns the file of some rows, which is written unless it is kept.
  ///
  /// @param key of the rows: different for different rows
  /// @param snapshot the version with the rows
  /// @param principal may read the rows; no other principal shares a worker with it
  /// @throws dev.quiver.formats.parquet.UnrepresentableTypeException if Parquet has no type for a
  ///   column
  /// @throws SqlException if the file cannot be written
  /// @throws dev.quiver.arrow.parallel.OverloadedException if too many files are to be written, or
  ///   if files in use leave no space for it
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if there never is
  public KeptFile open(String key, Snapshot snapshot, SelectedVersion rows, Principal principal)
      throws IOException {
    workers.requireAvailable();
    return spool
        .kept()
        .open(
            key,
            () ->
                rows.isAll()
                    ? writeStored(snapshot, rows, principal)
                    : write(snapshot, rows, principal));
  }

  /// Writes a file of some rows, which is not kept. The rows are written to a file for the worker
  /// first.
  ///
  /// @throws RuntimeException as [#open] does
  public SpooledFile write(Snapshot snapshot, SelectedVersion rows, Principal principal)
      throws IOException {
    ParquetExport export = new ParquetExport(rows.schema(), snapshot.schema());
    SelectedBytes bytes = rows.file();
    SpooledFile.ContentWriter content =
        sink -> bytes.write(0, bytes.byteSize(), BlobSink.reading(cancellable(sink)));
    try (SpooledFile file = SpooledFile.written(content, spool)) {
      StoredTable table = table(file, rows.rows(), snapshot.summary().file().level());
      return write(export, new Rows(() -> table, rows.plainRowByteSize()), principal);
    }
  }

  /// Writes a file of the rows of a result, which is not kept. The rows are written to a file for
  /// the worker first.
  ///
  /// @throws RuntimeException as [#open] does, or as the statement
  public SpooledFile write(ResultBatches result, Principal principal) throws IOException {
    ParquetExport export = new ParquetExport(result.schema());
    ResultFile rows = new ResultFile(result);
    try (SpooledFile file = SpooledFile.written(sink -> rows.writeTo(cancellable(sink)), spool)) {
      // The engine has made the values itself.
      StoredTable table = table(file, rows.rowCount(), Level.VALUES);
      return write(export, new Rows(() -> table, rows.rowByteSize()), principal);
    }
  }

  private static ByteSink cancellable(ByteSink sink) {
    Cancellation cancellation = Cancellation.current();
    return part -> {
      cancellation.throwIfRequested();
      sink.write(part);
    };
  }

  /// Returns the number of files that were written.
  public long writtenCount() {
    return written.sum();
  }

  /// Rows for the worker.
  ///
  /// @param places returns their table, whose file may move
  /// @param rowByteSize their approximate size without any encoding, each
  private record Rows(Places places, long rowByteSize) {}

  @FunctionalInterface
  private interface Places {

    /// Returns a table with the place of its file at this moment.
    StoredTable table() throws IOException;
  }

  private SpooledFile writeStored(Snapshot snapshot, SelectedVersion all, Principal principal)
      throws IOException {
    Run run =
        new Run(
            "",
            "",
            List.of(),
            List.of(Map.entry(ParquetExport.TABLE, snapshot)),
            /* counted= */ false,
            /* batches= */ null,
            /* predicate= */ null);
    try {
      return write(
          new ParquetExport(all.schema()),
          new Rows(() -> run.request().tables().getFirst(), all.plainRowByteSize()),
          principal);
    } catch (DamagedTableException e) {
      throw run.damage(e.range());
    }
  }

  private static StoredTable table(SpooledFile file, long rowCount, Level level)
      throws IOException {
    long byteSize = file.byteSize();
    int footerByteSize = footerByteSize(file);
    return new StoredTable(
        ParquetExport.TABLE,
        rowCount,
        byteSize - Framing.FILE_TRAILER_BYTE_SIZE - footerByteSize,
        footerByteSize,
        level.compareTo(Level.VALUES) >= 0,
        List.of(new StoredTable.Extent(file.path().toAbsolutePath().toString(), 0, byteSize)),
        /* counted= */ false,
        /* batches= */ null,
        /* predicate= */ null,
        /* leading= */ null,
        /* numbering= */ null,
        ByteString.EMPTY,
        /* microseconds= */ new int[0]);
  }

  private static int footerByteSize(SpooledFile file) throws IOException {
    byte[] bytes = new byte[Integer.BYTES];
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    try (FileChannel channel = FileChannel.open(file.path())) {
      long offset = file.byteSize() - Framing.FILE_TRAILER_BYTE_SIZE;
      while (buffer.hasRemaining()) {
        if (channel.read(buffer, offset + buffer.position()) < 0) {
          throw new EOFException("Expected the size of a footer but found the end of a file");
        }
      }
    }
    return LittleEndian.getInt32(MemorySegment.ofArray(bytes), 0);
  }

  private SpooledFile write(ParquetExport export, Rows rows, Principal principal)
      throws IOException {
    return WorkerLease.of(workers, principal, options.timeout())
        .attempt(lease -> {
          try (lease) {
            return write(lease, export, rows);
          }
        });
  }

  private SpooledFile write(WorkerLease lease, ParquetExport export, Rows rows) throws IOException {
    ByteString schema = metadata(export.storableSchema());
    Places places = () -> rows.places().table().withSchema(schema);
    Set<Integer> uniformColumns =
        export.needsNulls() ? uniformColumns(lease, export, places) : Set.of();
    SpooledFile file = SpooledFile.ofWorker(lease.filesFolder(), spool);
    try {
      file.chargeWritten();
      String sql = export.sql(file.path().toString(), uniformColumns, rows.rowByteSize());
      // Each look whether to go on charges what the worker has written until then.
      Cancellation outer = Cancellation.current();
      Cancellation.when(
              () -> {
                charge(file);
                return outer.isRequested();
              })
          .call(() -> {
            lease.execute(() -> request(sql, places.table()));
            return null;
          });
      file.takeFromWorker();
      written.increment();
      return file;
    } catch (IOException | RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  private static void charge(SpooledFile file) {
    try {
      file.chargeWritten();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Set<Integer> uniformColumns(WorkerLease lease, ParquetExport export, Places places)
      throws IOException {
    ByteSource result = lease.stream(() -> request(export.nullsSql(), places.table()));
    try (ResultBatches batches = ResultBatches.of(result, spool.folder())) {
      Set<Integer> full = export.uniformColumns(batches.all());
      // The worker says that it is done after the end of the stream.
      discard(result);
      return full;
    }
  }

  private static ByteString metadata(Schema schema) {
    return ByteString.of(MessageEncoder.encode(Message.of(schema)));
  }

  private static RunRequest request(String sql, StoredTable table) {
    return new RunRequest(sql, List.of(), List.of(table), MemorySegment.NULL);
  }

  /// Reads to the end: the worker says that it is done after the end of the stream.
  private static void discard(ByteSource rest) throws IOException {
    MemorySegment end = MemorySegment.ofArray(new byte[1]);
    while (rest.read(end) >= 0) {
      // Discarded.
    }
  }
}
