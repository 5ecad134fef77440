package dev.quiver.ipc;

import dev.quiver.memory.LittleEndian;
import java.lang.foreign.MemorySegment;

/// The fixed bytes between the messages of streams and files.
public final class Framing {

  /// What begins every message since 0.15.
  public static final int CONTINUATION = 0xFFFFFFFF;

  /// Bytes of continuation marker and metadata length.
  public static final int PREFIX_BYTE_SIZE = 8;

  /// Bytes of the metadata length alone, as messages began before 0.15.
  public static final int LEGACY_PREFIX_BYTE_SIZE = 4;

  /// What every message, and every buffer in a body, starts on a multiple of.
  public static final int ALIGNMENT = 8;

  /// What buffers start on a multiple of in the bodies that we lay out.
  public static final int BODY_ALIGNMENT = 64;

  /// Bytes of a file before its first message: the magic, padded.
  public static final int FILE_HEADER_BYTE_SIZE = 8;

  /// Bytes of a file after its footer: the footer's length and the magic.
  public static final int FILE_TRAILER_BYTE_SIZE = 10;

  private static final byte[] MAGIC = {'A', 'R', 'R', 'O', 'W', '1'};

  private Framing() {}

  /// Whether `ARROW1` stands at `byteOffset`.
  public static boolean isMagic(MemorySegment bytes, long byteOffset) {
    return byteOffset >= 0
        && bytes.byteSize() - byteOffset >= MAGIC.length
        && bytes.asSlice(byteOffset, MAGIC.length).mismatch(MemorySegment.ofArray(MAGIC)) < 0;
  }

  /// The bytes that a file starts with.
  public static MemorySegment fileHeader() {
    MemorySegment header = MemorySegment.ofArray(new byte[FILE_HEADER_BYTE_SIZE]);
    MemorySegment.copy(MAGIC, 0, header, LittleEndian.INT8, 0, MAGIC.length);
    return header.asReadOnly();
  }

  /// The bytes that a file ends with, after a footer of `footerByteSize`.
  public static MemorySegment fileTrailer(int footerByteSize) {
    MemorySegment trailer = MemorySegment.ofArray(new byte[FILE_TRAILER_BYTE_SIZE]);
    LittleEndian.setInt32(trailer, 0, footerByteSize);
    MemorySegment.copy(MAGIC, 0, trailer, LittleEndian.INT8, 4, MAGIC.length);
    return trailer.asReadOnly();
  }

  /// The bytes before metadata of `metadataByteSize`, padding included; with 0 the end of the
  /// stream.
  public static MemorySegment prefix(int metadataByteSize) {
    MemorySegment prefix = MemorySegment.ofArray(new byte[PREFIX_BYTE_SIZE]);
    LittleEndian.setInt32(prefix, 0, CONTINUATION);
    LittleEndian.setInt32(prefix, 4, metadataByteSize);
    return prefix.asReadOnly();
  }

  /// The bytes that end a stream.
  public static MemorySegment endOfStream() {
    return prefix(0);
  }
}
