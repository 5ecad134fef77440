package dev.quiver.sql.vector;

import dev.quiver.sql.library.NativeMemory;

/// DuckDB's references to text and binary values: 16 bytes, like a view of Arrow.
///
/// The first four bytes are the length. A value of up to twelve bytes follows, padded with zeros.
/// Of a longer one follow the first four bytes and the address.
final class StringReferences {

  static final int BYTE_SIZE = 16;
  static final int INLINE_BYTE_SIZE_MAX = 12;

  /// The bits of the first eight bytes that belong to a value, by its length, and the bits of the
  /// bytes after them. They make the loop over short values free of branches.
  private static final long[] LOW_MASKS = new long[INLINE_BYTE_SIZE_MAX + 1];

  private static final long[] HIGH_MASKS = new long[INLINE_BYTE_SIZE_MAX + 1];

  static {
    for (int i = 0; i <= INLINE_BYTE_SIZE_MAX; i++) {
      LOW_MASKS[i] = i >= Long.BYTES ? -1L : (1L << 8 * i) - 1;
      HIGH_MASKS[i] = i <= Long.BYTES ? 0 : (1L << 8 * (i - Long.BYTES)) - 1;
    }
  }

  private StringReferences() {}

  /// Writes the reference to a value.
  ///
  /// @param target the address of the reference
  /// @param source the address of the value
  /// @param available the number of bytes that can be read there
  /// @param address the address that the reference gets, if the value is long
  static void set(long target, long source, long available, int byteSize, long address) {
    if (byteSize > INLINE_BYTE_SIZE_MAX) {
      long prefix = NativeMemory.getInt32(source);
      NativeMemory.setInt64(target, byteSize | prefix << Integer.SIZE);
      NativeMemory.setInt64(target + Long.BYTES, address);
      return;
    }
    long low;
    long high;
    if (available >= BYTE_SIZE) {
      low = NativeMemory.getInt64(source) & LOW_MASKS[byteSize];
      high = NativeMemory.getInt64(source + Long.BYTES) & HIGH_MASKS[byteSize];
    } else {
      low = lastBytes(source, Math.min(byteSize, Long.BYTES));
      high = lastBytes(source + Long.BYTES, byteSize - Long.BYTES);
    }
    NativeMemory.setInt64(target, byteSize | low << Integer.SIZE);
    NativeMemory.setInt64(target + Long.BYTES, low >>> Integer.SIZE | high << Integer.SIZE);
  }

  /// Writes references to the empty value.
  static void clear(long target) {
    NativeMemory.setInt64(target, 0);
    NativeMemory.setInt64(target + Long.BYTES, 0);
  }

  private static long lastBytes(long source, int count) {
    long value = 0;
    for (int i = 0; i < count; i++) {
      value |= Byte.toUnsignedLong(NativeMemory.getInt8(source + i)) << 8 * i;
    }
    return value;
  }
}
