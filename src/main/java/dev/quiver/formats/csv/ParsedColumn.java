package dev.quiver.formats.csv;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.Field;
import dev.quiver.formats.value.ValueParser;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.function.Supplier;

/// A column of values of one to thirty-two bytes. Spaces around them are ignored.
final class ParsedColumn extends CsvColumn {

  private final int byteWidth;
  private final Supplier<ValueParser> parsers;

  ParsedColumn(Field field, int index, CsvOptions options, Supplier<ValueParser> parsers) {
    super(field, index, options);
    this.byteWidth = ValueParser.byteWidth(field.type());
    this.parsers = parsers;
  }

  @Override
  List<MemorySegment> read(Fields fields, SegmentAllocator allocator) {
    ValueParser parser = parsers.get();
    MemorySegment values =
        allocator.allocate((long) fields.rowCount() * byteWidth, /* byteAlignment= */ 16);
    for (int row = 0; row < fields.rowCount(); row++) {
      boolean hasValue = fields.next();
      if (hasValue) {
        fields.trim();
        if (!parser.parse(fields.text, fields.start, fields.end)) {
          fields.reject();
        }
      }
      long low = hasValue ? parser.low() : 0;
      switch (byteWidth) {
        case 1 -> LittleEndian.setInt8(values, row, (byte) low);
        case 2 -> LittleEndian.setInt16(values, (long) row << 1, (short) low);
        case 4 -> LittleEndian.setInt32(values, (long) row << 2, (int) low);
        case 8 -> LittleEndian.setInt64(values, (long) row << 3, low);
        case 16 -> {
          LittleEndian.setInt64(values, (long) row << 4, low);
          LittleEndian.setInt64(values, ((long) row << 4) + 8, hasValue ? parser.high() : 0);
        }
        default -> {
          LittleEndian.setInt64(values, (long) row << 5, low);
          LittleEndian.setInt64(values, ((long) row << 5) + 8, hasValue ? parser.high() : 0);
          LittleEndian.setInt64(values, ((long) row << 5) + 16, hasValue ? parser.third() : 0);
          LittleEndian.setInt64(values, ((long) row << 5) + 24, hasValue ? parser.fourth() : 0);
        }
      }
    }
    return List.of(values);
  }
}
