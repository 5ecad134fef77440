package dev.quiver.sql.execution;

import dev.quiver.arrow.memory.Limit;
import java.nio.file.Path;
import java.time.Duration;

/// The options of [Workers].
///
/// @param workers statements that run at a time
/// @param queue statements that wait for a worker
/// @param patience how long a statement waits for a worker, or a file for its place
/// @param timeout milliseconds that a statement may run, from when it has a worker
/// @param memory bytes that the engine may allocate in one worker
/// @param threadCount threads of the engine in one worker
/// @param readsFiles whether each worker has a folder whose files its statements read and write
/// @param spare whether one more worker is ready for a principal that has none
/// @param spoolFolder the folder for the engine's library, and for the workers' folders
/// @param spoolKey the configuration key of that folder
public record WorkerPoolOptions(
    Limit workers,
    Limit queue,
    Duration patience,
    Limit timeout,
    Limit memory,
    int threadCount,
    boolean readsFiles,
    boolean spare,
    Path spoolFolder,
    String spoolKey) {}
