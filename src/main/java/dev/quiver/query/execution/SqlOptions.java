package dev.quiver.query.execution;

import dev.quiver.input.Limit;
import java.nio.file.Path;
import java.time.Duration;

/// How statements run.
///
/// @param workers statements that run at a time
/// @param queue statements that wait for a worker
/// @param patience how long a statement waits for a worker
/// @param timeout milliseconds that a statement may run, from when it has a worker
/// @param memory bytes that the engine may allocate in one worker
/// @param threadCount threads of the engine in one worker
/// @param result bytes of one result as an IPC stream
/// @param text bytes of a statement as UTF-8
/// @param datasets datasets that one statement reads
/// @param conditionTimeout milliseconds that the evaluation of a condition may take
/// @param conditionMemory bytes of the matches of one condition
/// @param spoolFolder the folder for results that are larger than memory, and for the library
/// @param spooled bytes of all results that wait in the folder
public record SqlOptions(
    Limit workers,
    Limit queue,
    Duration patience,
    Limit timeout,
    Limit memory,
    int threadCount,
    Limit result,
    Limit text,
    Limit datasets,
    Limit conditionTimeout,
    Limit conditionMemory,
    Path spoolFolder,
    Limit spooled) {}
