package dev.quiver.server.config;

import static dev.quiver.server.config.ConfigurationException.require;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.sql.execution.WorkerPoolOptions;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/// The settings of statements.
///
/// @param enabled whether statements run at all
/// @param workers the number of statements that run at a time, each in a process of its own
/// @param queue the number of statements that wait for a worker
/// @param queueWait how long a statement waits for a worker
/// @param timeout how long a statement may run
/// @param uploadWorkers the number of statements whose results are stored that run at a time
/// @param uploadTimeout how long such a statement may run, and its result be written
/// @param memory the memory of one worker; 0 is a quarter of the machine's, divided by `workers`
/// @param threads the threads of one worker; 0 is the number of processors, but one for each 64 MB
///   of its memory at most
/// @param spare whether one more worker of each kind is ready for a principal that has none
/// @param resultBytes the maximum size of one result
/// @param textBytes the maximum size of a statement
/// @param datasets the number of datasets that one statement reads
/// @param catalog the number of datasets and columns that one statement lists
public record SqlProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("3") int workers,
    @DefaultValue("16") int queue,
    @DefaultValue("5s") @DurationUnit(ChronoUnit.SECONDS) Duration queueWait,
    @DefaultValue("30s") @DurationUnit(ChronoUnit.SECONDS) Duration timeout,
    @DefaultValue("2") int uploadWorkers,
    @DefaultValue("10m") @DurationUnit(ChronoUnit.SECONDS) Duration uploadTimeout,
    @DefaultValue("0") DataSize memory,
    @DefaultValue("0") int threads,
    @DefaultValue("true") boolean spare,
    @DefaultValue("1GB") DataSize resultBytes,
    @DefaultValue("64KB") DataSize textBytes,
    @DefaultValue("32") int datasets,
    @DefaultValue("10000") int catalog) {

  /// The engine does not start with less.
  static final long ENGINE_MEMORY_MINIMUM = 64L << 20;

  /// The memory that a thread needs for its part of an aggregation.
  private static final long THREAD_MEMORY = 64L << 20;

  public SqlProperties {
    require(workers > 0, "1 or more", workers, "quiver.sql.workers");
    require(queue >= 0, "0 or more", queue, "quiver.sql.queue");
    require(!queueWait.isNegative(), "a duration of 0 or more", queueWait, "quiver.sql.queue-wait");
    require(timeout.toMillis() >= 1, "1ms or more", timeout, "quiver.sql.timeout");
    require(uploadWorkers > 0, "1 or more", uploadWorkers, "quiver.sql.upload-workers");
    require(
        uploadTimeout.toMillis() >= 1, "1ms or more", uploadTimeout, "quiver.sql.upload-timeout");
    long bytes = memory.toBytes();
    require(
        bytes == 0 || bytes >= ENGINE_MEMORY_MINIMUM,
        "0, or 64MB or more",
        bytes,
        "quiver.sql.memory");
    require(threads >= 0, "0 or more", threads, "quiver.sql.threads");
    require(
        resultBytes.toBytes() > 0, "1 or more", resultBytes.toBytes(), "quiver.sql.result-bytes");
    require(textBytes.toBytes() > 0, "1 or more", textBytes.toBytes(), "quiver.sql.text-bytes");
    require(datasets > 0, "1 or more", datasets, "quiver.sql.datasets");
    require(catalog > 0, "1 or more", catalog, "quiver.sql.catalog");
  }

  /// Returns the limit on the size of a statement.
  public Limit text() {
    return new Limit("quiver.sql.text-bytes", textBytes.toBytes());
  }

  /// Returns the options of workers on this machine.
  ///
  /// @param machineByteSize the memory of the machine
  /// @param processors the processors of the machine
  WorkerPoolOptions pool(QuiverProperties.Spool spool, long machineByteSize, int processors) {
    return pool(
        new Limit("quiver.sql.workers", workers),
        new Limit("quiver.sql.timeout", timeout.toMillis()),
        spool,
        machineByteSize,
        processors);
  }

  /// Returns the options of workers for statements whose results are stored.
  ///
  /// @param machineByteSize the memory of the machine
  /// @param processors the processors of the machine
  WorkerPoolOptions uploadPool(QuiverProperties.Spool spool, long machineByteSize, int processors) {
    return pool(
        new Limit("quiver.sql.upload-workers", uploadWorkers),
        new Limit("quiver.sql.upload-timeout", uploadTimeout.toMillis()),
        spool,
        machineByteSize,
        processors);
  }

  private WorkerPoolOptions pool(
      Limit workerLimit,
      Limit timeoutLimit,
      QuiverProperties.Spool spool,
      long machineByteSize,
      int processors) {
    long bytes = memory.toBytes();
    long workerMemory =
        bytes == 0 ? Math.max(ENGINE_MEMORY_MINIMUM, machineByteSize / 4 / workers) : bytes;
    return new WorkerPoolOptions(
        workerLimit,
        new Limit("quiver.sql.queue", queue),
        queueWait,
        timeoutLimit,
        new Limit("quiver.sql.memory", workerMemory),
        threads == 0 ? Math.clamp(workerMemory / THREAD_MEMORY, 1, processors) : threads,
        /* readsFiles= */ false,
        spare,
        spool.path(),
        "quiver.spool.path");
  }
}
