package dev.quiver.sql.vector;

import static dev.quiver.arrow.type.BufferRole.DATA;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.sql.library.ConversionException;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.MemorySegment;

/// Values of a fixed size, which a conversion copies from the data of the array.
final class ConvertedFiller extends VectorFiller {

  private final MemorySegment data;
  private final int byteWidth;
  private final Conversion conversion;
  private final String expected;

  /// A loop over values, which is compiled by itself. It converts all of them before it reports
  /// that one does not fit.
  @FunctionalInterface
  interface Conversion {

    /// @param target the address of the first value of the vector
    /// @return whether DuckDB's type can hold all values
    boolean convert(MemorySegment data, long slot, int count, long target);
  }

  /// @param byteWidth the size of a value of the vector
  /// @param expected describes the values that fit
  ConvertedFiller(
      ArrayData array, Vectors vectors, int byteWidth, Conversion conversion, String expected) {
    super(array, vectors);
    this.data = array.buffer(DATA);
    this.byteWidth = byteWidth;
    this.conversion = conversion;
    this.expected = expected;
  }

  @Override
  void fillValues(long slot, int count, long vector, long row) {
    long target = vectors.data(vector) + row * byteWidth;
    if (!conversion.convert(data, slot, count, target)) {
      // The values of null slots may be anything.
      for (int i = 0; i < count; i++) {
        if (!isNull(slot + i)
            && !conversion.convert(data, slot + i, 1, target + (long) i * byteWidth)) {
          throw new ConversionException(
              "Expected %s but found another value in column %s of type %s"
                  .formatted(expected, array.field().name(), array.field().describeType()));
        }
      }
    }
  }
}
