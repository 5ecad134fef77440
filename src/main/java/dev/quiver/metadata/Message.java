package dev.quiver.metadata;

import dev.quiver.columnar.Metadata;

/// The metadata of an encapsulated message: table `Message` of Message.fbs.
///
/// @param bodyLength bytes of the body that follows the metadata
public record Message(
    MetadataVersion version, MessageHeader header, long bodyLength, Metadata customMetadata) {}
