package dev.quiver.sql.query;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.Admission;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.formats.AppendedDataset;
import dev.quiver.formats.DecodedFile;
import dev.quiver.formats.excel.ExcelOptions;
import dev.quiver.formats.parquet.PageLimits;
import dev.quiver.sql.execution.WorkerPoolOptions;
import dev.quiver.sql.execution.Workers;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.Spool;
import dev.quiver.store.blob.SpooledFile;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Files of other formats, which are received first and then read in turns. Shared by threads.
public final class ForeignFiles {

  private final Workers workers;
  private final Spool spool;
  private final InFlightBytes inFlight;
  private final LocalFiles localFiles;
  private final WorkbookSheets workbooks;

  /// The places of files that wait or are read. One that is received needs none, so that slow
  /// clients keep no others waiting; the spool bounds those.
  private final Admission places;

  /// @param workers those that write files, and read workbooks
  /// @param pages of the heap that one Parquet file takes at a time
  /// @param workbook bytes to which the parts of one workbook inflate
  /// @param inFlight accounts for the memory of decoders
  public ForeignFiles(
      Workers workers,
      WorkerPoolOptions options,
      PageLimits pages,
      Limit workbook,
      Spool spool,
      InFlightBytes inFlight) {
    this.inFlight = inFlight;
    this.workers = workers;
    this.spool = spool;
    this.localFiles = new LocalFiles(options.workers(), options.timeout(), pages, spool.folder());
    this.workbooks = new WorkbookSheets(workers, options.timeout(), workbook, spool);
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

  /// Returns the number of files that wait for their turn, or for a worker that writes them.
  public int waitingCount() {
    return localFiles.waitingCount() + workers.waitingCount();
  }

  /// Reads a whole file as [#read(ByteSource, FileOptions, Limits, Principal, Target, long)] does.
  public ForeignRows read(
      ByteSource body, FileOptions format, Limits limits, Principal principal, Target target)
      throws IOException {
    return read(body, format, limits, principal, target, Long.MAX_VALUE);
  }

  /// Receives a file, decodes it if it is compressed, waits for a turn, and begins to read the
  /// file. It is received to its end, unless its first rows suffice and its format tells where they
  /// end.
  ///
  /// @param limits on the description that a file has of itself, and on the bytes of its rows for
  ///   each of its own
  /// @param principal the sender of the file
  /// @param target returns the dataset to which the rows are appended, whose types they get; or
  ///   null
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
      Limits limits,
      Principal principal,
      Target target,
      long rows)
      throws IOException {
    SpooledFile file;
    try (DecodedFile decoded = new DecodedFile(body, inFlight, limits)) {
      file = FileStart.receive(OtherFormats.checked(decoded, format), format, rows, spool);
    }
    Permit place;
    try {
      place = places.enter();
    } catch (IOException | RuntimeException | Error e) {
      try (file) {
        throw e;
      }
    }
    return begin(file, place, format, limits, principal, target, rows);
  }

  /// The dataset to which rows are appended, or none.
  @FunctionalInterface
  public interface Target {

    /// No dataset.
    Target NONE = () -> null;

    @Nullable AppendedDataset dataset() throws IOException;
  }

  /// Reads a file that was received already as [#read(ByteSource, FileOptions, Limits, Principal,
  /// Target)] does. It waits for a place as long as it must.
  ///
  /// @param file closed at the end of the rows
  public ForeignRows read(
      SpooledFile file, FileOptions format, Limits limits, Principal principal, Target target)
      throws IOException {
    Permit place = places.enterPatiently();
    return begin(
        decoded(file, format, place, limits),
        place,
        format,
        limits,
        principal,
        target,
        Long.MAX_VALUE);
  }

  /// Returns a file without its coding.
  ///
  /// @param file closed if this fails, or if it has a coding
  /// @param place closed if this fails
  private SpooledFile decoded(SpooledFile file, FileOptions format, Permit place, Limits limits)
      throws IOException {
    try (SpooledFile.Content content = file.open();
        DecodedFile decoded = new DecodedFile(content, inFlight, limits)) {
      if (!decoded.isCoded()) {
        OtherFormats.checked(decoded, format);
        return file;
      }
      SpooledFile other = SpooledFile.of(OtherFormats.checked(decoded, format), spool);
      file.close();
      return other;
    } catch (IOException | RuntimeException | Error e) {
      try (place;
          file) {
        throw e;
      }
    }
  }

  /// @param file closed if this fails, or at the end of the rows
  /// @param place likewise
  private ForeignRows begin(
      SpooledFile file,
      Permit place,
      FileOptions format,
      Limits limits,
      Principal principal,
      Target target,
      long rows)
      throws IOException {
    SpooledFile text = readable(file, place, format, limits, principal);
    try {
      return localFiles.read(
          text, format, limits, target.dataset(), rows, () -> close(text, place));
    } catch (IOException | RuntimeException | Error e) {
      try (place;
          text) {
        throw e;
      }
    }
  }

  /// Returns the text of a workbook, and any other file as it is.
  ///
  /// @param file closed if this fails, or if it is a workbook
  /// @param place closed if this fails
  private SpooledFile readable(
      SpooledFile file, Permit place, FileOptions format, Limits limits, Principal principal)
      throws IOException {
    if (!(format instanceof FileOptions.Excel(ExcelOptions options, _))) {
      return file;
    }
    try (file) {
      return workbooks.text(file, options, limits, principal);
    } catch (IOException | RuntimeException | Error e) {
      try (place) {
        throw e;
      }
    }
  }

  private static void close(SpooledFile file, Permit place) throws IOException {
    try (place;
        file) {
      // The file goes before its place.
    }
  }
}
