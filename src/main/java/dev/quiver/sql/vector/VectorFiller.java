package dev.quiver.sql.vector;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.sql.library.ConversionException;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.MemorySegment;

/// A copier of one array's slots into vectors. A filler serves one thread.
public abstract class VectorFiller {

  final ArrayData array;
  final Vectors vectors;
  private final MemorySegment validity;

  VectorFiller(ArrayData array, Vectors vectors) {
    this.array = array;
    this.vectors = vectors;
    this.validity = array.validity();
  }

  /// Copies `count` slots from `slot` on to the rows of a vector from `row` on. The rows have not
  /// been written to.
  ///
  /// @throws ConversionException if DuckDB's type cannot hold a value
  public void fill(long slot, int count, long vector, long row) {
    fillValues(slot, count, vector, row);
    fillValidity(slot, count, vector, row);
  }

  /// Copies the values of slots. Values of null slots are undefined.
  abstract void fillValues(long slot, int count, long vector, long row);

  /// Makes rows null, and with them the rows of children. DuckDB expects the children of null
  /// structs to be null.
  ///
  /// @param rows ascending rows, the first `count` of which are meant
  void setNull(long vector, long[] rows, int count) {
    vectors.ensureValidity(vector);
    long bits = vectors.validity(vector);
    for (int i = 0; i < count; i++) {
      clearBit(bits, rows[i]);
    }
  }

  /// Copies slots that are not null to consecutive rows, in as large parts as possible.
  @FunctionalInterface
  interface PartFiller {
    void fill(long slot, int count, long row);
  }

  /// Copies the children of slots. The children of null slots may be anything, so if a value does
  /// not fit, those are left out.
  final void fillChildren(long slot, int count, long row, PartFiller filler) {
    try {
      filler.fill(slot, count, row);
    } catch (ConversionException e) {
      if (countNulls(slot, count) == 0) {
        throw e;
      }
      int i = 0;
      while (i < count) {
        int start = i;
        while (i < count && !isNull(slot + i)) {
          i++;
        }
        if (i > start) {
          filler.fill(slot + start, i - start, row + start);
        }
        i++;
      }
    }
  }

  final boolean hasNulls() {
    return validity.byteSize() != 0;
  }

  final boolean isNull(long slot) {
    return validity.byteSize() != 0 && !Bitmaps.get(validity, slot);
  }

  /// Returns the rows of null slots, as many as [#countNulls] says, in an array that is large
  /// enough.
  final long[] nullRows(long slot, int count, long row) {
    long[] rows = new long[count];
    int nulls = 0;
    for (int i = 0; i < count; i++) {
      if (isNull(slot + i)) {
        rows[nulls++] = row + i;
      }
    }
    return rows;
  }

  final int countNulls(long slot, int count) {
    return hasNulls() ? (int) (count - Bitmaps.countSet(validity, slot, count)) : 0;
  }

  void fillValidity(long slot, int count, long vector, long row) {
    if (!hasNulls()) {
      return;
    }
    if ((row & 63) != 0) {
      int nulls = countNulls(slot, count);
      if (nulls > 0) {
        vectors.ensureValidity(vector);
        clearBits(vectors.validity(vector), slot, count, row);
      }
      return;
    }
    long target = 0;
    for (int i = 0; i < count; i += Long.SIZE) {
      int rest = count - i;
      long word = word(validity, slot + i);
      if (rest < Long.SIZE) {
        word |= -1L << rest;
      }
      if (word != -1L && target == 0) {
        vectors.ensureValidity(vector);
        target = vectors.validity(vector) + (row >>> 3);
      }
      if (target != 0) {
        NativeMemory.setInt64(target + (i >>> 3), word);
      }
    }
  }

  private void clearBits(long bits, long slot, int count, long row) {
    for (int i = 0; i < count; i++) {
      if (!Bitmaps.get(validity, slot + i)) {
        clearBit(bits, row + i);
      }
    }
  }

  static void clearBit(long bits, long row) {
    long address = bits + (row >>> 3);
    NativeMemory.setInt8(address, (byte) (NativeMemory.getInt8(address) & ~(1 << (row & 7))));
  }

  /// Returns the 64 bits from `firstBit` on. Those beyond the bitmap are undefined.
  private static long word(MemorySegment bitmap, long firstBit) {
    long offset = firstBit >>> 3;
    int shift = (int) (firstBit & 7);
    long available = bitmap.byteSize() - offset;
    if (available > Long.BYTES) {
      long next = LittleEndian.getInt8(bitmap, offset + Long.BYTES);
      long low = LittleEndian.getInt64(bitmap, offset);
      return shift == 0 ? low : low >>> shift | next << Long.SIZE - shift;
    }
    long word = 0;
    for (int i = 0; i < Math.min(available, Long.BYTES); i++) {
      long bits = Byte.toUnsignedLong(LittleEndian.getInt8(bitmap, offset + i));
      word |= bits << 8 * i;
    }
    return word >>> shift;
  }
}
