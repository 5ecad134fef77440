package dev.quiver.arrow.metadata;

import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;

/// The metadata of an encapsulated message: table `Message` of Message.fbs.
///
/// @param bodyLength bytes of the body that follows the metadata
public record Message(
    MetadataVersion version, MessageHeader header, long bodyLength, Metadata customMetadata) {

  /// Returns the message of a schema alone.
  public static Message of(Schema schema) {
    return new Message(
        MetadataVersion.V5,
        new MessageHeader.SchemaHeader(schema),
        /* bodyLength= */ 0,
        Metadata.EMPTY);
  }
}
