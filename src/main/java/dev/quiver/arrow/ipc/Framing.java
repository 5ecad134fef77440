package dev.quiver.arrow.ipc;

import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;

/// The fixed bytes between the messages of streams and files.
public final class Framing {

  /// The marker at the start of every message since release 0.15.
  public static final int CONTINUATION = 0xFFFFFFFF;

  /// The size of continuation marker and metadata length.
  public static final int PREFIX_BYTE_SIZE = 8;

  /// The size of the metadata length alone, with which messages started before release 0.15.
  public static final int LEGACY_PREFIX_BYTE_SIZE = 4;

  /// The alignment of every message, and of every buffer in a body.
  public static final int ALIGNMENT = 8;

  /// The alignment of buffers in the bodies that we write.
  public static final int BODY_ALIGNMENT = 64;

  /// The size of the padded magic before the first message of a file.
  public static final int FILE_HEADER_BYTE_SIZE = 8;

  /// The size of the footer's length and the magic at the end of a file.
  public static final int FILE_TRAILER_BYTE_SIZE = 10;

  private static final byte[] MAGIC = {'A', 'R', 'R', 'O', 'W', '1'};

  private Framing() {}

  /// Returns whether `ARROW1` is at `byteOffset`.
  public static boolean isMagic(MemorySegment bytes, long byteOffset) {
    return byteOffset >= 0
        && bytes.byteSize() - byteOffset >= MAGIC.length
        && bytes.asSlice(byteOffset, MAGIC.length).mismatch(MemorySegment.ofArray(MAGIC)) < 0;
  }

  /// Returns the bytes at the start of a file.
  public static MemorySegment fileHeader() {
    MemorySegment header = MemorySegment.ofArray(new byte[FILE_HEADER_BYTE_SIZE]);
    MemorySegment.copy(MAGIC, 0, header, LittleEndian.INT8, 0, MAGIC.length);
    return header.asReadOnly();
  }

  /// Returns the bytes at the end of a file, after a footer of `footerByteSize`.
  public static MemorySegment fileTrailer(int footerByteSize) {
    MemorySegment trailer = MemorySegment.ofArray(new byte[FILE_TRAILER_BYTE_SIZE]);
    LittleEndian.setInt32(trailer, 0, footerByteSize);
    MemorySegment.copy(MAGIC, 0, trailer, LittleEndian.INT8, 4, MAGIC.length);
    return trailer.asReadOnly();
  }

  /// Returns the bytes before metadata of `metadataByteSize`, which includes padding; 0 ends the
  /// stream.
  public static MemorySegment prefix(int metadataByteSize) {
    MemorySegment prefix = MemorySegment.ofArray(new byte[PREFIX_BYTE_SIZE]);
    LittleEndian.setInt32(prefix, 0, CONTINUATION);
    LittleEndian.setInt32(prefix, 4, metadataByteSize);
    return prefix.asReadOnly();
  }

  /// Returns the bytes at the end of a stream.
  public static MemorySegment endOfStream() {
    return prefix(0);
  }
}
