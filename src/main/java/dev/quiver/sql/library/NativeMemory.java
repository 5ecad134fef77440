package dev.quiver.sql.library;

import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// Memory outside of the heap by its address. Accesses are not checked.
///
/// Addresses are offsets into one segment that covers everything, so an access needs no segment of
/// its own.
public final class NativeMemory {

  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private NativeMemory() {}

  public static byte getInt8(long address) {
    return LittleEndian.getInt8(ALL, address);
  }

  public static short getInt16(long address) {
    return LittleEndian.getInt16(ALL, address);
  }

  public static int getInt32(long address) {
    return LittleEndian.getInt32(ALL, address);
  }

  public static long getInt64(long address) {
    return LittleEndian.getInt64(ALL, address);
  }

  public static void setInt8(long address, byte value) {
    LittleEndian.setInt8(ALL, address, value);
  }

  public static void setInt16(long address, short value) {
    LittleEndian.setInt16(ALL, address, value);
  }

  public static void setInt32(long address, int value) {
    LittleEndian.setInt32(ALL, address, value);
  }

  public static void setInt64(long address, long value) {
    LittleEndian.setInt64(ALL, address, value);
  }

  public static void setFloat32(long address, float value) {
    ALL.set(LittleEndian.FLOAT32, address, value);
  }

  /// Returns the address of bytes of a segment, for loops: accesses to segments, which are of
  /// several kinds, would cost them several times as much.
  ///
  /// @throws IndexOutOfBoundsException if the segment does not have these bytes
  /// @throws IllegalArgumentException if it is on the heap
  public static long address(MemorySegment segment, long offset, long byteSize) {
    Objects.checkFromIndexSize(offset, byteSize, segment.byteSize());
    if (!segment.isNative()) {
      throw new IllegalArgumentException(
          "Expected memory outside of the heap but found " + segment);
    }
    return segment.address() + offset;
  }

  /// Copies bytes from a segment to an address.
  public static void copyTo(long target, MemorySegment source, long offset, long byteSize) {
    MemorySegment.copy(source, offset, ALL, target, byteSize);
  }

  /// Copies bytes from an address into a segment.
  public static void copyFrom(long source, MemorySegment target, long offset, long byteSize) {
    MemorySegment.copy(ALL, source, target, offset, byteSize);
  }

  /// Copies bytes to an address. Few are copied by words: a call would cost several times as much.
  public static void copy(long source, long target, long byteSize) {
    if (byteSize > 2 * Long.BYTES) {
      MemorySegment.copy(ALL, source, ALL, target, byteSize);
    } else if (byteSize >= Long.BYTES) {
      long first = getInt64(source);
      long last = getInt64(source + byteSize - Long.BYTES);
      setInt64(target, first);
      setInt64(target + byteSize - Long.BYTES, last);
    } else if (byteSize >= Integer.BYTES) {
      int first = getInt32(source);
      int last = getInt32(source + byteSize - Integer.BYTES);
      setInt32(target, first);
      setInt32(target + byteSize - Integer.BYTES, last);
    } else {
      for (long i = 0; i < byteSize; i++) {
        setInt8(target + i, getInt8(source + i));
      }
    }
  }

  /// Returns the bytes at an address as a segment without a lifetime of its own.
  public static MemorySegment segment(long address, long byteSize) {
    return MemorySegment.ofAddress(address).reinterpret(byteSize);
  }

  /// Returns the text at an address, which ends with a zero.
  public static String text(long address) {
    return ALL.getString(address);
  }
}
