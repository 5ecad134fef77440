package dev.quiver.dataset.catalog;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// That a write with an idempotency key was done.
///
/// @param hash of the key
/// @param version that the write made
/// @param committedAt of that version
public record RememberedKey(String hash, long version, Instant committedAt) {

  /// How long a write is known, and how many of a dataset are.
  static final Duration AGE_MAXIMUM = Duration.ofHours(24);

  static final int COUNT_MAXIMUM = 1000;

  /// `keys`, oldest first, as the next version has them: without those that are too old or too
  /// many.
  static List<RememberedKey> carried(List<RememberedKey> keys, Instant now) {
    Instant oldest = now.minus(AGE_MAXIMUM);
    List<RememberedKey> carried = new ArrayList<>();
    for (RememberedKey key : keys.subList(Math.max(0, keys.size() - COUNT_MAXIMUM), keys.size())) {
      if (key.committedAt.isAfter(oldest)) {
        carried.add(key);
      }
    }
    return carried;
  }
}
