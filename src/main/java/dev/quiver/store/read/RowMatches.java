package dev.quiver.store.read;

import dev.quiver.arrow.array.SlotRanges;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/// Some rows of a version, such as the matches of a condition. Immutable, and shared by threads.
///
/// A batch without matches takes no memory, nor does one whose rows all match. Otherwise it is a
/// bitmap, or a list of row numbers if these are few: never more than a bit for each row of the
/// batch and 32 bits for the others.
public final class RowMatches {

  /// The number of rows of a batch per match above which a list is smaller than a bitmap.
  private static final int SPARSE = 32;

  /// A marker of batches whose rows all match.
  private static final int[] ALL = {};

  private final String id;

  /// The indices in the version of the batches that have matches, ascending.
  private final int[] batches;

  /// The number of matches before each of those batches, and of all.
  private final long[] before;

  /// The row numbers in each batch: `ALL`, an `int[]` of ascending numbers or a `long[]` bitmap.
  private final Object[] rows;

  private RowMatches(String id, int[] batches, long[] before, Object[] rows) {
    this.id = id;
    this.batches = batches;
    this.before = before;
    this.rows = rows;
  }

  /// Returns a text of letters, digits and `-` that identifies the rows of the version, such as a
  /// condition does.
  public String id() {
    return id;
  }

  /// Returns the number of matches.
  public long count() {
    return before[batches.length];
  }

  /// Returns the number of batches with matches.
  public int batchCount() {
    return batches.length;
  }

  /// Returns the index in the version of a batch with matches.
  ///
  /// @param index its index among those
  public int batch(int index) {
    return batches[index];
  }

  /// Returns a bit for each row of a batch, or no bits if all its rows match.
  ///
  /// @param index its index among those with matches
  public long[] bits(int index) {
    Object matched = rows[index];
    if (matched == ALL) {
      return new long[0];
    }
    if (matched instanceof int[] numbers) {
      long[] bits = new long[(numbers[numbers.length - 1] >>> 6) + 1];
      for (int number : numbers) {
        bits[number >>> 6] |= 1L << number;
      }
      return bits;
    }
    return ((long[]) matched).clone();
  }

  /// Returns the number of matches before a batch.
  ///
  /// @param index the index of the batch among those with matches, or their number
  long before(int index) {
    return before[index];
  }

  /// Returns the index of the batch that has a match, among those with matches.
  int batchOf(long match) {
    int found = Arrays.binarySearch(before, 0, batches.length, match);
    return found < 0 ? -found - 2 : found;
  }

  /// Adds the rows of some matches of a batch, as row numbers of the batch.
  ///
  /// @param from the first match, counted within the batch
  /// @param to the match after the last one
  void addTo(SlotRanges slots, int index, long from, long to) {
    Object matched = rows[index];
    if (matched == ALL) {
      slots.add(from, to - from);
    } else if (matched instanceof int[] numbers) {
      for (long i = from; i < to; i++) {
        slots.add(numbers[(int) i], 1);
      }
    } else {
      slots.addSetBits((long[]) matched, from, to);
    }
  }

  /// Returns matches that are spread evenly over a window of these: the i-th of n is the match ⌊i ·
  /// matches / n⌋ of the window.
  ///
  /// @param start the first match of the window
  /// @param end the match after its last one
  /// @param sampleCount positive, and at most the number of matches in the window
  RowMatches sample(long start, long end, int sampleCount) {
    long step = (end - start) / sampleCount;
    long rest = (end - start) % sampleCount;
    return choose(
        sampleCount,
        // Each factor is less than 2³¹, so that no product overflows.
        i -> start + i * step + i * rest / sampleCount,
        "rows-%d-%d-sample-%d".formatted(start, end, sampleCount));
  }

  /// Returns some of these matches.
  ///
  /// @param chosen returns the i-th chosen match, after those before it
  /// @param choice identifies the choice, in letters, digits and `-`
  RowMatches choose(int count, IntToLongFunction chosen, String choice) {
    Builder builder = new Builder();
    int i = 0;
    while (i < count) {
      int index = batchOf(chosen.applyAsLong(i));
      int first = i;
      while (i < count && chosen.applyAsLong(i) < before[index + 1]) {
        i++;
      }
      int[] numbers = new int[i - first];
      RowCursor cursor = new RowCursor(rows[index]);
      for (int k = 0; k < numbers.length; k++) {
        numbers[k] = cursor.row(chosen.applyAsLong(first + k) - before[index]);
      }
      builder.add(batches[index], numbers);
    }
    return builder.build(id + "-" + choice);
  }

