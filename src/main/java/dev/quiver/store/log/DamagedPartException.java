package dev.quiver.store.log;

import java.io.IOException;

/// Thrown if the bytes of a part differ from the ones that arrived. The upload cannot be stored.
public final class DamagedPartException extends IOException {

  private static final long serialVersionUID = 1;

  private final String blob;

  DamagedPartException(String blob) {
    super(
        "Expected the bytes of a part of an upload as they arrived but found damaged ones at blob %s"
            .formatted(blob));
    this.blob = blob;
  }

  /// Returns the key of the part.
  public String blob() {
    return blob;
  }
}
