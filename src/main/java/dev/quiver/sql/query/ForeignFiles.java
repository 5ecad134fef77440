package dev.quiver.sql.query;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.Admission;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.UploadData;
import dev.quiver.formats.json.JsonOptions;
import dev.quiver.sql.execution.ResultStream;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.WorkerLease;
import dev.quiver.sql.execution.WorkerPoolOptions;
import dev.quiver.sql.execution.Workers;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.Spool;
import dev.quiver.store.blob.SpooledFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Files of other formats. The service reads CSV and Parquet itself, and workers of their own read
/// JSON. Shared by threads.
public final class ForeignFiles {

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final Workers workers;
  private final WorkerPoolOptions options;
  private final Spool spool;
  private final LocalFiles localFiles;

  /// The places of files that wait or are read. One that is received needs none, so that slow
  /// clients keep no others waiting; the spool bounds those.
  private final Admission places;

  /// @param pages bytes of the heap that one Parquet file takes at a time
  public ForeignFiles(Workers workers, WorkerPoolOptions options, Limit pages, Spool spool) {
    this.workers = workers;
    this.options = options;
    this.spool = spool;
    this.localFiles = new LocalFiles(options.workers(), options.timeout(), pages, spool.folder());
    int placeCount = Math.toIntExact(options.workers().maximum() + options.queue().maximum());
    this.places =
        new Admission(
            "Expected at most %d files of other formats at a time but found more (%s, %s)"
                .formatted(placeCount, options.workers().name(), options.queue().name()),
            placeCount,
            options.queue().maximum(),
            options.patience());
  }

  /// Returns the number of files that are read or written.
  public int readCount() {
    return localFiles.readCount() + workers.busyCount();
  }

  /// Returns the number of files that wait for a worker, or for their turn.
  public int waitingCount() {
    return localFiles.waitingCount() + workers.waitingCount();
  }

  /// Reads a whole file as [#read(ByteSource, FileOptions, Principal, Limits, DatasetSchema, long)]
  /// does.
  public ForeignRows read(
      ByteSource body,
      FileOptions format,
      Principal principal,
      Limits limits,
      DatasetSchema dataset)
      throws IOException {
    return read(body, format, principal, limits, dataset, Long.MAX_VALUE);
  }

  /// Receives a file, waits for a worker or a turn, and begins to read the file. It is received to
  /// its end, unless its first rows suffice and its format tells where they end.
  ///
  /// @param principal the origin of the file, with which no other principal shares a worker
  /// @param limits on the description that a file has of itself, and on the bytes of its rows for
  ///   each of its own
  /// @param dataset returns the schema of the dataset to which the rows are appended, whose types
  ///   they get; or null
  /// @param rows the number of first rows that suffice, or [Long#MAX_VALUE]
  /// @return the rows, maybe more than these, whose end comes only if all that was received could
  ///   be read
  /// @throws dev.quiver.formats.ForeignDataException if the file cannot be read in its stated
  ///   format; while the rows are read, too
  /// @throws dev.quiver.formats.InvalidOptionException if the options do not fit the file
  /// @throws OverloadedException if too many files are received, or take too much space
  public ForeignRows read(
      ByteSource body,
      FileOptions format,
      Principal principal,
      Limits limits,
      DatasetSchema dataset,
      long rows)
      throws IOException {
    requireAvailable(format);
    ByteSource content = format instanceof FileOptions.Json ? unmarked(body) : body;
    SpooledFile file = FileStart.receive(content, format, rows, spool);
    Permit place;
    try {
      place = places.enter();
    } catch (IOException | RuntimeException | Error e) {
      try (file) {
        throw e;
      }
    }
    return begin(file, place, format, principal, limits, dataset, rows);
  }

  /// The schema of a dataset, or null.
  @FunctionalInterface
  public interface DatasetSchema {

    /// No dataset.
    DatasetSchema NONE = () -> null;

