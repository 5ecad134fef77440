package dev.quiver.store.version;

/// Thrown for corrupt bytes of a manifest or a sidecar.
final class BrokenBytesException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final long byteOffset;

  BrokenBytesException(long byteOffset, int expected, int found) {
    super("Expected bytes with CRC-32C %08x but found %08x".formatted(expected, found));
    this.byteOffset = byteOffset;
  }

  /// Returns the start of the bytes that a failure is about: 0 unless a section is broken.
  static long byteOffset(Throwable failure) {
    return failure instanceof BrokenBytesException broken ? broken.byteOffset : 0;
  }
}
