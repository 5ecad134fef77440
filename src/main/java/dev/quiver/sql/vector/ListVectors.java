package dev.quiver.sql.vector;

import dev.quiver.sql.library.ConversionException;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;

/// DuckDB's vectors of lists: 64-bit offsets and lengths, and a child that grows.
final class ListVectors {

  private static final int ENTRY_BYTE_SIZE = 16;

  private ListVectors() {}

  /// Makes room for more items in the child of a list vector, and returns the row of the first.
  static long extend(Vectors vectors, long vector, long itemCount) {
    long first = vectors.listChildSize(vector);
    long size = first + itemCount;
    if (size > Integer.MAX_VALUE || !vectors.reserveListChild(vector, size)) {
      throw new ConversionException(
          "Expected at most %d items of lists in a chunk of rows but found %d"
              .formatted(Integer.MAX_VALUE, size));
    }
    vectors.setListChildSize(vector, size);
    return first;
  }

  /// Writes the first item and the length of the list at an address.
  static void setEntry(long entries, long index, long offset, long length) {
    NativeMemory.setInt64(entries + index * ENTRY_BYTE_SIZE, offset);
    NativeMemory.setInt64(entries + index * ENTRY_BYTE_SIZE + Long.BYTES, length);
  }

  /// Returns the address of the entries from `row` on.
  static long entries(Vectors vectors, long vector, long row) {
    return vectors.data(vector) + row * ENTRY_BYTE_SIZE;
  }
}
