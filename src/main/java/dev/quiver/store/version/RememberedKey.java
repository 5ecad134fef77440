package dev.quiver.store.version;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A record of a write with an idempotency key.
///
/// @param hash the hash of the key
/// @param version the version that the write committed
/// @param committedAt when that version was committed
public record RememberedKey(String hash, long version, Instant committedAt) {

  /// The limits up to which the writes of a dataset are remembered.
  static final Duration AGE_MAXIMUM = Duration.ofHours(24);

  static final int COUNT_MAXIMUM = 1000;

  /// Returns the `keys` that the next version still remembers, oldest first.
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
