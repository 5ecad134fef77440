package dev.quiver.arrow.codec;

/// The constants of the LZ4 frame format, version 1.6.
///
/// ```text
/// Frame      → Magic Descriptor HeaderChecksum Block* EndMark [ContentChecksum]
/// Descriptor → FLG:1 BD:1 [ContentSize:8] [DictionaryId:4]
/// Block      → BlockSize:4 Data [BlockChecksum:4]
/// ```
///
/// All numbers are little-endian. Checksums are xxHash32 with seed 0. The header's checksum is the
/// second byte of the hash of the descriptor. See
/// <https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md>.
final class Lz4FrameFormat {

  static final int MAGIC = 0x184D2204;
  static final int LEGACY_MAGIC = 0x184C2102;

  static final int FLG_VERSION_MASK = 0b1100_0000;
  static final int FLG_VERSION = 0b0100_0000;
  static final int FLG_INDEPENDENT_BLOCKS = 0b0010_0000;
  static final int FLG_BLOCK_CHECKSUMS = 0b0001_0000;
  static final int FLG_CONTENT_SIZE = 0b0000_1000;
  static final int FLG_CONTENT_CHECKSUM = 0b0000_0100;
  static final int FLG_RESERVED = 0b0000_0010;
  static final int FLG_DICTIONARY_ID = 0b0000_0001;

  static final int BD_RESERVED_MASK = 0b1000_1111;
  static final int BD_BLOCK_SIZE_SHIFT = 4;

  /// The codes of the largest block size: 4 is 64 KiB, and each further one is four times as much.
  static final int BLOCK_SIZE_CODE_MINIMUM = 4;

  static final int BLOCK_SIZE_CODE_MAXIMUM = 7;

  /// The flag in a block size of data that is not compressed.
  static final int BLOCK_RAW = 0x8000_0000;

  static final int END_MARK = 0;

  static final int CONTENT_SIZE_BYTE_SIZE = 8;
  static final int DICTIONARY_ID_BYTE_SIZE = 4;
  static final int BLOCK_SIZE_BYTE_SIZE = 4;
  static final int CHECKSUM_BYTE_SIZE = 4;

  /// The size of magic, FLG, BD and header checksum.
  static final int HEADER_BYTE_SIZE_MINIMUM = 7;

  private Lz4FrameFormat() {}

  /// Returns the largest block, in bytes, that a block size code allows.
  static int maximumBlockByteSize(int blockSizeCode) {
    return 1 << 2 * blockSizeCode + 8;
  }
}
