package dev.quiver.dataset.stored;

/// A dictionary message of a version.
///
/// @param id by which fields refer to the dictionary
/// @param byteOffset where the encapsulated message starts in the IPC file
/// @param byteSize of the message, body included
public record DictionaryEntry(long id, long byteOffset, long byteSize) {}
