package dev.quiver.store.write;

import dev.quiver.arrow.memory.InputLocation;

/// Reports a stream that ends without the end-of-stream marker, although nothing else says that it
/// is complete.
public final class MissingEndOfStreamException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final int batchCount;
  private final long byteOffset;

  MissingEndOfStreamException(int batchCount, long byteOffset) {
    super(
        "Expected the end-of-stream marker but found the end of the body after %d record batch%s at %s; ?truncated=accept stores them"
            .formatted(
                batchCount, batchCount == 1 ? "" : "es", InputLocation.byteOffset(byteOffset)));
    this.batchCount = batchCount;
    this.byteOffset = byteOffset;
  }

  /// Returns the number of record batches that arrived.
  public int batchCount() {
    return batchCount;
  }

  /// Returns the size of the body.
  public long byteOffset() {
    return byteOffset;
  }
}
