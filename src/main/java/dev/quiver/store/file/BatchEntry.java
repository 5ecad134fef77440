package dev.quiver.store.file;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.metadata.Block;

/// A record batch message of a version.
///
/// @param rowOffset the number of rows in all earlier batches
/// @param block its position in the IPC file
/// @param codec the codec of the buffers
/// @param uncompressedByteSize the size of all buffers after decompression, without padding
public record BatchEntry(
    long index, long rowOffset, long rows, Block block, Codec codec, long uncompressedByteSize) {}
