package dev.quiver.dataset;

import dev.quiver.memory.InFlightBytes;
import dev.quiver.memory.Limit;
import dev.quiver.memory.Limits;

/// How datasets are taken in.
///
/// @param limits on what an upload may hold
/// @param requestBytes on the body of one upload
/// @param inFlight what uploads hold in memory together
public record DatasetOptions(Limits limits, Limit requestBytes, InFlightBytes inFlight) {

  /// The default limits.
  public static final DatasetOptions DEFAULT =
      new DatasetOptions(Limits.DEFAULT, requestBytes(64L << 30));

  /// With a quarter of the heap for what is in flight.
  public DatasetOptions(Limits limits, Limit requestBytes) {
    this(limits, requestBytes, new InFlightBytes(0));
  }

  /// This maximum under its configuration key.
  public static Limit requestBytes(long maximum) {
    return new Limit("quiver.limits.request-bytes", maximum);
  }
}
