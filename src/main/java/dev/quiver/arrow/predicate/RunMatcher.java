package dev.quiver.arrow.predicate;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.type.BufferRole;

/// A matcher of run-end-encoded values, once per run.
final class RunMatcher implements SlotMatcher {

  private final ColumnMatcher values;

  RunMatcher(ColumnMatcher values) {
    this.values = values;
  }

  @Override
  public void retain(ArrayData array, long length, long[] selected) {
    ArrayData runEnds = array.children().getFirst();
    Integers ends = Integers.of(runEnds, BufferRole.DATA);
    long runCount = runEnds.length();
    long[] passing = RowSet.all(runCount).words();
    values.retain(array.children().getLast(), runCount, passing);
    long start = 0;
    for (long run = 0; run < runCount && start < length; run++) {
      long end = Math.min(length, ends.get(run));
      if ((passing[(int) (run >>> 6)] >>> (run & 63) & 1) == 0) {
        clear(selected, start, end);
      }
      start = end;
    }
  }

  private static void clear(long[] words, long start, long end) {
    if (start == end) {
      return;
    }
    int first = (int) (start >>> 6);
    int last = (int) (end - 1 >>> 6);
    long fromStart = -1L << (start & 63);
    long toEnd = -1L >>> (-end & 63);
    if (first == last) {
      words[first] &= ~(fromStart & toEnd);
      return;
    }
    words[first] &= ~fromStart;
    for (int i = first + 1; i < last; i++) {
      words[i] = 0;
    }
    words[last] &= ~toEnd;
  }
}
