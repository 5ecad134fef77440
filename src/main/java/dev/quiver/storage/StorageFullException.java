package dev.quiver.storage;

import dev.quiver.input.Limit;
import java.io.IOException;
import java.util.List;

/// The store has no space left, or no quota.
public final class StorageFullException extends IOException {

  private static final long serialVersionUID = 1;

  /// What Linux, macOS and Windows say, in English.
  private static final List<String> FULL =
      List.of("No space left", "quota exceeded", "not enough space");

  public StorageFullException(IOException cause) {
    super("Expected space left in the store but found none", cause);
  }

  StorageFullException(Limit limit, long byteSize) {
    super(
        "Expected at most %d bytes in the store (%s) but found %d"
            .formatted(limit.maximum(), limit.key(), byteSize));
  }

  /// `failure`, as one of this kind when the words of the operating system say so.
  public static IOException recognised(IOException failure) {
    String message = String.valueOf(failure.getMessage());
    return !(failure instanceof StorageFullException) && FULL.stream().anyMatch(message::contains)
        ? new StorageFullException(failure)
        : failure;
  }
}
