package dev.quiver.columnar;

import dev.quiver.memory.Bitmaps;

/// One buffer of a physical layout.
///
/// @param role what it holds
/// @param bitWidth bits of one element; 0 for bytes that only offsets delimit
public record BufferLayout(BufferRole role, long bitWidth) {

  /// The bytes that the buffer of an array of `length` slots needs at least.
  ///
  /// Offsets of an array without slots may be absent altogether: both a single zero and no bytes
  /// are found in the wild. Bytes that offsets delimit need what the last offset says, which is not
  /// known here: 0.
  ///
  /// @throws ArithmeticException when the size is over 2⁶³-1
  public long minimumByteSize(long length) {
    if (length == 0) {
      return 0;
    }
    long elements = role == BufferRole.OFFSETS ? Math.addExact(length, 1) : length;
    return bitWidth < 8
        ? Bitmaps.byteSize(Math.multiplyExact(elements, bitWidth))
        : Math.multiplyExact(elements, bitWidth >>> 3);
  }
}
