package dev.quiver.sql.vector;

import dev.quiver.sql.library.ConversionException;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Bytes of many values, collected to be copied into a vector by one call.
final class Staging {

  private static final long FIRST_BYTE_SIZE = 64 << 10;

  private MemorySegment memory = MemorySegment.NULL;
  private long byteSize;

  void clear() {
    byteSize = 0;
  }

  long byteSize() {
    return byteSize;
  }

  void append(MemorySegment bytes) {
    if (byteSize + bytes.byteSize() > memory.byteSize()) {
      long capacity =
          Math.max(Math.max(FIRST_BYTE_SIZE, 2 * memory.byteSize()), byteSize + bytes.byteSize());
      MemorySegment larger = Arena.ofAuto().allocate(capacity);
      MemorySegment.copy(memory, 0, larger, 0, byteSize);
      memory = larger;
    }
    MemorySegment.copy(bytes, 0, memory, byteSize, bytes.byteSize());
    byteSize += bytes.byteSize();
  }

  /// Copies the bytes into memory of the vector and returns their address.
  ///
  /// @param row a row without value yet, which serves as the reference to the bytes
  long moveTo(Vectors vectors, long vector, long row) {
    return copy(memory.asSlice(0, byteSize), vectors, vector, row);
  }

  /// Copies more bytes than are inline into memory of the vector and returns their address.
  static long copy(MemorySegment bytes, Vectors vectors, long vector, long row) {
    if (bytes.byteSize() > Integer.MAX_VALUE) {
      throw new ConversionException(
          "Expected at most %d bytes of text or binary values in a chunk of rows but found %d"
              .formatted(Integer.MAX_VALUE, bytes.byteSize()));
    }
    vectors.assignBytes(vector, row, bytes.address(), bytes.byteSize());
    long reference = vectors.data(vector) + row * StringReferences.BYTE_SIZE;
    return NativeMemory.getInt64(reference + Long.BYTES);
  }
}