  /// Finds the rows of ascending matches of a batch.
  private static final class RowCursor {

    private final Object matched;
    private int word;
    private long matchesBefore;

    RowCursor(Object matched) {
      this.matched = matched;
    }

    /// Returns the row number of a match, which is not before those asked for earlier.
    int row(long match) {
      if (matched == ALL) {
        return (int) match;
      }
      if (matched instanceof int[] numbers) {
        return numbers[(int) match];
      }
      long[] words = (long[]) matched;
      while (matchesBefore + Long.bitCount(words[word]) <= match) {
        matchesBefore += Long.bitCount(words[word]);
        word++;
      }
      long rest = words[word];
      for (long skipped = match - matchesBefore; skipped > 0; skipped--) {
        rest &= rest - 1;
      }
      return word * Long.SIZE + Long.numberOfTrailingZeros(rest);
    }
  }

  /// Returns the approximate number of bytes that this takes in the heap.
  public long heapByteSize() {
    long byteSize = 64 + 16L * batches.length;
    for (Object matched : rows) {
      byteSize +=
          switch (matched) {
            case int[] numbers -> 16 + 4L * numbers.length;
            case long[] words -> 16 + 8L * words.length;
            default -> 0;
          };
    }
    return byteSize;
  }

  /// Gathers the matches of a version, batch by batch in order.
  public static final class Builder {

    private int[] batches = new int[16];
    private long[] before = new long[17];
    private Object[] rows = new Object[16];
    private int batchCount;
    private long heapByteSize;

    /// Adds the matches of a batch.
    ///
    /// @param batch the index of the batch in the version, greater than those before
    /// @param bits a bit for each row of the batch; further bits are zero
    /// @param rowCount the number of rows of the batch
    public void add(int batch, long[] bits, long rowCount) {
      long count = 0;
      for (long word : bits) {
        count += Long.bitCount(word);
      }
      if (count == 0) {
        return;
      }
      heapByteSize += 32 + (count == rowCount ? 0 : Math.min(4 * count, rowCount / Byte.SIZE));
      add(
          batch,
          count == rowCount ? ALL : count * SPARSE < rowCount ? numbers(bits, count) : bits.clone(),
          count);
    }

    /// Adds all rows of a batch.
    ///
    /// @param batch the index of the batch in the version, greater than those before
    /// @param rowCount the number of its rows
    public void add(int batch, long rowCount) {
      if (rowCount > 0) {
        heapByteSize += 32;
        add(batch, ALL, rowCount);
      }
    }

    /// Adds some rows of a batch.
    ///
    /// @param numbers their numbers in the batch, ascending
    void add(int batch, int[] numbers) {
      add(batch, numbers, numbers.length);
    }

    private void add(int batch, Object matched, long count) {
      if (batchCount == batches.length) {
        batches = Arrays.copyOf(batches, 2 * batchCount);
        before = Arrays.copyOf(before, 2 * batchCount + 1);
        rows = Arrays.copyOf(rows, 2 * batchCount);
      }
      batches[batchCount] = batch;
      rows[batchCount] = matched;
      batchCount++;
      before[batchCount] = before[batchCount - 1] + count;
    }

    private static int[] numbers(long[] bits, long count) {
      int[] numbers = new int[(int) count];
      int position = 0;
      for (int i = 0; i < bits.length; i++) {
        for (long word = bits[i]; word != 0; word &= word - 1) {
          numbers[position] = i * Long.SIZE + Long.numberOfTrailingZeros(word);
          position++;
        }
      }
      return numbers;
    }

    /// Returns the approximate number of bytes that the matches so far take.
    public long heapByteSize() {
      return heapByteSize;
    }

    /// Returns the matches.
    ///
    /// @param id identifies the rows of the version, in letters, digits and `-`
    public RowMatches build(String id) {
      return new RowMatches(
          id,
          Arrays.copyOf(batches, batchCount),
          Arrays.copyOf(before, batchCount + 1),
          Arrays.copyOf(rows, batchCount));
    }
  }
}
