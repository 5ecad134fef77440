package dev.quiver.arrow.ipc;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;

/// The total decompressed size allowed for one input.
///
/// A schema can need far more than any ratio of highly compressible data, such as a column of
/// zeros, and an input may have a million bodies. So a moderate amount is free. The excess counts
/// against all body bytes so far, even bytes that several buffers share.
final class DecompressionBudget {

  private final Limit ratio;
  private long bodiesByteSize;
  private long uncompressedByteSize;

  /// @param ratio the limit on uncompressed bytes per byte of the bodies
  DecompressionBudget(Limit ratio) {
    this.ratio = ratio;
  }

  /// Adds a body. Call before adding its buffers.
  void addBody(long byteSize) {
    bodiesByteSize += byteSize;
  }

  /// Adds a buffer. Call before decompressing it.
  ///
  /// @param byteSize its decompressed size
  void addBuffer(long byteSize, InputLocation place) {
    uncompressedByteSize = Math.addExact(uncompressedByteSize, byteSize);
    ratio.checkRatio(
        uncompressedByteSize,
        bodiesByteSize,
        "uncompressed bytes per byte of the bodies so far",
        place);
  }
}
