package dev.quiver.formats.csv;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/// A column of text, or of bytes as base64 (RFC 4648, section 4).
final class BytesColumn extends CsvColumn {

  /// The maximum length that is copied as four words.
  private static final int WORDS_BYTE_SIZE = 4 * Long.BYTES;

  private final boolean binary;

  BytesColumn(Field field, int index, CsvOptions options) {
    super(field, index, options);
    this.binary = field.type() instanceof ArrowType.Binary;
  }

  @Override
  List<MemorySegment> read(Fields fields, SegmentAllocator allocator) {
    int rowCount = fields.rowCount();
    MemorySegment offsets = allocator.allocate((rowCount + 1L) * Integer.BYTES, Long.BYTES);
    // Words are written beyond the last value.
    MemorySegment values = allocator.allocate(fields.byteSize() + WORDS_BYTE_SIZE, Long.BYTES);
    int position = 0;
    LittleEndian.setInt32(offsets, 0, 0);
    for (int row = 0; row < rowCount; row++) {
      if (fields.next()) {
        if (binary) {
          decode(fields);
        }
        copy(fields, values, position);
        position += fields.end - fields.start;
      }
      LittleEndian.setInt32(offsets, (row + 1L) << 2, position);
    }
    return List.of(offsets, values.asSlice(0, position));
  }

  private static void copy(Fields fields, MemorySegment values, long position) {
    int byteSize = fields.end - fields.start;
    byte[] text = fields.text;
    int start = fields.start;
    if (byteSize > WORDS_BYTE_SIZE || start + WORDS_BYTE_SIZE > text.length) {
      MemorySegment.copy(MemorySegment.ofArray(text), start, values, position, byteSize);
      return;
    }
    // Lengths vary from value to value, so that a loop would often be predicted wrong.
    copyWord(text, start, values, position);
    copyWord(text, start + Long.BYTES, values, position + Long.BYTES);
    copyWord(text, start + 2 * Long.BYTES, values, position + 2 * Long.BYTES);
    copyWord(text, start + 3 * Long.BYTES, values, position + 3 * Long.BYTES);
  }

  private static void copyWord(byte[] text, int start, MemorySegment values, long position) {
    LittleEndian.setInt64(values, position, LittleEndian.getInt64(text, start));
  }

  private static void decode(Fields fields) {
    fields.trim();
    try {
      fields.text =
          Base64.getDecoder().decode(Arrays.copyOfRange(fields.text, fields.start, fields.end));
    } catch (IllegalArgumentException e) {
      fields.reject();
      fields.text = new byte[0];
    }
    fields.start = 0;
    fields.end = fields.text.length;
  }
}
