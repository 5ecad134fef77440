package dev.quiver.arrow.ipc;

import dev.quiver.arrow.codec.BufferCodec;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.parallel.CpuPool;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// The frame of a compressed buffer, before decompression.
///
/// @param contentByteSize the declared size of the content
/// @param place the location of the buffer
record CompressedBuffer(
    BufferCodec codec, MemorySegment frame, long contentByteSize, InputLocation place) {

  MemorySegment allocateContent(SegmentAllocator allocator) {
    return allocator.allocate(contentByteSize, Framing.BODY_ALIGNMENT);
  }

  /// Decompresses the frame, on any thread.
  ///
  /// @param content the destination, exactly as large as the frame's content
  void decompress(MemorySegment content) {
    try {
      codec.decompress(CpuPool.lent(frame), CpuPool.lent(content));
    } catch (InputException e) {
      // The location of the buffer is more useful than the offset in the frame.
      throw e.within(place);
    }
  }
}
