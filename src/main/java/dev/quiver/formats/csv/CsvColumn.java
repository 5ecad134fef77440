package dev.quiver.formats.csv;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A column of a file, whose fields become arrays. Shared by threads, each with a block of its own.
abstract class CsvColumn {

  private final Field field;
  private final int index;
  private final CsvOptions options;

  /// Whether an empty field is null, and the other texts that are.
  private final boolean isEmptyNull;

  private final byte[][] nulls;

  /// Whether a field within quotes is a value even if its text is null without them. Only a text
  /// can be one.
  private final boolean holdsQuotedNulls;

  CsvColumn(Field field, int index, CsvOptions options) {
    this.field = field;
    this.index = index;
    this.options = options;
    this.holdsQuotedNulls = holdsEmpty(field);
    this.isEmptyNull = options.nulls().contains("") || !holdsEmpty(field);
    this.nulls =
        options.nulls().stream()
            .filter(text -> !text.isEmpty())
            .map(text -> text.getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);
  }

  private static boolean holdsEmpty(Field field) {
    return field.type() instanceof ArrowType.Text
        || field.type() instanceof ArrowType.Bytes && !field.isUuid();
  }

  /// Returns the array of the first rows of a block.
  ///
  /// @throws InvalidFieldException if a field is not a value of the type
  ArrayData read(CsvBlock block, int rowCount, SegmentAllocator allocator) {
    return read(block, rowCount, /* invalid= */ null, allocator);
  }

  /// Returns the array of the first rows of a block.
  ///
  /// @param invalid gets the rows whose field is not a value of the type; null if they are errors
  /// @throws InvalidFieldException if a field is not a value of the type
  ArrayData read(
      CsvBlock block, int rowCount, @Nullable BitSet invalid, SegmentAllocator allocator) {
    Fields fields = new Fields(block, rowCount, invalid);
    List<MemorySegment> buffers = new ArrayList<>(read(fields, allocator));
    buffers.addFirst(fields.validity(allocator));
    return new ArrayData(field, rowCount, fields.nullCount, buffers, List.of(), null);
  }

  /// Returns the fields of a block.
  final Fields fields(CsvBlock block) {
    return new Fields(block, block.rowCount, /* invalid= */ null);
  }

  /// Returns the buffers after the validity.
  abstract List<MemorySegment> read(Fields fields, SegmentAllocator allocator);

  /// The fields of this column in a block, one after the other. Used by one thread.
  final class Fields {

    private final CsvBlock block;
    private final @Nullable BitSet invalid;
    private final long[] ranges;
    private final int rowCount;

    /// A bit for each null, or no bits before the first one.
    private long[] nullBits = {};

    private long nullCount;
    private int row = -1;

    /// The text of the field, from `start` to `end`.
    byte[] text;

    int start;
    int end;

    private Fields(CsvBlock block, int rowCount, @Nullable BitSet invalid) {
      this.invalid = invalid;
      this.block = block;
      this.ranges = block.fields()[index];
      this.rowCount = rowCount;
      this.text = block.text;
    }

    int rowCount() {
      return rowCount;
    }

    /// Returns the bytes of all fields, with characters that escape others.
    long byteSize() {
      long byteSize = 0;
      for (int i = 0; i < rowCount; i++) {
        long range = ranges[i];
        byteSize += CsvBlock.end(range) - CsvBlock.start(range);
      }
      return byteSize;
    }

    /// Goes to the next field. Returns false if it is null.
    boolean next() {
      row++;
      long range = range();
      start = CsvBlock.start(range);
      end = CsvBlock.end(range);
      text = block.text;
      boolean mayBeNull = !holdsQuotedNulls || !CsvBlock.isQuoted(range);
      if (mayBeNull && isNull() || CsvBlock.isMissing(range)) {
        setNull();
        return false;
      }
      if (CsvBlock.isEscaped(range)) {
        text = Arrays.copyOfRange(text, start, end);
        end = options.unescape(text, end - start);
        start = 0;
      }
      return true;
    }

    /// Returns the range of the field, as its block has it.
    long range() {
      return ranges[row];
    }

    boolean isEmpty() {
      return start == end;
    }

    private boolean isNull() {
      if (start == end) {
        return isEmptyNull;
      }
      for (byte[] other : nulls) {
        if (end - start == other.length
            && Arrays.equals(text, start, end, other, 0, other.length)) {
          return true;
        }
      }
      return false;
    }

    private void setNull() {
      if (nullCount++ == 0) {
        nullBits = new long[Math.ceilDiv(rowCount, Long.SIZE)];
      }
      nullBits[row >> 6] |= 1L << row;
    }

    /// Returns the validity of all fields, which is empty if none is null.
    private MemorySegment validity(SegmentAllocator allocator) {
      MemorySegment validity =
          allocator.allocate((long) nullBits.length * Long.BYTES, Long.BYTES).fill((byte) 0);
      if (nullCount > 0) {
        Bitmaps.setAll(validity, 0, rowCount);
      }
      for (int i = 0; i < nullBits.length; i++) {
        long offset = (long) i << 3;
        LittleEndian.setInt64(
            validity, offset, LittleEndian.getInt64(validity, offset) & ~nullBits[i]);
      }
      return validity;
    }

    /// Leaves out spaces around the field.
    void trim() {
      while (start < end && text[start] == ' ') {
        start++;
      }
      while (start < end && text[end - 1] == ' ') {
        end--;
      }
    }

    /// Rejects the field, which is not a value of the type.
    ///
    /// @throws InvalidFieldException unless such rows are left out
    void reject() {
      if (invalid == null) {
        throw new InvalidFieldException(row);
      }
      invalid.set(row);
    }
  }

  /// A field that is not a value of its column's type.
  static final class InvalidFieldException extends RuntimeException {

    private final int row;

    InvalidFieldException(int row) {
      super(null, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
      this.row = row;
    }

    /// Returns the row in the block.
    int row() {
      return row;
    }
  }
}
