package dev.quiver.dataset.version;

/// Bytes of the IPC file of a version.
public record ByteRange(long byteOffset, long byteSize) {

  public long end() {
    return byteOffset + byteSize;
  }
}
