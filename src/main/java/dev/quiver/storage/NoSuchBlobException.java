package dev.quiver.storage;

import java.io.IOException;

/// There is no blob under this key.
public final class NoSuchBlobException extends IOException {

  private static final long serialVersionUID = 1;

  public NoSuchBlobException(String key) {
    super("Expected a blob but found none at key " + key);
  }
}
