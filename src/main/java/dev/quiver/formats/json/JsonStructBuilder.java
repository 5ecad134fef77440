package dev.quiver.formats.json;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.Field;
import dev.quiver.formats.json.JsonErrors.InvalidValueException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonToken;

/// An array of structs. Keys without a child are left out: the type has all keys that are kept.
final class JsonStructBuilder extends JsonBuilder {

  private final List<JsonBuilder> children = new ArrayList<>();
  private final JsonKey[] keys;
  private final Map<String, Integer> indices = new HashMap<>();

  JsonStructBuilder(Field field, JsonBuilders builders) {
    super(field);
    for (Field child : field.children()) {
      indices.putIfAbsent(child.name(), children.size());
      children.add(builders.of(child));
    }
    this.keys =
        field.children().stream().map(child -> new JsonKey(child.name())).toArray(JsonKey[]::new);
  }

  @Override
  void reset() {
    super.reset();
    children.forEach(JsonBuilder::reset);
  }

  @Override
  void addValue(JsonTokens tokens, JsonToken token) {
    if (token != JsonToken.START_OBJECT) {
      readScalar(tokens, token);
      throw invalid(tokens);
    }
    int next = 0;
    while (true) {
      int index = next;
      if (next >= keys.length || !tokens.readKey(keys[next])) {
        if (tokens.required() != JsonToken.PROPERTY_NAME) {
          return;
        }
        index = index(tokens.name());
      }
      next = index + 1;
      JsonToken value = tokens.required();
      if (index < 0) {
        tokens.skip(value);
      } else {
        addValue(tokens, value, children.get(index));
      }
    }
  }

  private int index(String key) {
    Integer index = indices.get(key);
    return index == null ? -1 : index;
  }

  private void addValue(JsonTokens tokens, JsonToken token, JsonBuilder child) {
    try {
      child.addNulls(length);
      if (child.length > length) {
        throw new IllegalStateException("Expected each key once but found " + child.field.name());
      }
      child.add(tokens, token);
    } catch (InvalidValueException e) {
      throw e.within(child.field.name());
    }
  }

  @Override
  void addEmpty() {
    // The children get nulls once they have a value again, or at the end.
  }

  @Override
  List<MemorySegment> buffers(SegmentAllocator allocator) {
    return List.of();
  }

  @Override
  List<ArrayData> children(SegmentAllocator allocator) {
    List<ArrayData> arrays = new ArrayList<>();
    for (JsonBuilder child : children) {
      child.addNulls(length);
      arrays.add(child.build(allocator));
    }
    return arrays;
  }
}
