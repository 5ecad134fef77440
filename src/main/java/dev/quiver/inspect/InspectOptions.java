package dev.quiver.inspect;

import dev.quiver.input.Limit;
import dev.quiver.input.Limits;
import dev.quiver.memory.InFlightBytes;
import java.nio.file.Path;

/// How inputs are inspected.
///
/// @param limits on what readers take; what is over one of them becomes a finding
/// @param requestBytes on the whole input, which is refused beyond
/// @param reportBytes on the report, which is cut short beyond
/// @param uploadDictionaryBytes on all dictionaries together, past which an upload is refused
/// @param batchBytes what an upload makes of batches that it cuts or joins
/// @param scratchFolder for temporary files
/// @param inFlight what inspections hold in memory together, with all else
public record InspectOptions(
    Limits limits,
    Limit requestBytes,
    Limit reportBytes,
    Limit uploadDictionaryBytes,
    long batchBytes,
    Path scratchFolder,
    InFlightBytes inFlight) {

  /// This maximum under its configuration key.
  public static Limit reportBytes(long maximum) {
    return new Limit("quiver.limits.report-bytes", maximum);
  }
}
