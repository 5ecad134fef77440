package dev.quiver.dataset.stored;

import dev.quiver.storage.Blob;

/// A range of an open blob. A [dev.quiver.dataset.version.BlobExtent] only names its blob.
public record BlobRange(Blob blob, long byteOffset, long byteSize) {}
