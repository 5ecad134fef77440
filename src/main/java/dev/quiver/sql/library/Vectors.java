package dev.quiver.sql.library;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Chunks of a few thousand rows, and the vectors that hold their columns.
public final class Vectors {
  private static final int SUCCESS = 0;

  private final MemorySegment dataChunkGetColumnCount;
  private final MemorySegment dataChunkGetSize;
  private final MemorySegment dataChunkSetSize;
  private final MemorySegment dataChunkGetVector;
  private final MemorySegment destroyDataChunk;
  private final MemorySegment vectorGetData;
  private final MemorySegment vectorGetValidity;
  private final MemorySegment vectorEnsureValidityWritable;
  private final MemorySegment unsafeVectorAssignStringElementLen;
  private final MemorySegment listVectorGetChild;
  private final MemorySegment listVectorGetSize;
  private final MemorySegment listVectorReserve;
  private final MemorySegment listVectorSetSize;
  private final MemorySegment structVectorGetChild;
  private final MemorySegment arrayVectorGetChild;
  private final MemorySegment createVector;
  private final MemorySegment destroyVector;
  private final MemorySegment vectorReferenceVector;
  private final MemorySegment sliceVector;
  private final MemorySegment vectorCopySel;
  private final MemorySegment createSelectionVector;
  private final MemorySegment selectionVectorGetDataPtr;
  private final MemorySegment destroySelectionVector;

  Vectors(Functions functions) {
    dataChunkGetColumnCount = functions.find("data_chunk_get_column_count");
    dataChunkGetSize = functions.find("data_chunk_get_size");
    dataChunkSetSize = functions.find("data_chunk_set_size");
    dataChunkGetVector = functions.find("data_chunk_get_vector");
    destroyDataChunk = functions.find("destroy_data_chunk");
    vectorGetData = functions.find("vector_get_data");
    vectorGetValidity = functions.find("vector_get_validity");
    vectorEnsureValidityWritable = functions.find("vector_ensure_validity_writable");
    unsafeVectorAssignStringElementLen = functions.find("unsafe_vector_assign_string_element_len");
    listVectorGetChild = functions.find("list_vector_get_child");
    listVectorGetSize = functions.find("list_vector_get_size");
    listVectorReserve = functions.find("list_vector_reserve");
    listVectorSetSize = functions.find("list_vector_set_size");
    structVectorGetChild = functions.find("struct_vector_get_child");
    arrayVectorGetChild = functions.find("array_vector_get_child");
    createVector = functions.find("create_vector");
    destroyVector = functions.find("destroy_vector");
    vectorReferenceVector = functions.find("vector_reference_vector");
    sliceVector = functions.find("slice_vector");
    vectorCopySel = functions.find("vector_copy_sel");
    createSelectionVector = functions.find("create_selection_vector");
    selectionVectorGetDataPtr = functions.find("selection_vector_get_data_ptr");
    destroySelectionVector = functions.find("destroy_selection_vector");
  }

  public long columnCount(long chunk) {
    return Downcalls.callBriefly(dataChunkGetColumnCount, chunk);
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

  private void destroyChunk(long chunkPointer) {
    Downcalls.call(destroyDataChunk, chunkPointer);
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
    return (int) Downcalls.call(listVectorReserve, vector, capacity) == SUCCESS;
  }

  public boolean setListChildSize(long vector, long size) {
    return (int) Downcalls.call(listVectorSetSize, vector, size) == SUCCESS;
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

  private void destroy(long vectorPointer) {
    Downcalls.call(destroyVector, vectorPointer);
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
    try (Arena arena = Arena.ofConfined()) {
      destroy(arena.allocateFrom(JAVA_LONG, vector).address());
    }
  }

  /// Destroys a chunk by its address.
  public void releaseChunk(long chunk) {
    try (Arena arena = Arena.ofConfined()) {
      destroyChunk(arena.allocateFrom(JAVA_LONG, chunk).address());
    }
  }
}
