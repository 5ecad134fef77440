package dev.quiver.store.version;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Thrown for corrupt stored bytes.
public final class DamagedBlobException extends IOException {

  private static final long serialVersionUID = 1;

  private final String version;
  private final String blob;
  private final long byteOffset;

  DamagedBlobException(String version, String blob, long byteOffset, @Nullable Throwable cause) {
    super(
        "Expected the bytes of %s as they were stored but found damaged ones at byte offset %d of blob %s"
            .formatted(version, byteOffset, blob),
        cause);
    this.version = version;
    this.blob = blob;
    this.byteOffset = byteOffset;
  }

  /// Returns the version that was read, such as `cities@3`.
  public String version() {
    return version;
  }

  /// Returns the key of the blob.
  public String blob() {
    return blob;
  }

  /// Returns the start of the smallest range of the blob that is known to be damaged somewhere.
  public long byteOffset() {
    return byteOffset;
  }
}
