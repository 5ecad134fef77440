package dev.quiver.store.blob;

import dev.quiver.arrow.memory.Limit;
import java.io.IOException;
import java.util.List;

/// Thrown if the store has no space or quota left.
public final class StorageFullException extends IOException {

  private static final long serialVersionUID = 1;

  /// The English error messages of Linux, macOS and Windows.
  private static final List<String> FULL =
      List.of("No space left", "quota exceeded", "not enough space");

  public StorageFullException(IOException cause) {
    super("Expected space left in the store but found none", cause);
  }

  private StorageFullException(IOException cause, String key) {
    super("Expected space left in the folder of " + key + " but found too little", cause);
  }

  StorageFullException(Limit limit, long byteSize) {
    super(
        "Expected at most %d bytes in the store (%s) but found %d"
            .formatted(limit.maximum(), limit.name(), byteSize));
  }

  /// Throws this exception if a failure says that a folder is full.
  ///
  /// @param key the key that names the folder
  public static void throwIfCause(IOException failure, String key) throws StorageFullException {
    if (recognized(failure) instanceof StorageFullException) {
      throw new StorageFullException(failure, key);
    }
  }

  /// Returns `failure`, converted to this class if the operating system's message says so.
  public static IOException recognized(IOException failure) {
    String message = String.valueOf(failure.getMessage());
    return !(failure instanceof StorageFullException) && FULL.stream().anyMatch(message::contains)
        ? new StorageFullException(failure)
        : failure;
  }
}
