package dev.quiver.arrow.validate;

import dev.quiver.arrow.memory.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The metadata of a canonical extension type: empty, or a JSON object.
final class ExtensionMetadata {

  /// A parsed tree takes many times the memory of its text, and no canonical type needs more.
  static final int BYTE_SIZE_MAXIMUM = 1 << 16;

  private final ByteString bytes;

  /// The members of the object, or null if this is not one.
  private final @Nullable Map<String, Object> members;

  ExtensionMetadata(ByteString bytes) {
    this.bytes = bytes;
    this.members = members(bytes);
  }

  @SuppressWarnings("unchecked")
  private static @Nullable Map<String, Object> members(ByteString bytes) {
    return bytes.byteSize() <= BYTE_SIZE_MAXIMUM
            && MetadataJson.parse(bytes.toString()) instanceof Map<?, ?> object
        ? (Map<String, Object>) object
        : null;
  }

  boolean isEmpty() {
    return bytes.byteSize() == 0;
  }

  boolean isObject() {
    return members != null;
  }

  boolean hasText(String name) {
    return member(name) instanceof String;
  }

  /// Returns the member, or null if it is absent or null.
  private @Nullable Object member(String name) {
    return members == null ? null : members.get(name);
  }

  /// Returns the member as a list of sizes, or null if it is not one.
  @Nullable List<Integer> sizes(String name) {
    if (!(member(name) instanceof List<?> array)) {
      return null;
    }
    List<Integer> sizes = new ArrayList<>();
    for (Object element : array) {
      if (!(element instanceof Integer size) || size < 0) {
        return null;
      }
      sizes.add(size);
    }
    return sizes;
  }

  /// Returns whether this is an object whose optional members describe `count` dimensions.
  boolean describesDimensions(int count) {
    return isObject()
        && hasOnePerDimension("dim_names", count)
        && isPermutation(count)
        && hasOnePerDimension("uniform_shape", count);
  }

  private boolean hasOnePerDimension(String name, int count) {
    Object member = member(name);
    return member == null || member instanceof List<?> array && array.size() == count;
  }

  private boolean isPermutation(int count) {
    if (member("permutation") == null) {
      return true;
    }
    List<Integer> permutation = sizes("permutation");
    return permutation != null
        && permutation.size() == count
        && permutation.stream().distinct().filter(index -> index < count).count() == count;
  }

  /// Returns the beginning of the text.
  String describe() {
    if (isEmpty()) {
      return "nothing";
    }
    byte[] all = bytes.toByteArray();
    String text = new String(all, 0, Math.min(all.length, 400), StandardCharsets.UTF_8);
    return Findings.excerpt(text);
  }
}
