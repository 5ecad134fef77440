package dev.quiver.formats.parquet.page;

import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// The bytes of a page or a dictionary. They can be parked off the heap while other columns need
/// it.
public final class PageBytes {

  /// The bytes after a page or a dictionary, since decoders read and write whole words.
  static final int ROOM = Snappy.ROOM;

  private static final int ALIGNMENT = 64;
  private static final byte[] EMPTY = {};

  byte[] array;

  /// The memory off the heap, which is reused.
  private MemorySegment parked = MemorySegment.NULL;

  private int parkedByteSize;

  public PageBytes() {
    this(EMPTY);
  }

  /// @param array taken from the budget by the caller
  public PageBytes(byte[] array) {
    this.array = array;
  }

  public byte[] array() {
    return array;
  }

  /// Makes the array at least `byteSize` bytes large. Its content is undefined.
  ///
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if the budget is exhausted
  public void reserve(int byteSize, HeapBudget budget) {
    if (array.length < byteSize) {
      budget.take(byteSize - array.length);
      // The former array need not live beside the new one.
      array = EMPTY;
      array = new byte[byteSize];
    }
  }

  /// Drops the bytes.
  public void clear(HeapBudget budget) {
    budget.take(-array.length);
    array = EMPTY;
    parkedByteSize = 0;
  }

  /// Moves the bytes off the heap until [#unpark].
  ///
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if the budget off the heap is exhausted
  public void park(SegmentAllocator parking, HeapBudget budget) {
    if (array.length == 0) {
      return;
    }
    reserveParked(parking, budget);
    MemorySegment.copy(array, 0, parked, LittleEndian.INT8, 0, array.length);
    int byteSize = array.length;
    clear(budget);
    parkedByteSize = byteSize;
  }

  /// Former memory is not released. So it at least doubles, and its total stays proportional to the
  /// largest page.
  private void reserveParked(SegmentAllocator parking, HeapBudget budget) {
    if (parked.byteSize() < array.length) {
      long capacity = Math.max(array.length, 2 * parked.byteSize());
      budget.takeParked(capacity);
      parked = parking.allocate(capacity, ALIGNMENT);
    }
  }

  /// Moves the bytes back to the heap if they are parked.
  ///
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if the budget is exhausted
  public void unpark(HeapBudget budget) {
    if (parkedByteSize > 0) {
      reserve(parkedByteSize, budget);
      MemorySegment.copy(parked, LittleEndian.INT8, 0, array, 0, parkedByteSize);
      parkedByteSize = 0;
    }
  }
}
