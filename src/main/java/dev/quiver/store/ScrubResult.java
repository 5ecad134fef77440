package dev.quiver.store;

import dev.quiver.store.file.Verification;

/// The counts of a pass over the store.
///
/// @param damages the number of damaged ranges, of each dataset at most
///   [Verification#DAMAGES_MAXIMUM]
public record ScrubResult(long blobs, long bytes, long damages) {

  static final ScrubResult NOTHING = new ScrubResult(0, 0, 0);

  static ScrubResult of(Verification.Result result) {
    return new ScrubResult(result.blobs(), result.bytes(), result.damaged().size());
  }

  ScrubResult plus(ScrubResult other) {
    return new ScrubResult(blobs + other.blobs, bytes + other.bytes, damages + other.damages);
  }
}
