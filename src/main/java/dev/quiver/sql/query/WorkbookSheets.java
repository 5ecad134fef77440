package dev.quiver.sql.query;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.excel.ExcelOptions;
import dev.quiver.sql.execution.WorkerLease;
import dev.quiver.sql.execution.Workers;
import dev.quiver.sql.worker.SheetRequest;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.Spool;
import dev.quiver.store.blob.SpooledFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/// WorkbookSheets, of which workers write a sheet as text. Shared by threads.
final class WorkbookSheets {

  private static final int ENTRY_COUNT_MAXIMUM = 10_000;
  private static final int PIECE_BYTE_SIZE = 64 << 10;
  private static final int DIRECTORY_BYTE_SIZE_MAXIMUM = 4 << 20;

  /// The end of the directory of an archive, without its comment.
  private static final int END_BYTE_SIZE = 22;

  private static final int END_SIGNATURE = 0x06054B50;
  private static final int COMMENT_BYTE_SIZE_MAXIMUM = 0xFFFF;

  private final Workers workers;
  private final Limit timeout;
  private final Limit inflated;
  private final Spool spool;

  /// @param timeout milliseconds that reading one may take
  /// @param inflated bytes to which the parts of one inflate
  WorkbookSheets(Workers workers, Limit timeout, Limit inflated, Spool spool) {
    this.workers = workers;
    this.timeout = timeout;
    this.inflated = inflated;
    this.spool = spool;
  }

  /// Returns the text of a sheet, as [dev.quiver.formats.excel.ExcelSheet] opens it.
  ///
  /// @param workbook closed by its owner
  /// @param limits on the bytes of the text for each one of the file
  /// @param principal whose workbook it is; no other principal shares the worker with it
  /// @throws ForeignDataException if the workbook cannot be read
  /// @throws dev.quiver.sql.execution.SqlException if it takes too much time or memory
  SpooledFile text(SpooledFile workbook, ExcelOptions options, Limits limits, Principal principal)
      throws IOException {
    workers.requireAvailable();
    long byteSize = workbook.byteSize();
    checkEntries(workbook);
    try (WorkerLease lease = WorkerLease.of(workers, principal, timeout)) {
      workbook.moveTo(lease.filesFolder());
      ByteSource text =
          lease.sheet(
              new SheetRequest(workbook.path().toString(), options.sheet(), options.nulls()),
              WorkbookSheets::unreadable);
      return SpooledFile.of(counted(text, byteSize, limits), spool);
    }
  }

  private static ForeignDataException unreadable(String message) {
    return ForeignDataException.of(message)
        .withHint("Open the file in Excel or LibreOffice, and save it again as .xlsx.");
  }

  private static ByteSource counted(ByteSource text, long fileByteSize, Limits limits) {
    long[] byteSize = {0};
    return destination -> {
      long count = text.read(destination);
      byteSize[0] += Math.max(0, count);
      limits
          .decompressionRatio()
          .checkRatio(
              byteSize[0],
              fileByteSize,
              "bytes of text per byte of the workbook",
              InputLocation.UNKNOWN);
      return count;
    };
  }

  /// Inflates what a worker will inflate, and counts it.
  ///
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if there is too much
  private void checkEntries(SpooledFile workbook) throws IOException {
    Cancellation cancellation = Cancellation.current();
    byte[] piece = new byte[PIECE_BYTE_SIZE];
    long byteSize = 0;
    checkDirectory(workbook.path());
    Set<String> names = new HashSet<>();
    try (ZipFile file = new ZipFile(workbook.path().toFile())) {
      if (file.size() > ENTRY_COUNT_MAXIMUM) {
        throw ForeignDataException.of(
            "Expected at most %,d entries in a workbook but found %,d"
                .formatted(ENTRY_COUNT_MAXIMUM, file.size()));
      }
      requireWorkbook(file);
      for (ZipEntry entry : Collections.list(file.entries())) {
        if (!names.add(entry.getName())) {
          throw unreadable("Expected a workbook with one part of each name but found two");
        }
        try (InputStream content = file.getInputStream(entry)) {
          for (int count = content.read(piece); count >= 0; count = content.read(piece)) {
            cancellation.throwIfRequested();
            byteSize += count;
            inflated.check(byteSize, "inflated bytes in a workbook", InputLocation.UNKNOWN);
          }
        }
      }
    } catch (ZipException | EOFException e) {
      throw unreadable("Expected an Excel workbook (.xlsx) but found a damaged or other file");
    }
  }

  /// Checks the size of the directory of an archive, which is read into memory (APPNOTE.TXT,
  /// 4.3.16).
  private static void checkDirectory(Path file) throws IOException {
    byte[] end;
    try (RandomAccessFile archive = new RandomAccessFile(file.toFile(), "r")) {
      int byteSize = (int) Math.min(archive.length(), END_BYTE_SIZE + COMMENT_BYTE_SIZE_MAXIMUM);
      end = new byte[byteSize];
      archive.seek(archive.length() - byteSize);
      archive.readFully(end);
    }
    int start = end.length - END_BYTE_SIZE;
    while (start >= 0 && LittleEndian.getInt32(end, start) != END_SIGNATURE) {
      start--;
    }
    if (start < 0
        || start + END_BYTE_SIZE + (LittleEndian.getInt16(end, start + 20) & 0xFFFF)
            != end.length) {
      throw unreadable("Expected an Excel workbook (.xlsx) but found a damaged or other file");
    }
    long byteSize = Integer.toUnsignedLong(LittleEndian.getInt32(end, start + 12));
    if (byteSize > DIRECTORY_BYTE_SIZE_MAXIMUM) {
      throw ForeignDataException.of(
          "Expected at most %,d bytes in the directory of a workbook but found %,d"
              .formatted(DIRECTORY_BYTE_SIZE_MAXIMUM, byteSize));
    }
  }

  private static void requireWorkbook(ZipFile file) {
    if (file.getEntry("xl/workbook.bin") != null) {
      throw unreadable("Expected an Excel workbook (.xlsx) but found a binary one (.xlsb)");
    }
    if (file.getEntry("content.xml") != null) {
      throw unreadable("Expected an Excel workbook (.xlsx) but found an OpenDocument file");
    }
    if (file.stream().noneMatch(entry -> entry.getName().startsWith("xl/"))) {
      throw unreadable("Expected an Excel workbook (.xlsx) but found another document or archive");
    }
  }
}
