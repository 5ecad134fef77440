package dev.quiver.arrow.metadata;

/// The position of an encapsulated message in a file: struct `Block` of File.fbs.
///
/// @param offset bytes from the start of the file to the start of the message, its prefix included
/// @param metaDataLength bytes of prefix, metadata and padding; the body follows
/// @param bodyLength bytes of the body
public record Block(long offset, int metaDataLength, long bodyLength) {

  /// Returns the size of the message, body included.
  public long byteSize() {
    return metaDataLength + bodyLength;
  }

  /// Returns the bytes from the start of the file to the end of the message.
  public long end() {
    return offset + metaDataLength + bodyLength;
  }
}
