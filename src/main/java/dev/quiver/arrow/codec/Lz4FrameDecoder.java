package dev.quiver.arrow.codec;

import static dev.quiver.arrow.codec.Frames.MAGIC_BYTE_SIZE;
import static dev.quiver.arrow.codec.Lz4FrameFormat.BD_BLOCK_SIZE_SHIFT;
import static dev.quiver.arrow.codec.Lz4FrameFormat.BD_RESERVED_MASK;
import static dev.quiver.arrow.codec.Lz4FrameFormat.BLOCK_RAW;
import static dev.quiver.arrow.codec.Lz4FrameFormat.BLOCK_SIZE_BYTE_SIZE;
import static dev.quiver.arrow.codec.Lz4FrameFormat.BLOCK_SIZE_CODE_MAXIMUM;
import static dev.quiver.arrow.codec.Lz4FrameFormat.BLOCK_SIZE_CODE_MINIMUM;
import static dev.quiver.arrow.codec.Lz4FrameFormat.CHECKSUM_BYTE_SIZE;
import static dev.quiver.arrow.codec.Lz4FrameFormat.CONTENT_SIZE_BYTE_SIZE;
import static dev.quiver.arrow.codec.Lz4FrameFormat.DICTIONARY_ID_BYTE_SIZE;
import static dev.quiver.arrow.codec.Lz4FrameFormat.END_MARK;
import static dev.quiver.arrow.codec.Lz4FrameFormat.FLG_BLOCK_CHECKSUMS;
import static dev.quiver.arrow.codec.Lz4FrameFormat.FLG_CONTENT_CHECKSUM;
import static dev.quiver.arrow.codec.Lz4FrameFormat.FLG_CONTENT_SIZE;
import static dev.quiver.arrow.codec.Lz4FrameFormat.FLG_DICTIONARY_ID;
import static dev.quiver.arrow.codec.Lz4FrameFormat.FLG_INDEPENDENT_BLOCKS;
import static dev.quiver.arrow.codec.Lz4FrameFormat.FLG_RESERVED;
import static dev.quiver.arrow.codec.Lz4FrameFormat.FLG_VERSION;
import static dev.quiver.arrow.codec.Lz4FrameFormat.FLG_VERSION_MASK;
import static dev.quiver.arrow.codec.Lz4FrameFormat.HEADER_BYTE_SIZE_MINIMUM;
import static dev.quiver.arrow.codec.Lz4FrameFormat.LEGACY_MAGIC;
import static dev.quiver.arrow.codec.Lz4FrameFormat.MAGIC;

import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.MalformedInputException;
import java.lang.foreign.MemorySegment;

/// A decoder of one LZ4 frame, which fills a whole segment.
///
/// Blocks may be linked: their matches then reach up to 64 KiB back into the blocks before. This
/// needs no window, since the content of all blocks lies in one destination. Arrow C++ links the
/// blocks of every buffer over 64 KiB.
final class Lz4FrameDecoder {

  private final MemorySegment source;
  private final MemorySegment destination;
  private final Lz4Block block;

  private int flags;
  private int maximumBlockByteSize;

  /// The position up to which the source is read, and the destination written.
  private long position;

  private long output;

  /// @param unchecked whether [UncheckedLz4Sequences] may decode
  Lz4FrameDecoder(MemorySegment source, MemorySegment destination, boolean unchecked) {
    this.source = source;
    this.destination = destination;
    this.block = new Lz4Block(source, destination, unchecked);
  }

  void decode() {
    readHeader();
    while (readBlock()) {}
    if (output != destination.byteSize()) {
      throw malformed(
          destination.byteSize() + " bytes of content in an LZ4 frame",
          Long.toString(output),
          position - BLOCK_SIZE_BYTE_SIZE);
    }
    if (has(FLG_CONTENT_CHECKSUM)) {
      require(CHECKSUM_BYTE_SIZE, "the content checksum of an LZ4 frame");
      checkChecksum("the content of an LZ4 frame", XxHash32.hash(destination, 0, output));
    }
    Frames.requireEnd(source, position, MAGIC, "LZ4");
  }

  private void readHeader() {
    require(HEADER_BYTE_SIZE_MINIMUM, "the header of an LZ4 frame");
    int magic = LittleEndian.getInt32(source, 0);
    if (magic != MAGIC) {
      throw malformed("the magic number of an LZ4 frame, 0x184d2204", describeMagic(magic), 0);
    }
    long descriptor = MAGIC_BYTE_SIZE;
    flags = LittleEndian.getInt8(source, descriptor) & 0xFF;
    if ((flags & FLG_VERSION_MASK) != FLG_VERSION) {
      throw malformed("version 1 of the LZ4 frame format", "version " + (flags >>> 6), descriptor);
    }
    int byteSize =
        HEADER_BYTE_SIZE_MINIMUM
            + (has(FLG_CONTENT_SIZE) ? CONTENT_SIZE_BYTE_SIZE : 0)
            + (has(FLG_DICTIONARY_ID) ? DICTIONARY_ID_BYTE_SIZE : 0);
    require(byteSize, "the header of an LZ4 frame");
    int checksum = LittleEndian.getInt8(source, byteSize - 1) & 0xFF;
    int computed = XxHash32.hash(source, descriptor, byteSize - 1 - descriptor) >>> 8 & 0xFF;
    if (checksum != computed) {
      throw malformed(
          "0x%02x as the checksum of the LZ4 frame header".formatted(computed),
          "0x%02x".formatted(checksum),
          byteSize - 1);
    }
    checkDescriptor(descriptor);
    position = byteSize;
  }

