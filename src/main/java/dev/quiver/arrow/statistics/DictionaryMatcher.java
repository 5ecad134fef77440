package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.statistics.ColumnMatcher.SlotMatcher;
import dev.quiver.arrow.type.BufferRole;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A matcher of dictionary-encoded values. Each value of a dictionary is tested once, for all
/// batches that share it.
final class DictionaryMatcher implements SlotMatcher {

  private final ColumnMatcher values;
  private final BlockMemory memory;
  private @Nullable ArrayData tested;

  /// A byte for each value of the dictionary: 1 if it passes.
  private byte[] passing = {};

  DictionaryMatcher(ColumnMatcher values, BlockMemory memory) {
    this.values = values;
    this.memory = memory;
  }

  @Override
  public void retain(ArrayData array, long length, long[] selected) {
    ArrayData dictionary = array.dictionary();
    if (dictionary == null) {
      // Every slot is null then.
      Arrays.fill(selected, 0);
      return;
    }
    if (dictionary != tested) {
      test(dictionary);
      tested = dictionary;
    }
    MemorySegment data = array.buffer(BufferRole.DATA);
    int byteWidth = (int) (array.layout().buffers().get(1).bitWidth() >>> 3);
    int blockLength = BlockMemory.BYTE_SIZE / byteWidth;
    for (long from = 0; from < length; from += blockLength) {
      retain(data, byteWidth, from, (int) Math.min(blockLength, length - from), selected);
    }
  }

  private void test(ArrayData dictionary) {
    int count = Math.toIntExact(dictionary.length());
    long[] words = RowSet.all(count).words();
    values.retain(dictionary, count, words);
    passing = new byte[count];
    for (int i = 0; i < count; i++) {
      passing[i] = (byte) (words[i >>> 6] >>> (i & 63) & 1);
    }
  }

  private void retain(MemorySegment data, int byteWidth, long from, int n, long[] selected) {
    int first = (int) (from >>> 6);
    switch (byteWidth) {
      case Byte.BYTES -> {
        byte[] indices = memory.bytes(data, from, n);
        for (int i = 0; i << 6 < n; i++) {
          selected[first + i] = retained(selected[first + i], i << 6, at -> indices[at] & 0xFF);
        }
      }
      case Short.BYTES -> {
        short[] indices = memory.shorts(data, from, n);
        for (int i = 0; i << 6 < n; i++) {
          selected[first + i] = retained(selected[first + i], i << 6, at -> indices[at] & 0xFFFF);
        }
      }
      case Integer.BYTES -> {
        int[] indices = memory.ints(data, from, n);
        for (int i = 0; i << 6 < n; i++) {
          selected[first + i] = retained(selected[first + i], i << 6, at -> indices[at]);
        }
      }
      default -> {
        long[] indices = memory.longs(data, from, n);
        for (int i = 0; i << 6 < n; i++) {
          selected[first + i] = retained(selected[first + i], i << 6, at -> (int) indices[at]);
        }
      }
    }
  }

  private long retained(long word, int start, IndexReader indices) {
    long retained = 0;
    if (word == -1L) {
      for (int i = 0; i < Long.SIZE; i++) {
        retained |= (long) passing[indices.index(start + i)] << i;
      }
      return retained;
    }
    for (long rest = word; rest != 0; rest &= rest - 1) {
      int i = Long.numberOfTrailingZeros(rest);
      retained |= (long) passing[indices.index(start + i)] << i;
    }
    return retained;
  }

  private interface IndexReader {
    int index(int at);
  }
}
