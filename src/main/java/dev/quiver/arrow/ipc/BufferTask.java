package dev.quiver.arrow.ipc;

import dev.quiver.arrow.codec.BufferCodec;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.parallel.CpuPool;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/// A task for any thread that decompresses a buffer, compresses it, or does both in turn. Its
/// memory is allocated at creation.
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

  /// Returns a task that compresses a buffer.
  static BufferTask of(MemorySegment content, BufferCodec encoder, SegmentAllocator allocator) {
    return new BufferTask(null, content, encoder, allocator);
  }

  /// Returns a task that decompresses a buffer and compresses it again.
  ///
  /// @param encoder null to only decompress
  static BufferTask of(
      CompressedBuffer compressed, @Nullable BufferCodec encoder, SegmentAllocator allocator) {
    return new BufferTask(compressed, compressed.allocateContent(allocator), encoder, allocator);
  }

  /// Returns the size of the content in bytes.
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
    // A borrowed segment keeps nothing alive.
    Reference.reachabilityFence(this);
  }

  /// Returns the new buffer. Call only after the task has run.
  MemorySegment result() {
    return encoder == null ? content : encoded.asSlice(0, encodedByteSize);
  }
}
