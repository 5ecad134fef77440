package dev.quiver.arrow.memory;

/// The bytes that are made of others, such as decompressed ones. Their ratio to these has a limit,
/// but a moderate size is exempt, since a column of zeros or nulls compresses to almost nothing.
public final class Expansion {

  /// The size that is exempt from the ratio.
  public static final long FREE_BYTE_SIZE = 256L << 20;

  private Expansion() {}

  /// Checks the bytes so far.
  ///
  /// @param ratio the limit on bytes for each byte of the source, past the exempt ones
  /// @param sourceByteSize the bytes of which they are made
  /// @param what describes the ratio, such as *decoded bytes per byte of the file*
  /// @throws TooLargeInputException if there are too many
  public static void check(
      Limit ratio, long byteSize, long sourceByteSize, String what, InputLocation place) {
    long excess = byteSize - FREE_BYTE_SIZE;
    if (excess > 0) {
      ratio.check(
          Math.ceilDiv(excess, Math.max(1, sourceByteSize)),
          what + ", past the first " + FREE_BYTE_SIZE,
          place);
    }
  }
}
