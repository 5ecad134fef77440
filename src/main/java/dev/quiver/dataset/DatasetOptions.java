package dev.quiver.dataset;

import dev.quiver.memory.Limit;
import dev.quiver.memory.Limits;

/// How datasets are taken in.
///
/// @param limits on what an upload may hold
/// @param requestBytes on the body of one upload
public record DatasetOptions(Limits limits, Limit requestBytes) {

  /// The default limits.
  public static final DatasetOptions DEFAULT =
      new DatasetOptions(Limits.DEFAULT, requestBytes(64L << 30));

  /// This maximum under its configuration key.
  public static Limit requestBytes(long maximum) {
    return new Limit("quiver.limits.request-bytes", maximum);
  }
}