  private void checkDescriptor(long descriptor) {
    int blockDescriptor = LittleEndian.getInt8(source, descriptor + 1) & 0xFF;
    if (has(FLG_RESERVED) || (blockDescriptor & BD_RESERVED_MASK) != 0) {
      throw malformed(
          "zeros in the reserved bits of the LZ4 frame header",
          "FLG 0x%02x and BD 0x%02x".formatted(flags, blockDescriptor),
          descriptor);
    }
    int blockSizeCode = blockDescriptor >>> BD_BLOCK_SIZE_SHIFT;
    if (blockSizeCode < BLOCK_SIZE_CODE_MINIMUM || blockSizeCode > BLOCK_SIZE_CODE_MAXIMUM) {
      throw malformed(
          "a maximum block size of an LZ4 frame from 4 to 7",
          Integer.toString(blockSizeCode),
          descriptor + 1);
    }
    maximumBlockByteSize = Lz4FrameFormat.maximumBlockByteSize(blockSizeCode);
    long next = descriptor + 2;
    if (has(FLG_CONTENT_SIZE)) {
      long contentByteSize = LittleEndian.getInt64(source, next);
      if (contentByteSize != destination.byteSize()) {
        throw malformed(
            destination.byteSize() + " as the content size of the LZ4 frame",
            Long.toUnsignedString(contentByteSize),
            next);
      }
      next += CONTENT_SIZE_BYTE_SIZE;
    }
    if (has(FLG_DICTIONARY_ID)) {
      long dictionaryId = LittleEndian.getInt32(source, next) & 0xFFFF_FFFFL;
      throw malformed("an LZ4 frame without a dictionary", "dictionary id " + dictionaryId, next);
    }
  }

  /// @return false at the end mark
  private boolean readBlock() {
    require(BLOCK_SIZE_BYTE_SIZE, "an LZ4 block size");
    int blockSize = LittleEndian.getInt32(source, position);
    if (blockSize == END_MARK) {
      position += BLOCK_SIZE_BYTE_SIZE;
      return false;
    }
    int byteSize = blockSize & ~BLOCK_RAW;
    if (byteSize > maximumBlockByteSize) {
      throw malformed(
          "an LZ4 block of at most " + maximumBlockByteSize + " bytes",
          byteSize + " bytes",
          position);
    }
    position += BLOCK_SIZE_BYTE_SIZE;
    require(byteSize, "an LZ4 block");
    long start = position;
    long end = start + byteSize;
    if (has(FLG_BLOCK_CHECKSUMS)) {
      position = end;
      require(CHECKSUM_BYTE_SIZE, "the checksum of an LZ4 block");
      checkChecksum("an LZ4 block", XxHash32.hash(source, start, byteSize));
    } else {
      position = end;
    }
    output = (blockSize & BLOCK_RAW) == 0 ? decodeBlock(start, end) : copyBlock(start, byteSize);
    return true;
  }

  private long decodeBlock(long start, long end) {
    long windowStart = has(FLG_INDEPENDENT_BLOCKS) ? output : 0;
    long room = Math.min(destination.byteSize() - output, maximumBlockByteSize);
    return block.decode(start, end, windowStart, output, output + room);
  }

  private long copyBlock(long start, int byteSize) {
    long room = destination.byteSize() - output;
    if (byteSize > room) {
      throw malformed(
          "at most " + room + " more bytes of content in an LZ4 frame",
          "an uncompressed block of " + byteSize + " bytes",
          start);
    }
    MemorySegment.copy(source, start, destination, output, byteSize);
    return output + byteSize;
  }

  private void checkChecksum(String what, int computed) {
    int checksum = LittleEndian.getInt32(source, position);
    if (checksum != computed) {
      throw malformed(
          "0x%08x as the checksum of %s".formatted(computed, what),
          "0x%08x".formatted(checksum),
          position);
    }
    position += CHECKSUM_BYTE_SIZE;
  }

  private void require(long byteSize, String what) {
    Frames.require(source, position, byteSize, what);
  }

  private boolean has(int flag) {
    return (flags & flag) != 0;
  }

  private static String describeMagic(int magic) {
    String found = "0x%08x".formatted(magic);
    if (magic == LEGACY_MAGIC) {
      return found + ", a legacy LZ4 frame";
    }
    return Frames.isSkippable(magic) ? found + ", a skippable frame" : found;
  }

  private static InputException malformed(String expected, String found, long byteOffset) {
    return new MalformedInputException(expected, found, InputLocation.byteOffset(byteOffset));
  }
}
