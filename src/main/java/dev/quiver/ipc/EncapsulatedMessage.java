package dev.quiver.ipc;

import dev.quiver.input.InputLocation;
import dev.quiver.metadata.Block;
import dev.quiver.metadata.Message;
import java.lang.foreign.MemorySegment;

/// A message as it lies in a stream or file, without its body.
///
/// @param index counted from 0, the schema included; in a file by the footer
/// @param byteOffset bytes from the start of the input to the prefix
/// @param prefixByteSize bytes before the metadata: 8, or 4 as before 0.15
/// @param metaDataLength bytes of prefix, metadata and padding
/// @param metadata the flatbuffer and its padding
/// @param message what the flatbuffer says
public record EncapsulatedMessage(
    long index,
    long byteOffset,
    int prefixByteSize,
    int metaDataLength,
    MemorySegment metadata,
    Message message) {

  /// For errors about this message.
  public InputLocation place() {
    return InputLocation.message(index, byteOffset);
  }

  /// Where the message lies, as a footer says it.
  public Block block() {
    return new Block(byteOffset, metaDataLength, message.bodyLength());
  }
}
