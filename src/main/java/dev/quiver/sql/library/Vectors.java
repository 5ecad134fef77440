package dev.quiver.sql.library;

import java.lang.foreign.MemorySegment;

/// Chunks of a few thousand rows, and the vectors that hold their columns.
public final class Vectors extends FunctionGroup {
  private final MemorySegment dataChunkGetSize = find("data_chunk_get_size");
  private final MemorySegment dataChunkSetSize = find("data_chunk_set_size");
  private final MemorySegment dataChunkGetVector = find("data_chunk_get_vector");
  private final MemorySegment destroyDataChunk = find("destroy_data_chunk");
  private final MemorySegment vectorGetData = find("vector_get_data");
  private final MemorySegment vectorGetValidity = find("vector_get_validity");
  private final MemorySegment vectorEnsureValidityWritable =
      find("vector_ensure_validity_writable");
  private final MemorySegment unsafeVectorAssignStringElementLen =
      find("unsafe_vector_assign_string_element_len");
  private final MemorySegment listVectorGetChild = find("list_vector_get_child");
  private final MemorySegment listVectorGetSize = find("list_vector_get_size");
  private final MemorySegment listVectorReserve = find("list_vector_reserve");
  private final MemorySegment listVectorSetSize = find("list_vector_set_size");
  private final MemorySegment structVectorGetChild = find("struct_vector_get_child");
  private final MemorySegment arrayVectorGetChild = find("array_vector_get_child");
  private final MemorySegment createVector = find("create_vector");
  private final MemorySegment destroyVector = find("destroy_vector");
  private final MemorySegment vectorReferenceVector = find("vector_reference_vector");
  private final MemorySegment sliceVector = find("slice_vector");
  private final MemorySegment vectorCopySel = find("vector_copy_sel");
  private final MemorySegment createSelectionVector = find("create_selection_vector");
  private final MemorySegment selectionVectorGetDataPtr = find("selection_vector_get_data_ptr");
  private final MemorySegment destroySelectionVector = find("destroy_selection_vector");

  Vectors(Functions functions) {
    super(functions);
  }

  public long rowCount(long chunk) {
    return Downcalls.callBriefly(dataChunkGetSize, chunk);
  }

  public void setRowCount(long chunk, long rowCount) {
    Downcalls.call(dataChunkSetSize, chunk, rowCount);
  }

  /// Returns the vector of a column of the chunk.
  public long column(long chunk, long columnIndex) {
    return Downcalls.callBriefly(dataChunkGetVector, chunk, columnIndex);
  }

  /// Returns the address of the values: of strings, list entries or numbers.
  public long data(long vector) {
    return Downcalls.callBriefly(vectorGetData, vector);
  }

  /// Returns the address of the validity, in words of 64 bits, or 0 if no row is null.
  public long validity(long vector) {
    return Downcalls.callBriefly(vectorGetValidity, vector);
  }

  /// Makes sure that the vector has a validity, which is all ones at first.
  public void ensureValidity(long vector) {
    Downcalls.call(vectorEnsureValidityWritable, vector);
  }

  /// Copies bytes into memory of the vector, and the reference to them into a row.
  public void assignBytes(long vector, long row, long bytes, long byteSize) {
    Downcalls.call(unsafeVectorAssignStringElementLen, vector, row, bytes, byteSize);
  }

  public long listChild(long vector) {
    return Downcalls.callBriefly(listVectorGetChild, vector);
  }

  public long listChildSize(long vector) {
    return Downcalls.callBriefly(listVectorGetSize, vector);
  }

  /// Returns whether the child has room for this number of rows. It may move.
  public boolean reserveListChild(long vector, long capacity) {
    return succeeds(Downcalls.call(listVectorReserve, vector, capacity));
  }

  public boolean setListChildSize(long vector, long size) {
    return succeeds(Downcalls.call(listVectorSetSize, vector, size));
  }

  public long structChild(long vector, long childIndex) {
    return Downcalls.callBriefly(structVectorGetChild, vector, childIndex);
  }

  public long arrayChild(long vector) {
    return Downcalls.callBriefly(arrayVectorGetChild, vector);
  }

  public long create(long type, long capacity) {
    return Downcalls.call(createVector, type, capacity);
  }

  /// Makes a vector share the rows of another one.
  public void reference(long vector, long source) {
    Downcalls.call(vectorReferenceVector, vector, source);
  }

  /// Keeps the selected rows of a vector, without copying them.
  public void slice(long vector, long selection, long count) {
    Downcalls.call(sliceVector, vector, selection, count);
  }

  /// Copies the selected rows from `sourceOffset` to `sourceEnd`.
  public void copySelected(
      long source,
      long target,
      long selection,
      long sourceEnd,
      long sourceOffset,
      long targetOffset) {
    Downcalls.call(vectorCopySel, source, target, selection, sourceEnd, sourceOffset, targetOffset);
  }

  public long createSelection(long count) {
    return Downcalls.call(createSelectionVector, count);
  }

  /// Returns the address of the selected rows, in 32 bits each.
  public long selectedRows(long selection) {
    return Downcalls.callBriefly(selectionVectorGetDataPtr, selection);
  }

  public void destroySelection(long selection) {
    Downcalls.call(destroySelectionVector, selection);
  }

  /// Destroys a vector by its address.
  public void release(long vector) {
    destroy(destroyVector, vector);
  }

  /// Destroys a chunk by its address.
  public void releaseChunk(long chunk) {
    destroy(destroyDataChunk, chunk);
  }
}
