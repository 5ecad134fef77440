package dev.quiver.dataset.stored;

import dev.quiver.metadata.Block;

/// A dictionary message of a version.
///
/// @param id the id by which fields refer to the dictionary
/// @param block its position in the IPC file
public record DictionaryEntry(long id, Block block) {}
