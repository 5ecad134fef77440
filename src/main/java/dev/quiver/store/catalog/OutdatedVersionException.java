package dev.quiver.store.catalog;

import java.io.IOException;

/// Thrown by an update that has waited, so that the version to which it was applied may no longer
/// be the latest. It is applied to the latest one again.
public final class OutdatedVersionException extends IOException {

  private static final long serialVersionUID = 1L;

  public OutdatedVersionException() {
    super("Expected the latest version but found that it may have been replaced");
  }
}
