package dev.quiver.dataset.stored;

import dev.quiver.storage.Blob;

/// A range of an open blob.
public record BlobRange(Blob blob, long byteOffset, long byteSize) {}
