package dev.quiver.arrow.ipc;

import dev.quiver.arrow.memory.InputLocation;
import java.lang.foreign.MemorySegment;

/// The encapsulation of a message: a prefix and undecoded metadata.
///
/// @param index counted from 0
/// @param byteOffset bytes from the start of the input to the prefix
/// @param prefixByteSize 8, or 4 before release 0.15: the length without a continuation marker
/// @param metadata the flatbuffer and its padding
public record Frame(long index, long byteOffset, int prefixByteSize, MemorySegment metadata) {

  /// Returns whether the prefix has the form used before release 0.15.
  public boolean isLegacy() {
    return prefixByteSize == Framing.LEGACY_PREFIX_BYTE_SIZE;
  }

  /// Returns the bytes of prefix, metadata and padding.
  public int metaDataLength() {
    return Math.toIntExact(prefixByteSize + metadata.byteSize());
  }

  /// Returns the location of this message, for errors.
  public InputLocation place() {
    return InputLocation.message(index, byteOffset);
  }
}
