package dev.quiver.arrow.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Little-endian numbers in memory segments and byte arrays, at any alignment.
///
/// Arrow's metadata, prefixes and canonical bodies are little-endian. No other class mentions byte
/// order. Offsets are in bytes; an offset outside of the segment or array is an
/// [IndexOutOfBoundsException].
public final class LittleEndian {

  public static final ValueLayout.OfByte INT8 = ValueLayout.JAVA_BYTE;
  public static final ValueLayout.OfShort INT16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  public static final ValueLayout.OfInt INT32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  public static final ValueLayout.OfLong INT64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  public static final ValueLayout.OfFloat FLOAT32 =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  public static final ValueLayout.OfDouble FLOAT64 =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private LittleEndian() {}

  public static byte getInt8(MemorySegment segment, long byteOffset) {
    return segment.get(INT8, byteOffset);
  }

  public static short getInt16(MemorySegment segment, long byteOffset) {
    return segment.get(INT16, byteOffset);
  }

  public static int getInt32(MemorySegment segment, long byteOffset) {
    return segment.get(INT32, byteOffset);
  }

  public static long getInt64(MemorySegment segment, long byteOffset) {
    return segment.get(INT64, byteOffset);
  }

  public static void setInt8(MemorySegment segment, long byteOffset, byte value) {
    segment.set(INT8, byteOffset, value);
  }

  public static void setInt16(MemorySegment segment, long byteOffset, short value) {
    segment.set(INT16, byteOffset, value);
  }

  public static void setInt32(MemorySegment segment, long byteOffset, int value) {
    segment.set(INT32, byteOffset, value);
  }

  public static void setInt64(MemorySegment segment, long byteOffset, long value) {
    segment.set(INT64, byteOffset, value);
  }

  public static short getInt16(byte[] array, int index) {
    return (short) SHORTS.get(array, index);
  }

  public static int getInt32(byte[] array, int index) {
    return (int) INTS.get(array, index);
  }

  public static void setInt32(byte[] array, int index, int value) {
    INTS.set(array, index, value);
  }

  public static long getInt64(byte[] array, int index) {
    return (long) LONGS.get(array, index);
  }

  public static void setInt16(byte[] array, int index, short value) {
    SHORTS.set(array, index, value);
  }

  public static void setInt64(byte[] array, int index, long value) {
    LONGS.set(array, index, value);
  }
}
