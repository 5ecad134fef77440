package dev.quiver.arrow.ipc;

import dev.quiver.arrow.array.ByteOrders;
import dev.quiver.arrow.codec.BufferCodec;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.TruncatedInputException;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The buffers of one body in header order, decompressed and swapped to little-endian as needed.
///
/// A compressed buffer is `uncompressedLength:int64` and one frame. A length of -1 means that the
/// rest is uncompressed after all. See Message.fbs, `BodyCompression`.
final class BodyBuffers implements AutoCloseable {

  /// The size of the uncompressed length before a compressed buffer.
  static final int LENGTH_BYTE_SIZE = 8;

  /// The uncompressed length that marks a buffer as uncompressed.
  static final long NOT_COMPRESSED = -1;

  private final MemorySegment body;
  private final List<Buffer> buffers;
  private final @Nullable BufferCodec codec;
  private final SegmentAllocator allocator;
  private final Limits limits;
  private final DecompressionBudget budget;
  private final @Nullable BuffersAhead ahead;
  private int nextIndex;
  private long uncompressedTotal;
  private long swappedTotal;
  private boolean decompressed;

  /// A buffer of the body before decompression.
  ///
  /// @param bytes the content, or the raw bytes of the compressed buffer
  record Encoded(MemorySegment bytes, @Nullable CompressedBuffer compressed) {

    long contentByteSize() {
      return compressed == null ? bytes.byteSize() : compressed.contentByteSize();
    }
  }

  /// @param budget the decompression budget shared with earlier bodies
  BodyBuffers(
      RecordBatchHeader header,
      MemorySegment body,
      SegmentAllocator allocator,
      Limits limits,
      DecompressionBudget budget) {
    this.body = body;
    this.buffers = header.buffers();
    this.codec = BodyCodecs.of(header).bufferCodec();
    this.allocator = allocator;
    this.limits = limits;
    this.budget = budget;
    this.ahead =
        codec == null || body.byteSize() < BuffersAhead.BODY_BYTE_SIZE_MINIMUM
            ? null
            : new BuffersAhead(this, allocator, limits.decompressionRatio());
    budget.addBody(body.byteSize());
  }

  /// Returns the next buffer.
  ///
  /// @param neededByteSize the minimum size that its array is known to need. Above it, a compressed
  ///   buffer may grow only by the limited ratio.
  MemorySegment next(long neededByteSize) {
    int index = nextIndex;
    decompressed = false;
    Encoded next = nextEncoded(neededByteSize);
    CompressedBuffer compressed = next.compressed;
    if (compressed == null) {
      return next.bytes;
    }
    decompressed = true;
    BufferTask task = ahead == null ? null : ahead.take(index);
    if (task != null) {
      return task.result();
    }
    MemorySegment content = compressed.allocateContent(allocator);
    compressed.decompress(content);
    return content;
  }

  /// Returns the next buffer as it lies in the body, after every check that is possible before
  /// decompression.
  Encoded nextEncoded(long neededByteSize) {
    InputLocation place = place(nextIndex);
    MemorySegment raw = nextStored();
    return codec == null || raw.byteSize() == 0
        ? new Encoded(raw, null)
        : encoded(codec, raw, neededByteSize, place);
  }

  /// Returns all bytes of the next buffer, checking only that they are inside the body.
  MemorySegment nextStored() {
    if (nextIndex == buffers.size()) {
      throw new MalformedInputException(
          "more buffers for the schema",
          "only " + nextIndex,
          InputLocation.detail("RecordBatch.buffers"));
    }
    InputLocation place = place(nextIndex);
    return slice(buffers.get(nextIndex++), place);
  }

  /// Returns a future buffer if it is compressed and its position and length are valid, otherwise
  /// null.
  ///
  /// @param index the index of the buffer, less than [#count]
  @Nullable CompressedBuffer peek(int index) {
    Buffer buffer = buffers.get(index);
    if (codec == null
        || buffer.length() <= LENGTH_BYTE_SIZE
        || buffer.offset() > body.byteSize() - buffer.length()) {
      return null;
    }
    MemorySegment raw = body.asSlice(buffer.offset(), buffer.length());
    long byteSize = LittleEndian.getInt64(raw, 0);
    MemorySegment frame = raw.asSlice(LENGTH_BYTE_SIZE);
    return byteSize <= 0 || byteSize > frame.byteSize() * codec.maximumUncompressedRatio()
        ? null
        : new CompressedBuffer(codec, frame, byteSize, place(index));
  }

