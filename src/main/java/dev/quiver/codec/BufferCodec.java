package dev.quiver.codec;

import java.lang.foreign.MemorySegment;

/// Compresses and decompresses whole buffers. Instances are shared by threads.
///
/// The eight bytes that Arrow puts before a compressed buffer are not the codec's business.
public interface BufferCodec {

  /// The most bytes that compressing `byteSize` bytes can give.
  long maximumCompressedByteSize(long byteSize);

  /// The most bytes that one byte of a frame can stand for. What a frame is said to hold beyond
  /// that is not worth an allocation.
  int maximumUncompressedRatio();

  /// The version of what compresses, with which the bytes that the same buffer gives may change.
  String libraryVersion();

  /// Compresses all of `source` into the start of `destination`.
  ///
  /// @return the bytes written
  /// @throws IllegalArgumentException when `destination` is smaller than
  ///   [#maximumCompressedByteSize] of the source
  long compress(MemorySegment source, MemorySegment destination);

  /// Decompresses all of `source`, one frame, into `destination`, which it fills exactly.
  ///
  /// @throws dev.quiver.input.InputException when `source` is not one whole frame of exactly that
  ///   content; the place is a byte offset in `source`. `destination` may then hold anything.
  void decompress(MemorySegment source, MemorySegment destination);
}
