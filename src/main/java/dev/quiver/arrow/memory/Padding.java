package dev.quiver.arrow.memory;

import java.lang.foreign.MemorySegment;

/// Sizes rounded up to an alignment, as for messages and buffers, and the zeros in between.
public final class Padding {

  private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[64 << 10]).asReadOnly();

  private Padding() {}

  /// Rounds `byteSize` up to a multiple of `alignment`, a power of two.
  public static long padded(long byteSize, int alignment) {
    return Math.addExact(byteSize, missing(byteSize, alignment));
  }

  /// Returns the number of padding bytes from `byteSize` to the next multiple of `alignment`.
  public static int missing(long byteSize, int alignment) {
    return (int) (-byteSize & alignment - 1);
  }

  public static boolean isAligned(long byteOffset, int alignment) {
    return (byteOffset & alignment - 1) == 0;
  }

  /// Returns the number of zero bytes before the first other byte.
  public static long leadingZeros(MemorySegment bytes) {
    long zeros = 0;
    while (zeros < bytes.byteSize()) {
      MemorySegment part =
          bytes.asSlice(zeros, Math.min(ZEROS.byteSize(), bytes.byteSize() - zeros));
      long other = part.mismatch(ZEROS.asSlice(0, part.byteSize()));
      if (other >= 0) {
        return zeros + other;
      }
      zeros += part.byteSize();
    }
    return zeros;
  }
}
