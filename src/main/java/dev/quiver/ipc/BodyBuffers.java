package dev.quiver.ipc;

import dev.quiver.codec.BufferCodec;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.BufferLayout;
import dev.quiver.columnar.ByteOrders;
import dev.quiver.memory.InputException;
import dev.quiver.memory.Limits;
import dev.quiver.memory.LittleEndian;
import dev.quiver.memory.MalformedInputException;
import dev.quiver.memory.Place;
import dev.quiver.memory.TruncatedInputException;
import dev.quiver.memory.UnsupportedInputException;
import dev.quiver.metadata.Buffer;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// The buffers of one body in the order of its header, decompressed where they are compressed, and
/// swapped where they are big-endian.
///
/// A compressed buffer is `uncompressedLength:int64` and one frame; a length of -1 says that the
/// rest is not compressed after all. See Message.fbs, `BodyCompression`.
final class BodyBuffers {

  /// Bytes of the uncompressed length before a compressed buffer.
  static final int LENGTH_BYTE_SIZE = 8;

  /// The uncompressed length of a buffer that was left as it is.
  static final long NOT_COMPRESSED = -1;

  private final MemorySegment body;
  private final Iterator<Buffer> buffers;
  private final @Nullable BufferCodec codec;
  private final SegmentAllocator allocator;
  private final Limits limits;
  private final Unfolding unfolding;
  private int nextIndex;
  private long uncompressedTotal;
  private long swappedTotal;
  private boolean decompressed;

  /// @param unfolding what the bodies before have come to
  BodyBuffers(
      RecordBatchHeader header,
      MemorySegment body,
      SegmentAllocator allocator,
      Limits limits,
      Unfolding unfolding) {
    this.body = body;
    this.buffers = header.buffers().iterator();
    this.codec = header.compression() == null ? null : BodyCodecs.of(header.compression().codec());
    this.allocator = allocator;
    this.limits = limits;
    this.unfolding = unfolding;
    unfolding.addBody(body.byteSize());
  }

  /// The next buffer.
  ///
  /// @param neededByteSize what its array needs of it as far as is known before it is read; beyond
  ///   that a compressed buffer may grow only by the limited ratio
  MemorySegment next(long neededByteSize) {
    if (!buffers.hasNext()) {
      throw new MalformedInputException(
          "more buffers, as the schema needs",
          "only " + nextIndex,
          Place.detail("RecordBatch.buffers"));
    }
    Place place = Place.detail("RecordBatch.buffers[" + nextIndex + "]");
    nextIndex++;
    decompressed = false;
    MemorySegment raw = slice(buffers.next(), place);
    if (codec == null || raw.byteSize() == 0) {
      return raw;
    }
    try {
      return decompressed(codec, raw, neededByteSize, place);
    } catch (InputException e) {
      // The offset in the frame says little to people; the buffer says where to look.
      throw e.within(place);
    }
  }

  /// The next buffer of a big-endian body, as it would be in a little-endian one.
  ///
  /// Buffers that overlap are refused beyond the size of the body, so that a small body cannot
  /// become a large one.
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
            Place.detail("RecordBatch.buffers[" + (nextIndex - 1) + "]"));
      }
      swapped = allocator.allocate(buffer.byteSize(), Framing.BODY_ALIGNMENT);
    }
    ByteOrders.swap(buffer, swapped, layout, type);
    return swapped;
  }

  void requireEnd() {
    if (buffers.hasNext()) {
      int count = nextIndex;
      while (buffers.hasNext()) {
        buffers.next();
        count++;
      }
      throw new MalformedInputException(
          nextIndex + " buffers, as the schema needs",
          Integer.toString(count),
          Place.detail("RecordBatch.buffers"));
    }
  }

  private MemorySegment slice(Buffer buffer, Place place) {
    if (buffer.length() == 0) {
      // Where an empty buffer lies means nothing; some writers leave any offset.
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

  private MemorySegment decompressed(
      BufferCodec bufferCodec, MemorySegment raw, long neededByteSize, Place place) {
    if (raw.byteSize() < LENGTH_BYTE_SIZE) {
      throw new TruncatedInputException(
          "a compressed buffer of at least 8 bytes", raw.byteSize() + " bytes", place);
    }
    long byteSize = LittleEndian.getInt64(raw, 0);
    MemorySegment frame = raw.asSlice(LENGTH_BYTE_SIZE);
    if (byteSize == NOT_COMPRESSED) {
      return frame;
    }
    if (byteSize < 0 || (byteSize == 0) != (frame.byteSize() == 0)) {
      throw new MalformedInputException(
          "an uncompressed length of -1, or over 0 before a frame",
          byteSize + " before " + frame.byteSize() + " bytes",
          place);
    }
    if (byteSize == 0) {
      return frame;
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
          .uncompressedRatio()
          .check(byteSize / frame.byteSize(), "uncompressed bytes per compressed byte", place);
    }
    uncompressedTotal = Math.addExact(uncompressedTotal, byteSize);
    limits.bodyBytes().check(uncompressedTotal, "uncompressed bytes of a body", place);
    unfolding.addBuffer(byteSize, place);
    MemorySegment buffer = allocator.allocate(byteSize, Framing.BODY_ALIGNMENT);
    bufferCodec.decompress(frame, buffer);
    decompressed = true;
    return buffer;
  }
}
