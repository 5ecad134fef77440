package dev.quiver.sql.vector;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.Field;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;

/// A builder of arrays from the vectors of one column.
public abstract class ColumnBuilder {

  Field field;
  final Vectors vectors;
  final ValidityBuilder validity = new ValidityBuilder();
  private long vectorData;
  private long vectorValidity;

  ColumnBuilder(Field field, Vectors vectors) {
    this.field = field;
    this.vectors = vectors;
  }

  public final Field field() {
    return field;
  }

  /// Makes the field one without nulls, such as the keys of a map.
  final void setNotNullable() {
    field =
        new Field(
            field.name(),
            false,
            field.type(),
            field.dictionary(),
            field.children(),
            field.metadata());
  }

  /// Sets the vector that rows are appended from.
  public void attach(long vector) {
    vectorData = vectors.data(vector);
    vectorValidity = vectors.validity(vector);
  }

  /// Returns the bytes that rows would take, without their validity.
  public abstract long byteSize(long row, int count);

  /// Appends rows of the attached vector.
  ///
  /// @throws dev.quiver.sql.library.ConversionException if Arrow's type cannot hold a value
  public void append(long row, int count, SegmentAllocator allocator) {
    appendValues(row, count, allocator);
    validity.append(vectorValidity, row, count, allocator);
  }

  /// Appends the values of rows, and zero for null rows.
  abstract void appendValues(long row, int count, SegmentAllocator allocator);

  /// Returns the array of all rows appended since the last call.
  public ArrayData take() {
    return array(List.of(), List.of());
  }

  final ArrayData array(List<MemorySegment> buffersAfterValidity, List<ArrayData> children) {
    long length = validity.length();
    long nullCount = validity.nullCount();
    List<MemorySegment> buffers = new ArrayList<>();
    buffers.add(validity.take());
    buffers.addAll(buffersAfterValidity);
    return new ArrayData(field, length, nullCount, buffers, children, null);
  }

  /// Returns the address of the vector's values.
  final long data() {
    return vectorData;
  }

  final boolean hasNulls() {
    return vectorValidity != 0;
  }

  final boolean isNull(long row) {
    return vectorValidity != 0
        && (NativeMemory.getInt64(vectorValidity + (row >>> 6 << 3)) >>> row & 1) == 0;
  }
}
