package dev.quiver.arrow.predicate;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.type.BufferRole;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;

/// A matcher of booleans.
final class BoolMatcher implements SlotMatcher {

  private static final int WORDS = 128;

  private final long[] values = new long[WORDS];
  private final long ifTrue;
  private final long ifFalse;

  BoolMatcher(RangeSet<BigInteger> keys) {
    this.ifTrue = keys.contains(BigInteger.ONE) ? -1L : 0;
    this.ifFalse = keys.contains(BigInteger.ZERO) ? -1L : 0;
  }

  @Override
  public void retain(ArrayData array, long length, long[] selected) {
    MemorySegment data = array.buffer(BufferRole.DATA);
    for (long from = 0; from < length; from += (long) WORDS * Long.SIZE) {
      int n = (int) Math.min((long) WORDS * Long.SIZE, length - from);
      Bitmaps.readWords(data, from, n, values);
      int first = (int) (from >>> 6);
      for (int i = 0; i << 6 < n; i++) {
        selected[first + i] &= values[i] & ifTrue | ~values[i] & ifFalse;
      }
    }
  }
}
