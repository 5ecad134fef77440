package dev.quiver.arrow.memory;

/// A maximum for one measure of the input.
///
/// @param name the name in messages: the key in the configuration, which ends in the unit
/// @param maximum the largest allowed value
public record Limit(String name, long maximum) {

  /// The bytes made of others, such as decompressed ones, that are exempt from a ratio: a column of
  /// zeros or nulls compresses to almost nothing.
  public static final long FREE_BYTE_SIZE = 256L << 20;

  public Limit {
    if (maximum < 0) {
      throw new IllegalArgumentException(name + " is negative: " + maximum);
    }
  }

  /// Rejects a `found` above the maximum.
  ///
  /// @param what the plural noun of the counted items, such as `bytes of metadata in a message`
  /// @throws TooLargeInputException if `found` is above the maximum
  public void check(long found, String what, InputLocation place) {
    if (found > maximum) {
      throw new TooLargeInputException(this, what, Long.toString(found), place);
    }
  }

  /// Rejects bytes that are made of others, if their ratio to these is above the maximum past
  /// [#FREE_BYTE_SIZE].
  ///
  /// @param sourceByteSize the bytes of which they are made
  /// @param what describes the ratio, such as *decoded bytes per byte of the file*
  /// @throws TooLargeInputException if there are too many
  public void checkRatio(long byteSize, long sourceByteSize, String what, InputLocation place) {
    long excess = byteSize - FREE_BYTE_SIZE;
    if (excess > 0) {
      check(
          Math.ceilDiv(excess, Math.max(1, sourceByteSize)),
          what + ", past the first " + FREE_BYTE_SIZE,
          place);
    }
  }

  /// Returns the failure of an input that exceeds the limit by an unknown number.
  ///
  /// @param what the plural noun of the counted items
  public TooLargeInputException exceeded(String what, InputLocation place) {
    return new TooLargeInputException(this, what, "more", place);
  }
}
