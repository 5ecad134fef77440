package dev.quiver.engine.scan;

import dev.quiver.columnar.Array;
import dev.quiver.columnar.ArrayData;
import dev.quiver.engine.library.Vectors;
import dev.quiver.engine.type.ConversionException;
import dev.quiver.memory.ByteString;
import dev.quiver.memory.LittleEndian;
import java.util.HashSet;
import java.util.Set;

/// Maps: lists of entries, whose keys must be distinct and not null.
final class MapFiller extends ListFiller {

  private final Array keys;

  MapFiller(ArrayData array, Vectors vectors, VectorFiller entries) {
    super(array, vectors, entries);
    this.keys = Array.of(entries.array.children().getFirst());
  }

  @Override
  void checkItems(long start, long end) {
    for (long key = start; key < end; key++) {
      require(!keys.isNull(key), "keys that are not null");
    }
    if (end - start > 1 && keys instanceof Array.Bytes bytes) {
      Set<ByteString> distinct = new HashSet<>();
      for (long key = start; key < end; key++) {
        byte[] value = bytes.bytes(key).toArray(LittleEndian.INT8);
        require(distinct.add(ByteString.of(value)), "distinct keys");
      }
    }
  }

  private void require(boolean holds, String expected) {
    if (!holds) {
      throw new ConversionException(
          "Expected %s but found others in a map of column %s"
              .formatted(expected, array.field().name()));
    }
  }
}
