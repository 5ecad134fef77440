package dev.quiver.storage;

import java.io.IOException;

/// A remote store did not answer, or only that it cannot at the moment.
public final class StoreUnavailableException extends IOException {

  private static final long serialVersionUID = 1;

  public StoreUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
