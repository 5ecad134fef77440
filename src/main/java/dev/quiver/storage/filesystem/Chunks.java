package dev.quiver.storage.filesystem;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Segments as the byte buffers that channels take.
final class Chunks {

  /// What a channel copies from the heap at a time: it keeps a native buffer of that size per
  /// thread, out of the same memory that everything in flight shares.
  private static final long HEAP_BYTE_SIZE = 64 << 10;

  private static final long NATIVE_BYTE_SIZE = 1 << 30;

  private Chunks() {}

  /// The bytes of `segment` from `byteOffset` on, as many as should be moved at once.
  static ByteBuffer buffer(MemorySegment segment, long byteOffset) {
    long maximum = segment.isNative() ? NATIVE_BYTE_SIZE : HEAP_BYTE_SIZE;
    long byteSize = Math.min(segment.byteSize() - byteOffset, maximum);
    return segment.asSlice(byteOffset, byteSize).asByteBuffer();
  }
}
