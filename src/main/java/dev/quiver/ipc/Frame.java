package dev.quiver.ipc;

import dev.quiver.input.InputLocation;
import java.lang.foreign.MemorySegment;

/// What encapsulates a message: a prefix and metadata, of which nothing is known yet.
///
/// @param index counted from 0
/// @param byteOffset bytes from the start of the input to the prefix
/// @param prefixByteSize 8, or 4 as it was before 0.15: the length without a continuation marker
/// @param metadata the flatbuffer and its padding
public record Frame(long index, long byteOffset, int prefixByteSize, MemorySegment metadata) {

  /// Whether the prefix is that of before 0.15.
  public boolean isLegacy() {
    return prefixByteSize == Framing.LEGACY_PREFIX_BYTE_SIZE;
  }

  /// Bytes of prefix, metadata and padding.
  public int metaDataLength() {
    return Math.toIntExact(prefixByteSize + metadata.byteSize());
  }

  /// For errors about this message.
  public InputLocation place() {
    return InputLocation.message(index, byteOffset);
  }
}
