package dev.quiver.sql.vector;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.Field;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.Arena;
import java.util.List;

/// A builder of dictionary-encoded texts. All arrays share the dictionary, whose memory lives as
/// long as one of them.
final class EnumBuilder extends FixedWidthBuilder {

  private final ArrayData dictionary;

  EnumBuilder(Field field, Vectors vectors, int byteWidth, List<String> values) {
    super(field, vectors, byteWidth);
    this.dictionary = new ArrayBuilder(Arena.ofAuto()).array(field.withDictionary(null), values);
  }

  @Override
  public ArrayData take() {
    ArrayData indices = super.take();
    return new ArrayData(
        field,
        indices.length(),
        indices.nullCount(),
        indices.buffers(),
        indices.children(),
        dictionary);
  }
}
