package dev.quiver.arrow.type;

import dev.quiver.arrow.memory.Bitmaps;

/// One buffer of a physical layout.
///
/// @param role the content
/// @param bitWidth bits of one element; 0 for bytes that only offsets delimit
public record BufferLayout(BufferRole role, long bitWidth) {

  /// Returns the minimum size in bytes of the buffer for an array of `length` slots.
  ///
  /// The offsets of an array without slots may be missing: existing writers produce both a single
  /// zero and no bytes. The size of bytes delimited by offsets depends on the last offset, so the
  /// result is 0.
  ///
  /// @throws ArithmeticException if the size is over 2⁶³-1
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
