package dev.quiver.dataset.stored;

import dev.quiver.codec.Codec;

/// A record batch message of a version.
///
/// @param rowOffset rows of all earlier batches
/// @param byteOffset where the encapsulated message starts in the IPC file
/// @param metaDataLength bytes of prefix, metadata and padding; the body follows
/// @param codec of the buffers
/// @param uncompressedByteSize bytes of all buffers, decompressed, without padding
public record BatchEntry(
    long index,
    long rowOffset,
    long rows,
    long byteOffset,
    int metaDataLength,
    long bodyLength,
    Codec codec,
    long uncompressedByteSize) {

  /// Returns the bytes of the whole message.
  public long byteSize() {
    return metaDataLength + bodyLength;
  }
}
