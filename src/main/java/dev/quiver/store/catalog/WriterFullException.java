package dev.quiver.store.catalog;

import dev.quiver.arrow.memory.Limit;
import java.io.IOException;

/// Thrown if a write would exceed the bytes that the blobs of its writer may take in the store.
public final class WriterFullException extends IOException {

  private static final long serialVersionUID = 1;

  private final transient Limit limit;

  public WriterFullException(Limit limit, long byteSize) {
    super(
        "Expected at most %d bytes of one principal in the store (%s) but found %d"
            .formatted(limit.maximum(), limit.name(), byteSize));
    this.limit = limit;
  }

  public Limit limit() {
    return limit;
  }
}