  int count() {
    return buffers.size();
  }

  /// Waits until all decompression has stopped.
  @Override
  public void close() {
    if (ahead != null) {
      ahead.close();
    }
  }

  /// Returns the next buffer of a big-endian body, converted to little-endian.
  ///
  /// Overlapping buffers beyond the size of the body are rejected, so a small body cannot become a
  /// large one.
  MemorySegment nextSwapped(long neededByteSize, BufferLayout layout, ArrowType type) {
    MemorySegment buffer = next(neededByteSize);
    if (buffer.byteSize() == 0 || !ByteOrders.matters(layout, type)) {
      return buffer;
    }
    MemorySegment swapped = buffer;
    if (!decompressed) {
      swappedTotal += buffer.byteSize();
      if (swappedTotal > body.byteSize()) {
        throw new UnsupportedInputException(
            "big-endian buffers that do not overlap",
            "buffers of more bytes than the body's " + body.byteSize(),
            InputLocation.detail("RecordBatch.buffers[" + (nextIndex - 1) + "]"));
      }
      swapped = allocator.allocate(buffer.byteSize(), Framing.BODY_ALIGNMENT);
    }
    ByteOrders.swap(buffer, swapped, layout, type);
    return swapped;
  }

  void requireEnd() {
    if (nextIndex < buffers.size()) {
      throw new MalformedInputException(
          nextIndex + " buffers for the schema",
          Integer.toString(buffers.size()),
          InputLocation.detail("RecordBatch.buffers"));
    }
  }

  private MemorySegment slice(Buffer buffer, InputLocation place) {
    if (buffer.length() == 0) {
      // The offset of an empty buffer is meaningless; some writers leave any value there.
      return body.asSlice(0, 0);
    }
    if (buffer.offset() > body.byteSize() - buffer.length()) {
      throw new MalformedInputException(
          "a buffer within the body of " + body.byteSize() + " bytes",
          "offset " + buffer.offset() + " and length " + buffer.length(),
          place);
    }
    return body.asSlice(buffer.offset(), buffer.length());
  }

  private Encoded encoded(
      BufferCodec bufferCodec, MemorySegment raw, long neededByteSize, InputLocation place) {
    if (raw.byteSize() < LENGTH_BYTE_SIZE) {
      throw new TruncatedInputException(
          "a compressed buffer of at least 8 bytes", raw.byteSize() + " bytes", place);
    }
    long byteSize = LittleEndian.getInt64(raw, 0);
    MemorySegment frame = raw.asSlice(LENGTH_BYTE_SIZE);
    if (byteSize == NOT_COMPRESSED) {
      return new Encoded(frame, null);
    }
    if (byteSize < 0 || (byteSize == 0) != (frame.byteSize() == 0)) {
      throw new MalformedInputException(
          "an uncompressed length of -1, or over 0 before a frame",
          byteSize + " before " + frame.byteSize() + " bytes",
          place);
    }
    if (byteSize == 0) {
      return new Encoded(frame, null);
    }
    long possible = frame.byteSize() * bufferCodec.maximumUncompressedRatio();
    if (byteSize > possible) {
      throw new MalformedInputException(
          "an uncompressed length of at most " + possible,
          byteSize + " before " + frame.byteSize() + " bytes",
          place);
    }
    if (byteSize > neededByteSize + Framing.BODY_ALIGNMENT) {
      limits
          .decompressionRatio()
          .check(byteSize / frame.byteSize(), "uncompressed bytes per compressed byte", place);
    }
    uncompressedTotal = Math.addExact(uncompressedTotal, byteSize);
    limits.bodyBytes().check(uncompressedTotal, "uncompressed bytes of a body", place);
    budget.addBuffer(byteSize, place);
    return new Encoded(raw, new CompressedBuffer(bufferCodec, frame, byteSize, place));
  }

  private static InputLocation place(int index) {
    return InputLocation.detail("RecordBatch.buffers[" + index + "]");
  }
}
