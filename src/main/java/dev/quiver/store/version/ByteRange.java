package dev.quiver.store.version;

import java.util.Objects;

/// A range of bytes in a version's IPC file.
public record ByteRange(long byteOffset, long byteSize) {

  public long end() {
    return byteOffset + byteSize;
  }

  /// Returns a part of this range.
  ///
  /// @param partOffset of the part, from the start of this range
  /// @throws IndexOutOfBoundsException if the part is not within this range
  public ByteRange slice(long partOffset, long partByteSize) {
    Objects.checkFromIndexSize(partOffset, partByteSize, byteSize);
    return new ByteRange(byteOffset + partOffset, partByteSize);
  }
}
