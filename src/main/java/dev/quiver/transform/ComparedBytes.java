package dev.quiver.transform;

import dev.quiver.input.InputLocation;
import dev.quiver.input.Limit;

/// How much is compared and hashed, against what was received: values that share their bytes, or
/// have none, let a small message ask for a lot of work.
final class ComparedBytes {

  /// What is never too much.
  private static final long FREE_BYTE_SIZE = 1 << 20;

  private final Limit ratio;
  private long received;
  private long compared;

  /// @param ratio bytes that may be compared per byte that was received
  ComparedBytes(Limit ratio) {
    this.ratio = ratio;
  }

  void received(long byteSize) {
    received = Math.addExact(received, byteSize);
  }

  /// Counts a slot and its bytes.
  ///
  /// @throws dev.quiver.input.TooLargeInputException when it is too much
  void add(long byteSize) {
    compared = Math.addExact(compared, byteSize + 1);
    if (compared > FREE_BYTE_SIZE && compared / Math.max(1, ratio.maximum()) > received) {
      ratio.check(
          Math.max(ratio.maximum() + 1, compared / Math.max(1, received)),
          "bytes of dictionary values compared per byte of their messages",
          InputLocation.UNKNOWN);
    }
  }

  /// Bytes and slots counted so far.
  long total() {
    return compared;
  }
}
