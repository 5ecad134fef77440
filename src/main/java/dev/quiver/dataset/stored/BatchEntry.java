package dev.quiver.dataset.stored;

import dev.quiver.codec.Codec;
import dev.quiver.metadata.Block;

/// A record batch message of a version.
///
/// @param rowOffset rows of all earlier batches
/// @param block its position in the IPC file
/// @param codec of the buffers
/// @param uncompressedByteSize bytes of all buffers, decompressed, without padding
public record BatchEntry(
    long index, long rowOffset, long rows, Block block, Codec codec, long uncompressedByteSize) {}
