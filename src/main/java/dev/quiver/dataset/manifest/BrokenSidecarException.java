package dev.quiver.dataset.manifest;

import java.io.IOException;

/// Thrown for a blob under the key of a sidecar whose bytes are not those that were written.
public final class BrokenSidecarException extends IOException {

  private static final long serialVersionUID = 1;

  BrokenSidecarException(String key, Throwable cause) {
    super("Expected a sidecar but found a broken one at blob " + key, cause);
  }
}
