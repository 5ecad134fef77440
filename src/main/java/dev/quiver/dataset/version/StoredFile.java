package dev.quiver.dataset.version;

import dev.quiver.metadata.CompressionType;
import dev.quiver.validate.Level;
import org.jspecify.annotations.Nullable;

/// What is known of an IPC file that was written: the part of [VersionSummary] that tells of it.
public record StoredFile(
    long rows,
    long batches,
    long byteSize,
    @Nullable CompressionType codec,
    boolean mixedCodecs,
    Level level,
    int schemaMetaDataLength,
    long footerOffset,
    int footerLength) {

  public static final StoredFile NONE = new StoredFile(0, 0, 0, null, false, Level.DOMAIN, 0, 0, 0);
}
