package dev.quiver.arrow.codec;

import java.lang.foreign.MemorySegment;

/// A codec that compresses and decompresses whole buffers. Instances are shared by threads.
///
/// The eight bytes that Arrow puts before a compressed buffer are left to the caller.
public interface BufferCodec {

  /// Returns the maximum compressed size of `byteSize` bytes.
  long maximumCompressedByteSize(long byteSize);

  /// Returns the maximum number of bytes that one byte of a frame can expand to. A frame that
  /// declares more is invalid, so no memory is allocated for it.
  int maximumUncompressedRatio();

  /// Returns the version of the compressing library. With another one, the same buffer may compress
  /// to other bytes.
  String libraryVersion();

  /// Compresses all of `source` into the start of `destination`.
  ///
  /// @return the bytes written
  /// @throws IllegalArgumentException if `destination` is smaller than [#maximumCompressedByteSize]
  ///   of the source
  long compress(MemorySegment source, MemorySegment destination);

  /// Decompresses all of `source`, one frame, into `destination`, which it fills exactly.
  ///
  /// @throws dev.quiver.arrow.memory.InputException if `source` is not exactly one frame of that
  ///   content; its location is a byte offset in `source`. The content of `destination` is then
  ///   undefined.
  void decompress(MemorySegment source, MemorySegment destination);
}
