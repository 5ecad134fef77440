package dev.quiver.formats.csv;

import dev.quiver.arrow.validate.kernel.Kernels;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;

/// Some records of a file: their text, and the ranges of their fields in it, column after column.
/// Each record has as many fields as there are columns.
final class CsvBlock {

  /// The bytes before and after the text, so that words and vectors may be read beyond its ends.
  static final int PADDING_BYTE_SIZE = Kernels.PADDING_BYTE_SIZE;

  private static final long MISSING = 1L << 60;
  private static final long QUOTED = 1L << 61;
  private static final long ESCAPED = 1L << 62;
  private static final int END_SHIFT = 30;
  private static final long OFFSET_MASK = (1L << END_SHIFT) - 1;

  /// The bytes after which no more of the file is read into a block. Only a longer record has more.
  /// The array of a block, with its padding and header, fits two whole regions of a small heap of
  /// G1.
  static final int BYTE_SIZE_MAXIMUM = (2 << 20) - (4 << 10);

  private static final int ROW_CAPACITY_MINIMUM = 64;

  private static final long[] NO_FIELDS = {};

  byte[] text = new byte[0];

  /// The fields of each column.
  private final long[][] fields;

  private int rowCapacity;

  /// The offset of the first byte within the text of the file.
  long byteOffset;

  int rowCount;
  private int end;

  CsvBlock(int columnCount) {
    this.fields = new long[columnCount][];
    Arrays.fill(fields, NO_FIELDS);
  }

  /// Returns the range of a field.
  ///
  /// @param start the offset of its first byte
  /// @param end the offset after its last byte
  /// @param quoted whether it is within quotes
  /// @param escaped whether some of its characters are escaped
  static long field(int start, int end, boolean quoted, boolean escaped) {
    return start | (long) end << END_SHIFT | (quoted ? QUOTED : 0) | (escaped ? ESCAPED : 0);
  }

  /// Returns the range of a field that a record lacks.
  ///
  /// @param end the offset after the record
  static long missing(int end) {
    return field(end, end, /* quoted= */ false, /* escaped= */ false) | MISSING;
  }

  static boolean isMissing(long field) {
    return (field & MISSING) != 0;
  }

  static int start(long field) {
    return (int) (field & OFFSET_MASK);
  }

  static int end(long field) {
    return (int) (field >>> END_SHIFT & OFFSET_MASK);
  }

  static boolean isQuoted(long field) {
    return (field & QUOTED) != 0;
  }

  static boolean isEscaped(long field) {
    return (field & ESCAPED) != 0;
  }

  int columnCount() {
    return fields.length;
  }

  long field(int row, int column) {
    return fields[column][row];
  }

  /// Returns the fields of each column.
  long[][] fields() {
    return fields;
  }

  /// Makes room for the fields of one more record.
  ///
  /// @param rowCountMaximum the records that the block ever has
  void reserveRow(int rowCountMaximum) {
    if (rowCount < rowCapacity) {
      return;
    }
    rowCapacity = Math.min(rowCountMaximum, Math.max(ROW_CAPACITY_MINIMUM, 2 * rowCapacity));
    for (int i = 0; i < fields.length; i++) {
      fields[i] = Arrays.copyOf(fields[i], rowCapacity);
    }
  }

  /// Removes some of the first rows.
  ///
  /// @param count the number of rows that are looked at
  void remove(BitSet removed, int count) {
    for (long[] column : fields) {
      int kept = 0;
      for (int row = 0; row < rowCount; row++) {
        if (row >= count || !removed.get(row)) {
          column[kept++] = column[row];
        }
      }
    }
    rowCount -= removed.cardinality();
  }

  /// Makes room for bytes up to an offset. A small file gets no more than it needs, and others a
  /// whole block at once, since large arrays that become garbage make G1 mark the heap.
  void reserveText(int offset) {
    int byteSize = offset + PADDING_BYTE_SIZE;
    if (text.length < byteSize) {
      int wholeByteSize = BYTE_SIZE_MAXIMUM + 2 * PADDING_BYTE_SIZE;
      int larger = Math.max(wholeByteSize, text.length + text.length / 2);
      boolean isSmall = byteSize <= wholeByteSize / 4;
      text = Arrays.copyOf(text, isSmall ? byteSize : Math.max(byteSize, larger));
    }
  }

  /// Begins with no records.
  ///
  /// @param newByteOffset of the first byte within the text of the file
  void begin(long newByteOffset) {
    byteOffset = newByteOffset;
    rowCount = 0;
  }

  /// Ends the records before an offset.
  void end(int offset) {
    end = offset;
  }

  /// Clears what follows the last byte, which shows whether a character at the end is complete.
  void clearPadding() {
    Arrays.fill(text, end, end + PADDING_BYTE_SIZE, (byte) 0);
  }

  /// Returns the offset of a record within the text of the file.
  long byteOffset(int row) {
    return byteOffset + start(field(row, 0)) - PADDING_BYTE_SIZE;
  }

  /// Returns the first record that is not UTF-8, or the number of records if all are. Comments need
  /// not be.
  int firstInvalid() {
    Kernels kernels = Kernels.chosen();
    if (kernels.isAscii(text, PADDING_BYTE_SIZE, end)
        || kernels.isUtf8(text, PADDING_BYTE_SIZE, end)) {
      return rowCount;
    }
    for (int row = 0; row < rowCount; row++) {
      for (int column = 0; column < fields.length; column++) {
        if (!isUtf8(field(row, column))) {
          return row;
        }
      }
    }
    return rowCount;
  }

  private boolean isUtf8(long field) {
    try {
      StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(text, start(field), end(field) - start(field)));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
