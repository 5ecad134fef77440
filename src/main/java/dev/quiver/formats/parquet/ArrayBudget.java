package dev.quiver.formats.parquet;

import dev.quiver.formats.ForeignDataException;
import java.util.concurrent.atomic.AtomicLong;

/// A budget for the bytes of all arrays of a file that are in memory at a time. A few bytes of a
/// file can stand for very many values. Shared by threads.
final class ArrayBudget {

  /// Most files take far less: only rows with large values, or with many, exceed the size after
  /// which a piece ends.
  static final long BYTE_SIZE_MAXIMUM = 1 << 30;

  private final AtomicLong used = new AtomicLong();

  /// Takes bytes before they are allocated, or returns them if negative.
  ///
  /// @throws ForeignDataException if the budget is exhausted
  void take(long byteSize) {
    if (byteSize > BYTE_SIZE_MAXIMUM) {
      throw exhausted();
    }
    if (used.addAndGet(byteSize) > BYTE_SIZE_MAXIMUM) {
      used.addAndGet(-byteSize);
      throw exhausted();
    }
  }

  private static ForeignDataException exhausted() {
    return ForeignDataException.of(
        "Expected rows that take at most %,d bytes at a time but found larger ones"
            .formatted(BYTE_SIZE_MAXIMUM));
  }
}
