package dev.quiver.store.write;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.validate.Level;
import java.util.Locale;

/// The settings for ingesting datasets.
///
/// @param limits the limits on the contents of an upload
/// @param requestBytes the limit on the body of one upload
/// @param inFlight the account of the memory that all uploads hold together
/// @param uploadDictionaryBytes the limit on all dictionaries of one upload together
/// @param batchBytes the approximate uncompressed size of a batch that is split or coalesced
/// @param level the level at which record batches that are stored unchanged are validated; if it is
///   below [Level#VALUES], values are checked when they are read
public record DatasetOptions(
    Limits limits,
    Limit requestBytes,
    InFlightBytes inFlight,
    Limit uploadDictionaryBytes,
    long batchBytes,
    Level level) {

  /// The default options.
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

  /// Returns the defaults with these limits, and a quarter of the heap for in-flight data.
  public DatasetOptions(Limits limits, Limit requestBytes) {
    this(limits, requestBytes, new InFlightBytes(0));
  }

  /// Returns the defaults with these limits.
  public DatasetOptions(Limits limits, Limit requestBytes, InFlightBytes inFlight) {
    this(
        limits,
        requestBytes,
        inFlight,
        new Limit("upload-dictionary-bytes", 4L << 30),
        8L << 20,
        Level.VALUES);
  }

  /// Returns these options with another level.
  public DatasetOptions withLevel(Level other) {
    return new DatasetOptions(
        limits, requestBytes, inFlight, uploadDictionaryBytes, batchBytes, other);
  }
}
