package dev.quiver.dataset.version;

/// A range of bytes in a version's IPC file.
public record ByteRange(long byteOffset, long byteSize) {

  public long end() {
    return byteOffset + byteSize;
  }
}
