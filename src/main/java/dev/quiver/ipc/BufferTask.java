package dev.quiver.ipc;

import dev.quiver.codec.BufferCodec;
import dev.quiver.memory.LittleEndian;
import dev.quiver.parallel.CpuPool;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/// One buffer that is decompressed, or compressed, or the one and then the other, by any thread,
/// into memory that it has from the start.
final class BufferTask {

  private final @Nullable CompressedBuffer compressed;
  private final MemorySegment content;
  private final @Nullable BufferCodec encoder;
  private final MemorySegment encoded;
  private long encodedByteSize;

  private BufferTask(
      @Nullable CompressedBuffer compressed,
      MemorySegment content,
      @Nullable BufferCodec encoder,
      SegmentAllocator allocator) {
    this.compressed = compressed;
    this.content = content;
    this.encoder = encoder;
    this.encoded =
        encoder == null
            ? MemorySegment.NULL
            : allocator.allocate(
                BodyBuffers.LENGTH_BYTE_SIZE
                    + encoder.maximumCompressedByteSize(content.byteSize()),
                Long.BYTES);
  }

  /// Compresses a buffer.
  static BufferTask of(MemorySegment content, BufferCodec encoder, SegmentAllocator allocator) {
    return new BufferTask(null, content, encoder, allocator);
  }

  /// Decompresses a buffer, and compresses it again.
  ///
  /// @param encoder null to leave it at that
  static BufferTask of(
      CompressedBuffer compressed, @Nullable BufferCodec encoder, SegmentAllocator allocator) {
    return new BufferTask(compressed, compressed.allocateContent(allocator), encoder, allocator);
  }

  /// Bytes of the content.
  long byteSize() {
    return content.byteSize();
  }

  void run() {
    if (compressed != null) {
      compressed.decompress(content);
    }
    if (encoder != null) {
      int prefix = BodyBuffers.LENGTH_BYTE_SIZE;
      MemorySegment destination = CpuPool.lent(encoded);
      encodedByteSize =
          prefix + encoder.compress(CpuPool.lent(content), destination.asSlice(prefix));
      LittleEndian.setInt64(destination, 0, content.byteSize());
    }
    // What is lent keeps nothing alive.
    Reference.reachabilityFence(this);
  }

  /// The new buffer, once the task has run.
  MemorySegment result() {
    return encoder == null ? content : encoded.asSlice(0, encodedByteSize);
  }
}
