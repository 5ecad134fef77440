package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.statistics.ColumnStatistics.Bound;
import dev.quiver.arrow.type.BufferRole;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The extremes of booleans: false is less than true.
final class BoolExtremes implements Extremes {

  private final long[] values = new long[SlotMask.LENGTH_MAXIMUM / Long.SIZE];
  private boolean hasFalse;
  private boolean hasTrue;

  @Override
  public long add(ArrayData array, long length, SlotMask mask) {
    MemorySegment data = array.buffer(BufferRole.DATA);
    long count = 0;
    for (long from = 0; from < length; from += SlotMask.LENGTH_MAXIMUM) {
      int blockLength = (int) Math.min(SlotMask.LENGTH_MAXIMUM, length - from);
      count += mask.read(from, blockLength);
      long[] words = mask.words();
      Bitmaps.readWords(data, from, blockLength, values);
      long ones = 0;
      long zeros = 0;
      for (int i = 0; i << 6 < blockLength; i++) {
        ones |= values[i] & words[i];
        zeros |= ~values[i] & words[i];
      }
      hasTrue |= ones != 0;
      hasFalse |= zeros != 0;
    }
    return count;
  }

  @Override
  public @Nullable Bound minimum() {
    return hasFalse ? bound(0) : maximum();
  }

  @Override
  public @Nullable Bound maximum() {
    return hasTrue ? bound(1) : hasFalse ? bound(0) : null;
  }

  private static Bound bound(int value) {
    return new Bound(ByteString.of(new byte[] {(byte) value}), true);
  }
}
