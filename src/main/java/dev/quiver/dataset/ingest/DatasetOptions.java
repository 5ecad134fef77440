package dev.quiver.dataset.ingest;

import dev.quiver.input.Limit;
import dev.quiver.input.Limits;
import dev.quiver.memory.InFlightBytes;
import dev.quiver.validate.Level;
import java.util.Locale;

/// How datasets are taken in.
///
/// @param limits on what an upload may hold
/// @param requestBytes on the body of one upload
/// @param inFlight what uploads hold in memory together
/// @param uploadDictionaryBytes on all dictionaries of one upload together
/// @param batchBytes what the body of a batch that is cut or joined has about, in bytes and not
///   compressed
/// @param level how far record batches are checked that are stored as they came: below
///   [Level#VALUES], what looks at their values later checks them then
public record DatasetOptions(
    Limits limits,
    Limit requestBytes,
    InFlightBytes inFlight,
    Limit uploadDictionaryBytes,
    long batchBytes,
    Level level) {

  /// The default limits.
  public static final DatasetOptions DEFAULT =
      new DatasetOptions(Limits.DEFAULT, new Limit("request-bytes", 64L << 30));

  public DatasetOptions {
    if (batchBytes < 1) {
      throw new IllegalArgumentException(
          "Expected 1 or more but found " + batchBytes + " at batchBytes");
    }
    if (level == Level.DOMAIN) {
      throw new IllegalArgumentException(
          "Expected layout, offsets or values but found %s at level"
              .formatted(level.name().toLowerCase(Locale.ROOT)));
    }
  }

  /// The default but for these limits, with a quarter of the heap for what is in flight.
  public DatasetOptions(Limits limits, Limit requestBytes) {
    this(limits, requestBytes, new InFlightBytes(0));
  }

  /// The default but for these limits.
  public DatasetOptions(Limits limits, Limit requestBytes, InFlightBytes inFlight) {
    this(
        limits,
        requestBytes,
        inFlight,
        new Limit("upload-dictionary-bytes", 4L << 30),
        8L << 20,
        Level.VALUES);
  }

  /// These but for the level.
  public DatasetOptions withLevel(Level other) {
    return new DatasetOptions(
        limits, requestBytes, inFlight, uploadDictionaryBytes, batchBytes, other);
  }
}
