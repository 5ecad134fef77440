package dev.quiver.store.blob;

import java.nio.file.Path;

/// A range of a local file that has a range of a blob at the same offset.
///
/// @param blob the key of the blob
/// @param checksums of the range, with offsets from its start
public record LocalRange(
    String blob, Path file, long byteOffset, long byteSize, BlockChecksums checksums) {}
