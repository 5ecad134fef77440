package dev.quiver.arrow.codec;

import static dev.quiver.arrow.codec.Frames.MAGIC_BYTE_SIZE;

import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.MalformedInputException;
import java.lang.foreign.MemorySegment;

/// Checks that a segment is one Zstandard frame by its header, the sizes of its blocks, and its
/// end: RFC 8878, section 3.1.1.
///
/// zstd-jni decodes any number of frames in a row, and ignores skippable ones. Its
/// `findFrameCompressedSize` would detect these, but takes buffers below 2 GiB, and reports neither
/// a fault nor its position. It saves no time: for a frame of 8 MiB of text this check and that
/// function take a quarter of a microsecond each, and decoding 4.8 ms.
///
/// ```text
/// Frame  → Magic:4 Header Block+ [Checksum:4]
/// Header → Descriptor:1 [WindowDescriptor:1] [DictionaryId:1,2,4] [ContentSize:1,2,4,8]
/// Block  → BlockHeader:3 Data
/// ```
final class ZstandardFrame {

  static final int MAGIC = 0xFD2FB528;
  private static final int CHECKSUM_BYTE_SIZE = 4;
  private static final int BLOCK_HEADER_BYTE_SIZE = 3;

  private static final int SINGLE_SEGMENT = 0b0010_0000;
  private static final int RESERVED = 0b0000_1000;
  private static final int CHECKSUM = 0b0000_0100;
  private static final int[] DICTIONARY_ID_BYTE_SIZES = {0, 1, 2, 4};
  private static final int[] CONTENT_SIZE_BYTE_SIZES = {0, 2, 4, 8};

  /// The content size that zeros in a field of two bytes stand for.
  private static final int CONTENT_SIZE_OF_TWO_BYTES_BASE = 256;

  /// The reference implementation accepts windows of up to 2³¹ bytes and seven eighths more. The
  /// content is its own window, so a large one costs nothing here.
  private static final int WINDOW_EXPONENT_MAXIMUM = 31;

  static final int WINDOW_EXPONENT_BASE = 10;
  static final int BLOCK_BYTE_SIZE_MAXIMUM = 128 << 10;

  private static final int BLOCK_TYPE_RUN = 1;
  private static final int BLOCK_TYPE_RESERVED = 3;

  private final MemorySegment source;
  private final long contentByteSize;
  private long position;
  private int descriptor;

  private ZstandardFrame(MemorySegment source, long contentByteSize) {
    this.source = source;
    this.contentByteSize = contentByteSize;
  }

  /// Checks that a segment is one frame that can have `contentByteSize` bytes of content.
  ///
  /// @throws InputException if it is not; its location is a byte offset in `source`
  static void check(MemorySegment source, long contentByteSize) {
    ZstandardFrame frame = new ZstandardFrame(source, contentByteSize);
    frame.checkHeader();
    while (frame.checkBlock()) {}
    frame.checkEnd();
  }

  private void checkHeader() {
    require(MAGIC_BYTE_SIZE + 1, "the magic number and the descriptor of a Zstandard frame");
    int magic = LittleEndian.getInt32(source, 0);
    if (magic != MAGIC) {
      throw malformed(
          "the magic number of a Zstandard frame, 0xfd2fb528",
          "0x%08x%s".formatted(magic, Frames.isSkippable(magic) ? ", a skippable frame" : ""),
          0);
    }
    descriptor = LittleEndian.getInt8(source, MAGIC_BYTE_SIZE) & 0xFF;
    if ((descriptor & RESERVED) != 0) {
      throw malformed(
          "zero in the reserved bit of the Zstandard frame header",
          "descriptor 0x%02x".formatted(descriptor),
          MAGIC_BYTE_SIZE);
    }
    position = MAGIC_BYTE_SIZE + 1;
    boolean singleSegment = isSingleSegment(descriptor);
    int windowByteSize = singleSegment ? 0 : 1;
    int dictionaryIdByteSize = dictionaryIdByteSize(descriptor);
    int contentSizeByteSize = contentSizeByteSize(descriptor);
    require(
        windowByteSize + dictionaryIdByteSize + contentSizeByteSize,
        "the rest of the Zstandard frame header");
    if (!singleSegment) {
      checkWindow();
    }
    if (dictionaryIdByteSize != 0) {
      checkDictionaryId(dictionaryIdByteSize);
    }
    if (contentSizeByteSize != 0) {
      checkContentSize(contentSizeByteSize);
    }
  }

