package dev.quiver.store.version;

import java.io.IOException;

/// Thrown for a blob under the key of a sidecar whose bytes are corrupt.
public final class BrokenSidecarException extends IOException {

  private static final long serialVersionUID = 1;

  private final long byteOffset;

  BrokenSidecarException(String key, Throwable cause) {
    super("Expected a sidecar but found a broken one at blob " + key, cause);
    this.byteOffset = BrokenBytesException.byteOffset(cause);
  }

  /// Returns the start of the bytes that are broken somewhere.
  public long byteOffset() {
    return byteOffset;
  }
}
