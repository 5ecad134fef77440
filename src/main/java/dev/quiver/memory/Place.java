package dev.quiver.memory;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where in an input something was found. Each layer adds what it knows, from the inside out.
///
/// @param messageIndex the encapsulated message, counted from 0
/// @param byteOffset bytes from the start of the input
/// @param field the path of the field, names joined by dots
/// @param detail what the innermost layer was reading, such as `offsets[17]` or `Footer.schema`
public record Place(
    @Nullable Long messageIndex,
    @Nullable Long byteOffset,
    @Nullable String field,
    @Nullable String detail) {

  public static final Place UNKNOWN = new Place(null, null, null, null);

  public static Place message(long messageIndex, long byteOffset) {
    return new Place(messageIndex, byteOffset, null, null);
  }

  public static Place byteOffset(long byteOffset) {
    return new Place(null, byteOffset, null, null);
  }

  public static Place field(String path) {
    return new Place(null, null, path, null);
  }

  public static Place detail(String detail) {
    return new Place(null, null, null, detail);
  }

  public Place withDetail(String newDetail) {
    return new Place(messageIndex, byteOffset, field, newDetail);
  }

  /// This place, completed by what the layer around it knows.
  public Place within(Place outer) {
    return new Place(
        messageIndex != null ? messageIndex : outer.messageIndex,
        byteOffset != null ? byteOffset : outer.byteOffset,
        field != null ? field : outer.field,
        detail != null ? detail : outer.detail);
  }

  /// Such as `message 3, byte offset 1284, field fare.amount, offsets[17]`.
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