    @Nullable Schema schema() throws IOException;
  }

  /// Reads a file that was received already as [#read(ByteSource, FileOptions, Principal, Limits,
  /// DatasetSchema)] does. It waits for a place as long as it must.
  ///
  /// @param file closed at the end of the rows
  public ForeignRows read(
      SpooledFile file,
      FileOptions format,
      Principal principal,
      Limits limits,
      DatasetSchema dataset)
      throws IOException {
    requireAvailable(format);
    Permit place = places.enterPatiently();
    SpooledFile whole;
    try {
      whole = format instanceof FileOptions.Json ? unmarked(file) : file;
    } catch (IOException | RuntimeException | Error e) {
      place.close();
      throw e;
    }
    return begin(whole, place, format, principal, limits, dataset, Long.MAX_VALUE);
  }

  /// @throws SqlException.Unavailable if workers are absent and the format needs one
  public void requireAvailable(FileOptions format) {
    if (format instanceof FileOptions.Json) {
      workers.requireAvailable();
    }
  }

  /// @param file closed if this fails, or at the end of the rows
  /// @param place likewise
  private ForeignRows begin(
      SpooledFile file,
      Permit place,
      FileOptions format,
      Principal principal,
      Limits limits,
      DatasetSchema dataset,
      long rows)
      throws IOException {
    try {
      return switch (format) {
        case FileOptions.Local local ->
            localFiles.read(file, local, limits, dataset.schema(), rows, () -> close(file, place));
        case FileOptions.Json(JsonOptions json) ->
            readJson(file, place, json, principal, limits, dataset);
      };
    } catch (IOException | RuntimeException | Error e) {
      try (place;
          file) {
        throw e;
      }
    }
  }

  private ForeignRows readJson(
      SpooledFile file,
      Permit place,
      JsonOptions json,
      Principal principal,
      Limits limits,
      DatasetSchema dataset)
      throws IOException {
    // It has waited for its body already, and is not rejected.
    WorkerLease lease = WorkerLease.again(workers, principal, options.timeout(), null);
    try {
      file.moveTo(lease.filesFolder());
      JsonReading reading =
          new JsonReading(lease, file.path(), json, spool.folder(), limits, dataset.schema());
      ByteSource rows = new ExpandedRows(reading.begin(), file.byteSize(), limits);
      ResultStream stream = ResultStream.of(rows, limits, () -> close(lease, file, place));
      return new ForeignRows(
          new UploadData.Arrow(stream, BodyFormat.STREAM),
          stream.schema(),
          /* rowCount= */ null,
          reading.warnings(),
          stream);
    } catch (IOException | RuntimeException | Error e) {
      try (lease) {
        throw e;
      }
    }
  }

  private static void close(WorkerLease lease, SpooledFile file, Permit place) throws IOException {
    try (place;
        file;
        lease) {
      // The worker goes before its file.
    }
  }

  private static void close(SpooledFile file, Permit place) throws IOException {
    try (place;
        file) {
      // The file goes before its place.
    }
  }

  /// Leaves out a byte order mark, which the engine takes for a value.
  private static ByteSource unmarked(ByteSource json) throws IOException {
    MemorySegment start = start(json);
    return isMarked(start) ? json : ByteSource.joined(start, json);
  }

  private SpooledFile unmarked(SpooledFile json) throws IOException {
    try (SpooledFile.Content content = json.open()) {
      return isMarked(start(content)) ? SpooledFile.of(content, spool) : json;
    }
  }

  private static MemorySegment start(ByteSource json) throws IOException {
    MemorySegment buffer = MemorySegment.ofArray(new byte[BYTE_ORDER_MARK.length]);
    return buffer.asSlice(0, json.readFully(buffer));
  }

  private static boolean isMarked(MemorySegment start) {
    return start.mismatch(MemorySegment.ofArray(BYTE_ORDER_MARK)) < 0;
  }
}
