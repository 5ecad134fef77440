package dev.quiver.server.inspect;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.InFlightBytes;
import java.nio.file.Path;

/// The options of an inspection.
///
/// @param limits the limits of readers; exceeding one is a finding
/// @param requestBytes the maximum size of the whole input, above which it is rejected
/// @param reportBytes the maximum size of the report, above which it is truncated
/// @param uploadDictionaryBytes the maximum size of all dictionaries together in an upload
/// @param batchBytes the batch sizes that an upload produces by splitting and combining
/// @param scratchFolder the folder for temporary files
/// @param inFlight the memory that inspections share with other requests
public record InspectOptions(
    Limits limits,
    Limit requestBytes,
    Limit reportBytes,
    Limit uploadDictionaryBytes,
    long batchBytes,
    Path scratchFolder,
    InFlightBytes inFlight) {}
