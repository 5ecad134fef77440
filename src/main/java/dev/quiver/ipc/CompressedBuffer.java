package dev.quiver.ipc;

import dev.quiver.codec.BufferCodec;
import dev.quiver.input.InputException;
import dev.quiver.input.InputLocation;
import dev.quiver.parallel.CpuPool;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// The frame of a compressed buffer, before it is decompressed.
///
/// @param contentByteSize what the buffer says of it
/// @param place of the buffer
record CompressedBuffer(
    BufferCodec codec, MemorySegment frame, long contentByteSize, InputLocation place) {

  MemorySegment allocateContent(SegmentAllocator allocator) {
    return allocator.allocate(contentByteSize, Framing.BODY_ALIGNMENT);
  }

  /// Decompresses it, on any thread.
  ///
  /// @param content as large as that of the frame
  void decompress(MemorySegment content) {
    try {
      codec.decompress(CpuPool.lent(frame), CpuPool.lent(content));
    } catch (InputException e) {
      // The offset in the frame says little to people; the buffer says where to look.
      throw e.within(place);
    }
  }
}
