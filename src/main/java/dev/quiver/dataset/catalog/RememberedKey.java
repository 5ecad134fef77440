package dev.quiver.dataset.catalog;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A record of a write with an idempotency key.
///
/// @param hash of the key
/// @param version that the write committed
/// @param committedAt of that version
public record RememberedKey(String hash, long version, Instant committedAt) {

  /// How long a write is remembered, and how many writes of a dataset are.
  static final Duration AGE_MAXIMUM = Duration.ofHours(24);

  static final int COUNT_MAXIMUM = 1000;

  /// Returns `keys`, oldest first, for the next version: without those that are too old or too
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
