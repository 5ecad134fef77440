package dev.quiver.arrow.memory;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A location in the input. Each layer adds what it knows, from the inside out.
///
/// @param messageIndex the encapsulated message, counted from 0
/// @param byteOffset bytes from the start of the input
/// @param field the path of the field, names joined by dots
/// @param detail the item that the innermost layer was reading, such as `offsets[17]` or
///   `Footer.schema`
public record InputLocation(
    @Nullable Long messageIndex,
    @Nullable Long byteOffset,
    @Nullable String field,
    @Nullable String detail) {

  public static final InputLocation UNKNOWN = new InputLocation(null, null, null, null);

  public static InputLocation message(long messageIndex, long byteOffset) {
    return new InputLocation(messageIndex, byteOffset, null, null);
  }

  public static InputLocation byteOffset(long byteOffset) {
    return new InputLocation(null, byteOffset, null, null);
  }

  public static InputLocation field(String path) {
    return new InputLocation(null, null, path, null);
  }

  public static InputLocation detail(String detail) {
    return new InputLocation(null, null, null, detail);
  }

  public InputLocation withDetail(String newDetail) {
    return new InputLocation(messageIndex, byteOffset, field, newDetail);
  }

  /// Returns this location, completed by the enclosing layer's.
  public InputLocation within(InputLocation outer) {
    return new InputLocation(
        messageIndex != null ? messageIndex : outer.messageIndex,
        byteOffset != null ? byteOffset : outer.byteOffset,
        field != null ? field : outer.field,
        detail != null ? detail : outer.detail);
  }

  /// Returns a phrase such as `message 3, byte offset 1284, field fare.amount, offsets[17]`.
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    if (messageIndex != null) {
      parts.add("message " + messageIndex);
    }
    if (byteOffset != null) {
      parts.add("byte offset " + byteOffset);
    }
    if (field != null) {
      parts.add("field " + field);
    }
    if (detail != null) {
      parts.add(detail);
    }
    return String.join(", ", parts);
  }
}
