package dev.quiver.arrow.statistics;

import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The slots of an array to consider, in words of 64: the bits set in all of several bitmaps, and
/// in a map of one byte per slot.
public final class SlotMask {

  /// The maximum number of slots to read at once.
  public static final int LENGTH_MAXIMUM = 1 << 14;

  private static final int WORD_COUNT = LENGTH_MAXIMUM / Long.SIZE;

  /// Gathers the lowest bits of eight bytes in the highest byte.
  private static final long GATHER = 0x0102_0408_1020_4080L;

  private final List<MemorySegment> bitmaps;
  private final byte @Nullable [] selected;
  private final int selectedStart;
  private final long[] words = new long[WORD_COUNT];
  private final long[] others = new long[WORD_COUNT];

  private SlotMask(List<MemorySegment> bitmaps, byte @Nullable [] selected, int selectedStart) {
    this.bitmaps = bitmaps;
    this.selected = selected;
    this.selectedStart = selectedStart;
  }

  /// Returns the slots that are set in all of the bitmaps that are not empty.
  public static SlotMask of(List<MemorySegment> bitmaps) {
    return new SlotMask(
        bitmaps.stream().filter(bitmap -> bitmap.byteSize() != 0).toList(), null, 0);
  }

  /// Returns the slots that are also 1 in a map, from its element `start` on.
  SlotMask and(byte[] map, int start) {
    return new SlotMask(bitmaps, map, start);
  }

  /// Returns whether all slots are considered.
  public boolean isAll() {
    return bitmaps.isEmpty() && selected == null;
  }

  /// Returns whether a slot is set in all bitmaps.
  public boolean isSet(long slot) {
    for (MemorySegment bitmap : bitmaps) {
      if (!Bitmaps.get(bitmap, slot)) {
        return false;
      }
    }
    return selected == null || selected[Math.toIntExact(selectedStart + slot)] != 0;
  }

  /// Returns how many of the first slots are considered.
  public long count(long length) {
    if (isAll()) {
      return length;
    }
    if (bitmaps.size() == 1 && selected == null) {
      return Bitmaps.countSet(bitmaps.getFirst(), length);
    }
    long count = 0;
    for (long from = 0; from < length; from += LENGTH_MAXIMUM) {
      count += read(from, (int) Math.min(LENGTH_MAXIMUM, length - from));
    }
    return count;
  }

  /// Reads slots into [#words], whose later bits are zero.
  ///
  /// @param from a multiple of 64
  /// @param length at most [#LENGTH_MAXIMUM]
  /// @return how many of them are considered
  public int read(long from, int length) {
    int wordCount = (length + Long.SIZE - 1) / Long.SIZE;
    if (bitmaps.isEmpty()) {
      Arrays.fill(words, 0, wordCount, -1);
    } else {
      Bitmaps.readWords(bitmaps.getFirst(), from, length, words);
      for (int i = 1; i < bitmaps.size(); i++) {
        Bitmaps.readWords(bitmaps.get(i), from, length, others);
        and(wordCount);
      }
    }
    if (selected != null) {
      readSelected(selected, Math.toIntExact(selectedStart + from), length);
      and(wordCount);
    }
    int unused = wordCount * Long.SIZE - length;
    if (unused != 0) {
      words[wordCount - 1] &= -1L >>> unused;
    }
    int count = 0;
    for (int i = 0; i < wordCount; i++) {
      count += Long.bitCount(words[i]);
    }
    return count;
  }

  /// Returns the slots read last, valid until the next are.
  public long[] words() {
    return words;
  }

  private void and(int wordCount) {
    for (int i = 0; i < wordCount; i++) {
      words[i] &= others[i];
    }
  }

  private void readSelected(byte[] map, int start, int length) {
    int i = 0;
    Arrays.fill(others, 0, (length + Long.SIZE - 1) / Long.SIZE, 0);
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      long eight = LittleEndian.getInt64(map, start + i) * GATHER >>> 56;
      others[i >>> 6] |= eight << (i & 63);
    }
    for (; i < length; i++) {
      others[i >>> 6] |= (long) map[start + i] << (i & 63);
    }
  }
}
