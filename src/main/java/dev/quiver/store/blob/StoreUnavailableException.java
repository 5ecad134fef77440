package dev.quiver.store.blob;

import java.io.IOException;

/// Thrown if a remote store does not respond, or responds that it is temporarily unavailable.
public final class StoreUnavailableException extends IOException {

  private static final long serialVersionUID = 1;

  public StoreUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