  /// Returns whether the content is its own window.
  static boolean isSingleSegment(int descriptor) {
    return (descriptor & SINGLE_SEGMENT) != 0;
  }

  static int dictionaryIdByteSize(int descriptor) {
    return DICTIONARY_ID_BYTE_SIZES[descriptor & 3];
  }

  static int contentSizeByteSize(int descriptor) {
    int byteSize = CONTENT_SIZE_BYTE_SIZES[descriptor >>> 6];
    return byteSize == 0 && isSingleSegment(descriptor) ? 1 : byteSize;
  }

  private void checkWindow() {
    int exponent = WINDOW_EXPONENT_BASE + ((LittleEndian.getInt8(source, position) & 0xFF) >>> 3);
    if (exponent > WINDOW_EXPONENT_MAXIMUM) {
      throw malformed(
          "a window of the Zstandard frame of less than 4 GiB",
          "one of 2^" + exponent + " bytes or more",
          position);
    }
    position++;
  }

  private void checkDictionaryId(int byteSize) {
    long dictionaryId = unsigned(source, position, byteSize);
    if (dictionaryId != 0) {
      throw malformed(
          "a Zstandard frame without a dictionary", "dictionary id " + dictionaryId, position);
    }
    position += byteSize;
  }

  private void checkContentSize(int byteSize) {
    long found = contentByteSize(source, position, byteSize);
    if (found != contentByteSize) {
      throw malformed(
          contentByteSize + " as the content size of the Zstandard frame",
          Long.toUnsignedString(found),
          position);
    }
    position += byteSize;
  }

  /// @return whether another block follows
  private boolean checkBlock() {
    require(BLOCK_HEADER_BYTE_SIZE, "a Zstandard block header");
    int header =
        LittleEndian.getInt16(source, position) & 0xFFFF
            | (LittleEndian.getInt8(source, position + 2) & 0xFF) << 16;
    int type = header >>> 1 & 3;
    int byteSize = header >>> 3;
    if (type == BLOCK_TYPE_RESERVED) {
      throw malformed("a Zstandard block type from 0 to 2", Integer.toString(type), position);
    }
    if (byteSize > BLOCK_BYTE_SIZE_MAXIMUM) {
      throw malformed(
          "a Zstandard block of at most " + BLOCK_BYTE_SIZE_MAXIMUM + " bytes",
          byteSize + " bytes",
          position);
    }
    position += BLOCK_HEADER_BYTE_SIZE;
    int dataByteSize = type == BLOCK_TYPE_RUN ? 1 : byteSize;
    require(dataByteSize, "a Zstandard block");
    position += dataByteSize;
    boolean last = (header & 1) != 0;
    return !last;
  }

  private void checkEnd() {
    if ((descriptor & CHECKSUM) != 0) {
      require(CHECKSUM_BYTE_SIZE, "the checksum of a Zstandard frame");
      position += CHECKSUM_BYTE_SIZE;
    }
    Frames.requireEnd(source, position, MAGIC, "Zstandard");
  }

  /// @return an unsigned number
  static long contentByteSize(MemorySegment source, long position, int byteSize) {
    return unsigned(source, position, byteSize)
        + (byteSize == 2 ? CONTENT_SIZE_OF_TWO_BYTES_BASE : 0);
  }

  private static long unsigned(MemorySegment source, long position, int byteSize) {
    return switch (byteSize) {
      case 1 -> LittleEndian.getInt8(source, position) & 0xFFL;
      case 2 -> LittleEndian.getInt16(source, position) & 0xFFFFL;
      case 4 -> LittleEndian.getInt32(source, position) & 0xFFFF_FFFFL;
      default -> LittleEndian.getInt64(source, position);
    };
  }

  private void require(long byteSize, String what) {
    Frames.require(source, position, byteSize, what);
  }

  private static InputException malformed(String expected, String found, long byteOffset) {
    return new MalformedInputException(expected, found, InputLocation.byteOffset(byteOffset));
  }
}
