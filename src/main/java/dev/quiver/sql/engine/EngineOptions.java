package dev.quiver.sql.engine;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The limits of an [Engine].
///
/// @param memoryByteSize how much memory the engine's buffers take before a statement fails. Some
///   functions take far more.
/// @param threadCount threads that run a statement, the caller's included
/// @param timeout how long a statement runs before it is interrupted. Some functions run on.
/// @param temporaryFolder the folder for data that does not fit into memory, or null if statements
///   fail instead
/// @param temporaryByteSize how much data the temporary folder may hold
/// @param filesFolder the folder whose files statements may read, and write with `COPY`; or null if
///   they reach no files. The engine resolves symbolic links before it compares paths; a link that
///   changes meanwhile is stopped by [Landlock] alone.
public record EngineOptions(
    long memoryByteSize,
    int threadCount,
    Duration timeout,
    @Nullable Path temporaryFolder,
    long temporaryByteSize,
    @Nullable Path filesFolder) {}
