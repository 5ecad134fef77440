package dev.quiver.ipc;

import dev.quiver.input.InputLocation;
import dev.quiver.input.Limit;

/// What the compressed bodies of one input unfold to together.
///
/// A schema can need far more than any ratio of what compresses to nothing, such as a column of
/// zeros, and an input may have a million bodies. A moderate amount is free, for that; what is past
/// it counts against all the bytes of the bodies so far, whichever of them buffers share.
final class DecompressionBudget {

  /// Bytes that the bodies may unfold to however small they are.
  static final long FREE_BYTE_SIZE = 256L << 20;

  private final Limit ratio;
  private long bodiesByteSize;
  private long uncompressedByteSize;

  /// @param ratio uncompressed bytes per byte of the bodies
  DecompressionBudget(Limit ratio) {
    this.ratio = ratio;
  }

  /// Counts a body, before its buffers.
  void addBody(long byteSize) {
    bodiesByteSize += byteSize;
  }

  /// Counts a buffer, before it is decompressed.
  ///
  /// @param byteSize its bytes then
  void addBuffer(long byteSize, InputLocation place) {
    uncompressedByteSize = Math.addExact(uncompressedByteSize, byteSize);
    long excess = uncompressedByteSize - FREE_BYTE_SIZE;
    if (excess > 0) {
      ratio.check(
          Math.ceilDiv(excess, bodiesByteSize),
          "uncompressed bytes per byte of the bodies so far, past the first " + FREE_BYTE_SIZE,
          place);
    }
  }
}
