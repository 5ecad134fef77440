package dev.quiver.server.config;

import static dev.quiver.server.config.ConfigurationException.require;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.formats.parquet.PageLimits;
import dev.quiver.sql.execution.WorkerPoolOptions;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/// The settings by which files of other formats are read and written.
///
/// @param workers the number of files that workers read or write at a time, and of the files that
///   the service reads itself
/// @param queue the number of further ones that wait for a worker or their turn
/// @param timeout how long reading or writing a file may take
/// @param memory the memory of one worker
/// @param threads the threads of one worker; 0 is the number of processors, but one for each 64 MB
///   of memory at most
/// @param pageBytes the heap that the footer, pages and dictionaries of one Parquet file take at a
///   time while it is read; 0 is a quarter of the heap or 32 MB, at most half of the heap, divided
///   by the number of files, and more for one of the files at a time
/// @param workbookBytes the bytes to which the parts of one workbook inflate
public record FilesProperties(
    @DefaultValue("2") int workers,
    @DefaultValue("16") int queue,
    @DefaultValue("1h") @DurationUnit(ChronoUnit.SECONDS) Duration timeout,
    @DefaultValue("256MB") DataSize memory,
    @DefaultValue("0") int threads,
    @DefaultValue("0B") DataSize pageBytes,
    @DefaultValue("2GB") DataSize workbookBytes) {

  /// The memory that a thread needs to write row groups of Parquet.
  private static final long THREAD_MEMORY = 64L << 20;

  private static final long PAGE_BYTES_MINIMUM = 32L << 20;

  /// The heap that the rest of the service needs, and the part of the heap that one file may take.
  /// With a heap of 512 MB, a page of 128 MB fits even if its compressed bytes are as many.
  private static final long OTHER_BYTES = 160L << 20;

  private static final long WHOLE_SIXTEENTHS = 9;

  public FilesProperties {
    require(workers > 0, "1 or more", workers, "quiver.files.workers");
    require(queue >= 0, "0 or more", queue, "quiver.files.queue");
    require(timeout.toMillis() >= 1, "1ms or more", timeout, "quiver.files.timeout");
    long bytes = memory.toBytes();
    require(
        bytes >= SqlProperties.ENGINE_MEMORY_MINIMUM, "64MB or more", bytes, "quiver.files.memory");
    require(threads >= 0, "0 or more", threads, "quiver.files.threads");
    require(pageBytes.toBytes() >= 0, "0 or more", pageBytes.toBytes(), "quiver.files.page-bytes");
    long inflated = workbookBytes.toBytes();
    require(inflated >= 0, "0 or more", inflated, "quiver.files.workbook-bytes");
  }

  /// @param heapByteSize the heap of the process
  PageLimits pages(long heapByteSize) {
    if (pageBytes.toBytes() > 0) {
      return PageLimits.of(pageLimit(pageBytes.toBytes()));
    }
    long half = heapByteSize / 2 / workers;
    long share = Math.min(half, Math.max(PAGE_BYTES_MINIMUM, half / 2));
    long left = heapByteSize - OTHER_BYTES - (workers - 1) * share;
    long whole = Math.min(left, heapByteSize / 16 * WHOLE_SIXTEENTHS);
    return new PageLimits(pageLimit(share), pageLimit(Math.max(share, whole)));
  }

  private static Limit pageLimit(long byteSize) {
    return new Limit("quiver.files.page-bytes", byteSize);
  }

  WorkerPoolOptions pool(
      QuiverProperties.Spool spool, Duration patience, boolean spare, int processors) {
    return new WorkerPoolOptions(
        new Limit("quiver.files.workers", workers),
        new Limit("quiver.files.queue", queue),
        patience,
        new Limit("quiver.files.timeout", timeout.toMillis()),
        new Limit("quiver.files.memory", memory.toBytes()),
        threads == 0 ? Math.clamp(memory.toBytes() / THREAD_MEMORY, 1, processors) : threads,
        /* readsFiles= */ true,
        spare,
        spool.path(),
        "quiver.spool.path");
  }
}
