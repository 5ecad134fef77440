package dev.quiver.store.blob;

import java.io.IOException;

/// Thrown if no blob exists under a key.
public final class NoSuchBlobException extends IOException {

  private static final long serialVersionUID = 1;

  private final String key;

  public NoSuchBlobException(String key) {
    super("Expected a blob but found none at key " + key);
    this.key = key;
  }

  public String key() {
    return key;
  }
}
