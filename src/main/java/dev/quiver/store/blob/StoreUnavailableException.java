package dev.quiver.store.blob;

import java.io.IOException;

/// Thrown if a store does not respond, denies access, or responds that it is temporarily
/// unavailable; for a folder, if it is gone, read-only or cannot be read.
public final class StoreUnavailableException extends IOException {

  private static final long serialVersionUID = 1;

  public StoreUnavailableException(String message) {
    super(message);
  }

  public StoreUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
