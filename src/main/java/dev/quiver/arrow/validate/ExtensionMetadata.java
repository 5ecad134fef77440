package dev.quiver.arrow.validate;

import dev.quiver.arrow.memory.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/// The metadata of a canonical extension type: empty, or a JSON object.
final class ExtensionMetadata {

  /// A parsed tree takes many times the memory of its text, and no canonical type needs more.
  static final int BYTE_SIZE_MAXIMUM = 1 << 16;

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private final ByteString bytes;
  private final JsonNode json;

  ExtensionMetadata(ByteString bytes) {
    this.bytes = bytes;
    this.json = parse(bytes);
  }

  /// Returns the parsed JSON, or a missing node if it is invalid.
  private static JsonNode parse(ByteString bytes) {
    if (bytes.byteSize() == 0 || bytes.byteSize() > BYTE_SIZE_MAXIMUM) {
      return MissingNode.getInstance();
    }
    try {
      return MAPPER.readTree(bytes.toString());
    } catch (JacksonException e) {
      return MissingNode.getInstance();
    }
  }

  boolean isEmpty() {
    return bytes.byteSize() == 0;
  }

  boolean isObject() {
    return json.isObject();
  }

  boolean hasText(String name) {
    return json.path(name).isString();
  }

  /// Returns the member as a list of sizes, or null if it is not one.
  @Nullable List<Integer> sizes(String name) {
    JsonNode array = json.path(name);
    if (!array.isArray()) {
      return null;
    }
    List<Integer> sizes = new ArrayList<>();
    for (JsonNode size : array) {
      if (!size.isIntegralNumber() || !size.canConvertToInt() || size.intValue() < 0) {
        return null;
      }
      sizes.add(size.intValue());
    }
    return sizes;
  }

  /// Returns whether this is an object whose optional members describe `count` dimensions.
  boolean describesDimensions(int count) {
    return json.isObject()
        && hasOnePerDimension("dim_names", count)
        && isPermutation(count)
        && hasOnePerDimension("uniform_shape", count);
  }

  private boolean hasOnePerDimension(String name, int count) {
    JsonNode member = json.path(name);
    return member.isMissingNode() || member.isNull() || member.isArray() && member.size() == count;
  }

  private boolean isPermutation(int count) {
    if (json.path("permutation").isMissingNode() || json.path("permutation").isNull()) {
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
