package dev.quiver.sql.worker;

import static dev.quiver.arrow.type.BufferRole.DATA;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.type.Schema;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicLong;

/// The first keys of the rows that a thread has read, as many as a statement needs. A row after the
/// last of them is not needed, since enough others come before it.
final class FirstKeys {

  /// A batch is read whole if more than one of this many of its rows come among the first when they
  /// are read: it has an order of its own then.
  private static final int ROWS_PER_LEADING_ROW = 16;

  private final Leading leading;
  private final LeadingKeys keys;
  private final AtomicLong bound;

  /// The last key is on top.
  private final PriorityQueue<Long> first = new PriorityQueue<>(Comparator.reverseOrder());

  /// @param bound the last of the first keys of any thread; the largest number until one has enough
  FirstKeys(Leading leading, Schema schema, AtomicLong bound) {
    this.leading = leading;
    this.keys =
        Objects.requireNonNull(
            LeadingKeys.of(schema.fields().get(leading.column())), "a type with keys");
    this.bound = bound;
  }

  /// Adds the keys of a batch.
  ///
  /// @param column the column of the batch
  /// @return a bit for each row that may be among the first; [VersionRows#WHOLE] if the batch is to
  ///   be read whole
  long[] add(ArrayData column) {
    if (column.length() >>> 3 > VersionRows.HEAP_BYTE_SIZE_MAXIMUM) {
      return VersionRows.WHOLE;
    }
    int length = (int) column.length();
    MemorySegment data = column.buffer(DATA);
    MemorySegment validity = column.validity();
    long[] passing = new long[(length + Long.SIZE - 1) / Long.SIZE];
    long last = bound.get();
    int entries = leading.rowCount() + length / ROWS_PER_LEADING_ROW;
    // Rows are often stored in the order of a column, or in reverse: few enter from one end.
    boolean isReversed = length > 0 && key(data, length - 1) < key(data, 0);
    for (int i = 0; i < length; i++) {
      int slot = isReversed ? length - 1 - i : i;
      boolean isNull = validity.byteSize() != 0 && !Bitmaps.get(validity, slot);
      long key = isNull ? Long.MAX_VALUE : key(data, slot);
      if (key > last) {
        continue;
      }
      passing[slot >> 6] |= 1L << slot;
      if (!isNull) {
        if (--entries < 0) {
          return VersionRows.WHOLE;
        }
        last = enter(key);
      }
    }
    return passing;
  }

  /// Adds a key, and returns the last one that is needed.
  private long enter(long key) {
    first.add(key);
    if (first.size() > leading.rowCount()) {
      first.poll();
    }
    return first.size() < leading.rowCount()
        ? bound.get()
        : bound.accumulateAndGet(first.element(), Math::min);
  }

  private long key(MemorySegment data, long slot) {
    long key = keys.key(data, slot);
    return leading.isDescending() ? ~key : key;
  }
}
