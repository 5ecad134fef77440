package dev.quiver.sql.query;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.excel.ExcelOptions;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.WorkerLease;
import dev.quiver.sql.execution.Workers;
import dev.quiver.sql.worker.SheetRequest;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.Spool;
import dev.quiver.store.blob.SpooledFile;
import java.io.IOException;

/// Workbooks, of which workers write a sheet as text. Workers alone inflate them, so that this
/// takes the time and the memory of their principal. Shared by threads.
final class WorkbookSheets {

  private static final String SMALLER_HINT =
      "Save the sheet as CSV, and send that: it is read row by row.";

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
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if its parts inflate to too much
  /// @throws SqlException if it takes too much time or memory
  SpooledFile text(SpooledFile workbook, ExcelOptions options, Limits limits, Principal principal)
      throws IOException {
    workers.requireAvailable();
    long byteSize = workbook.byteSize();
    try (WorkerLease lease = WorkerLease.of(workers, principal, timeout)) {
      workbook.moveTo(lease.filesFolder());
      ByteSource text =
          lease.sheet(
              new SheetRequest(
                  workbook.path().toString(), options.sheet(), options.nulls(), inflated),
              WorkbookSheets::unreadable);
      return SpooledFile.of(counted(text, byteSize, limits), spool);
    } catch (SqlException.Timeout e) {
      throw new SqlException.Timeout(
          "Expected a workbook that is read within %d ms but found one that takes longer (%s)"
              .formatted(timeout.maximum(), timeout.name()),
          SMALLER_HINT);
    } catch (SqlException.TooLarge e) {
      throw new SqlException.TooLarge(
          "Expected a workbook whose texts need at most %d bytes of memory but found one that needs more (%s)"
              .formatted(e.limit().maximum(), e.limit().name()),
          e.limit(),
          SMALLER_HINT);
    } catch (SqlException.WorkerLost e) {
      throw new SqlException.WorkerLost(
          "Expected the sheet of a workbook but found that the process that read it had ended");
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
}
