package dev.quiver.sql.vector;

import static dev.quiver.arrow.type.BufferRole.DATA;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.sql.library.ConversionException;
import dev.quiver.sql.library.Library;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// Indices into a dictionary. The values are a vector of their own, with a null at the end, and a
/// column is a selection from it, so values are copied once.
final class DictionaryFiller extends VectorFiller {

  private static final int ROWS_AT_ONCE = 2048;

  private final MemorySegment indices;
  private final int byteWidth;
  private final boolean signed;
  private final long size;
  private final TemporaryVector dictionary;
  private final VectorFiller values;
  private final boolean whole;
  private int[] rows = {};

  /// @param dictionary a vector of the values that [#vector] returned
  /// @param values the filler of the values, which knows their children
  DictionaryFiller(
      ArrayData array,
      Vectors vectors,
      TemporaryVector dictionary,
      VectorFiller values,
      boolean whole) {
    super(array, vectors);
    DictionaryEncoding encoding = Objects.requireNonNull(array.field().dictionary());
    ArrowType.Int type = encoding.indexType();
    this.indices = array.buffer(DATA);
    this.byteWidth = type.bitWidth() >>> 3;
    this.signed = type.signed();
    this.size = values.array.length();
    this.dictionary = dictionary;
    this.values = values;
    this.whole = whole;
  }

  /// Returns a vector of a dictionary's values, and of a null after them.
  static TemporaryVector vector(Library library, ArrayData dictionary, VectorFiller values) {
    long size = dictionary.length();
    if (size >= Integer.MAX_VALUE) {
      throw new ConversionException(
          "Expected a dictionary of less than 2³¹ values but found %d in column %s"
              .formatted(size, dictionary.field().name()));
    }
    TemporaryVector vector = TemporaryVector.create(library, dictionary.field(), size + 1);
    try {
      for (long slot = 0; slot < size; slot += ROWS_AT_ONCE) {
        values.fill(slot, (int) Math.min(ROWS_AT_ONCE, size - slot), vector.vector(), slot);
      }
      values.setNull(vector.vector(), new long[] {size}, 1);
      return vector;
    } catch (Throwable e) {
      vector.close();
      throw e;
    }
  }

  @Override
  public void fill(long slot, int count, long vector, long row) {
    fillValues(slot, count, vector, row);
  }

  @Override
  void fillValues(long slot, int count, long vector, long row) {
    rows = rows.length < count ? new int[count] : rows;
    long source = NativeMemory.address(indices, slot * byteWidth, (long) count * byteWidth);
    boolean nulls = hasNulls();
    for (int i = 0; i < count; i++) {
      if (nulls && isNull(slot + i)) {
        rows[i] = (int) size;
        continue;
      }
      long index = index(source, i);
      if (index < 0 || index >= size) {
        throw new ConversionException(
            "Expected an index below %d but found %s in column %s"
                .formatted(size, Long.toUnsignedString(index), array.field().name()));
      }
      rows[i] = (int) index;
    }
    dictionary.select(rows, count, vector, row, whole);
  }

  private long index(long source, long i) {
    return switch (byteWidth) {
      case 1 -> {
        byte index = NativeMemory.getInt8(source + i);
        yield signed ? index : index & 0xFF;
      }
      case 2 -> {
        short index = NativeMemory.getInt16(source + (i << 1));
        yield signed ? index : index & 0xFFFF;
      }
      case 4 -> {
        int index = NativeMemory.getInt32(source + (i << 2));
        yield signed ? index : index & 0xFFFF_FFFFL;
      }
      default -> NativeMemory.getInt64(source + (i << 3));
    };
  }

  @Override
  void setNull(long vector, long[] nullRows, int count) {
    values.setNull(vector, nullRows, count);
  }
}
