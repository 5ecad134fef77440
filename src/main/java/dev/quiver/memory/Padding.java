package dev.quiver.memory;

/// Sizes rounded up to an alignment, as for messages and buffers.
public final class Padding {

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
}
