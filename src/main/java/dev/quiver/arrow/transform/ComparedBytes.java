package dev.quiver.arrow.transform;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;

/// A limit on the work of comparing and hashing, relative to the received bytes. Values that share
/// their bytes, or have none, let a small message cause a lot of work.
final class ComparedBytes {

  /// The amount that is always allowed.
  private static final long FREE_BYTE_SIZE = 1 << 20;

  private final Limit ratio;
  private long received;
  private long compared;

  /// @param ratio the bytes that may be compared per received byte
  ComparedBytes(Limit ratio) {
    this.ratio = ratio;
  }

  void received(long byteSize) {
    received = Math.addExact(received, byteSize);
  }

  /// Counts a slot and its bytes.
  ///
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if the limit is exceeded
  void add(long byteSize) {
    compared = Math.addExact(compared, byteSize + 1);
    if (compared > FREE_BYTE_SIZE && compared / Math.max(1, ratio.maximum()) > received) {
      ratio.check(
          Math.max(ratio.maximum() + 1, compared / Math.max(1, received)),
          "bytes of dictionary values compared per byte of their messages",
          InputLocation.UNKNOWN);
    }
  }
}
