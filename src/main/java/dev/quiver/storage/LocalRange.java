package dev.quiver.storage;

import java.nio.file.Path;

/// A range of a local file.
public record LocalRange(Path file, long byteOffset, long byteSize) {}
