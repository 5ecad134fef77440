package dev.quiver.dataset.version;

import dev.quiver.codec.Codec;
import dev.quiver.validate.Level;

/// The properties of a written IPC file, as [VersionSummary] reports them.
public record StoredFile(
    long rows,
    long batches,
    long byteSize,
    Codec codec,
    boolean mixedCodecs,
    Level level,
    int schemaMetaDataLength,
    long footerOffset,
    int footerLength) {

  public static final StoredFile NONE =
      new StoredFile(0, 0, 0, Codec.NONE, false, Level.DOMAIN, 0, 0, 0);
}
