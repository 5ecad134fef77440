package dev.quiver.arrow.ipc;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageHeader;
import java.lang.foreign.MemorySegment;

/// An encapsulated message of a stream or file, without its body.
///
/// @param index counted from 0 in a stream, including the schema; the footer's order in a file
/// @param byteOffset bytes from the start of the input to the prefix
/// @param prefixByteSize bytes before the metadata: 8, or 4 before release 0.15
/// @param metaDataLength bytes of prefix, metadata and padding
/// @param metadata the flatbuffer and its padding
/// @param message the decoded flatbuffer
public record EncapsulatedMessage(
    long index,
    long byteOffset,
    int prefixByteSize,
    int metaDataLength,
    MemorySegment metadata,
    Message message) {

  /// Returns the same message with another header.
  public EncapsulatedMessage withHeader(MessageHeader header) {
    return new EncapsulatedMessage(
        index,
        byteOffset,
        prefixByteSize,
        metaDataLength,
        metadata,
        new Message(message.version(), header, message.bodyLength(), message.customMetadata()));
  }

  /// Returns the location of this message, for errors.
  public InputLocation place() {
    return InputLocation.message(index, byteOffset);
  }

  /// Returns the position of the message as a footer declares it.
  public Block block() {
    return new Block(byteOffset, metaDataLength, message.bodyLength());
  }
}
