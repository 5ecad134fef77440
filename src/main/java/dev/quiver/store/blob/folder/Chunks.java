package dev.quiver.store.blob.folder;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Segments as the byte buffers that channels accept.
final class Chunks {

  /// The size of a chunk on the heap. A channel keeps a native copy buffer of that size per thread,
  /// taken from the memory that all transfers share.
  private static final long HEAP_BYTE_SIZE = 64 << 10;

  private static final long NATIVE_BYTE_SIZE = 1 << 30;

  private Chunks() {}

  /// Returns the bytes of `segment` from `byteOffset` on, as many as one call should move.
  static ByteBuffer buffer(MemorySegment segment, long byteOffset) {
    long maximum = segment.isNative() ? NATIVE_BYTE_SIZE : HEAP_BYTE_SIZE;
    long byteSize = Math.min(segment.byteSize() - byteOffset, maximum);
    return segment.asSlice(byteOffset, byteSize).asByteBuffer();
  }
}
