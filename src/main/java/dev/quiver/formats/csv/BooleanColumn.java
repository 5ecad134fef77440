package dev.quiver.formats.csv;

import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.type.Field;
import dev.quiver.formats.value.BooleanParser;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/// A column of booleans. Spaces around them are ignored.
final class BooleanColumn extends CsvColumn {

  private final boolean canonical;

  /// @param canonical whether only `true` and `false` are booleans
  BooleanColumn(Field field, int index, CsvOptions options, boolean canonical) {
    super(field, index, options);
    this.canonical = canonical;
  }

  @Override
  List<MemorySegment> read(Fields fields, SegmentAllocator allocator) {
    BooleanParser parser = new BooleanParser(canonical);
    MemorySegment values =
        allocator.allocate(Bitmaps.byteSize(fields.rowCount()), Long.BYTES).fill((byte) 0);
    for (int row = 0; row < fields.rowCount(); row++) {
      if (fields.next()) {
        fields.trim();
        if (!parser.parse(fields.text, fields.start, fields.end)) {
          fields.reject();
        }
        if (parser.low() == 1) {
          Bitmaps.set(values, row);
        }
      }
    }
    return List.of(values);
  }
}
