package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Precision;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/// A reader of the values of arrays, block by block. A value that several slots of an array refer
/// to, in a dictionary or as a run, is read once. Used by one thread.
final class ValueReader {

  private static final int KEYS = BlockMemory.BYTE_SIZE / Long.BYTES;

  /// The length of a dictionary whose values are always counted by index.
  private static final int SHORT_DICTIONARY_LENGTH = 4096;

  private static final int LONG_DICTIONARY_FACTOR = 4;

  private final BlockMemory memory = new BlockMemory();
  private final long[] keys = new long[KEYS];
  private final long[] words = new long[KEYS / Long.SIZE];
  private final byte[] ordered = new byte[4 * Long.BYTES + ValueSink.PADDING_BYTE_SIZE];
  private final BytesReader bytes = new BytesReader(memory);
  private long[] counts = {};

  /// Reads the slots of an array.
  ///
  /// @param mask the slots that are not null by a validity
  void read(ArrayData array, long length, SlotMask mask, ValueSink sink) {
    if (array.field().dictionary() != null) {
      readDictionaryEncoded(array, length, mask, sink);
      return;
    }
    ArrowType type = array.field().type();
    switch (type) {
      case ArrowType.Null() -> sink.addNulls(length);
      case ArrowType.RunEndEncoded() -> readRuns(array, length, mask, sink);
      case ArrowType.Union _ -> {
        for (long slot = 0; slot < length; slot++) {
          sink.addNulls(!mask.isSet(slot) || isNull(array, slot) ? 1 : 0);
        }
      }
      default -> {
        switch (ValueKind.of(type)) {
          case NONE -> sink.addNulls(length - mask.count(length));
          case BOOLEAN, INTEGER, FLOATING_POINT -> readKeys(array, length, mask, sink);
          case WIDE -> readWide(array, length, mask, sink);
          case BYTES, UNORDERED_BYTES -> bytes.read(array, length, mask, sink);
        }
      }
    }
  }

  private void readKeys(ArrayData array, long length, SlotMask mask, ValueSink sink) {
    ArrowType type = array.field().type();
    MemorySegment data = array.buffer(BufferRole.DATA);
    for (long from = 0; from < length; from += KEYS) {
      int n = (int) Math.min(KEYS, length - from);
      int considered = considered(mask, from, n, sink);
      if (considered > 0) {
        setKeys(type, data, from, n);
        sink.addKeys(keys, n, considered == n ? null : mask.words());
      }
    }
  }

  /// Returns how many slots of a block are considered, and adds the others as nulls.
  static int considered(SlotMask mask, long from, int n, ValueSink sink) {
    int considered = mask.isAll() ? n : mask.read(from, n);
    sink.addNulls(n - considered);
    return considered;
  }

  private void setKeys(ArrowType type, MemorySegment data, long from, int n) {
    switch (type) {
      case ArrowType.Bool() -> {
        Bitmaps.readWords(data, from, n, words);
        for (int i = 0; i < n; i++) {
          keys[i] = words[i >>> 6] >>> (i & 63) & 1;
        }
      }
      case ArrowType.FloatingPoint(var precision) -> setNumbers(precision, data, from, n);
      default -> setIntegers(type, data, from, n);
    }
  }

  private void setNumbers(Precision precision, MemorySegment data, long from, int n) {
    switch (precision) {
      case HALF -> {
        short[] block = memory.shorts(data, from, n);
        for (int i = 0; i < n; i++) {
          keys[i] = NumberKeys.key(Float.float16ToFloat(block[i]));
        }
      }
      case SINGLE -> {
        int[] block = memory.ints(data, from, n);
        for (int i = 0; i < n; i++) {
          keys[i] = NumberKeys.key(Float.intBitsToFloat(block[i]));
        }
      }
      case DOUBLE -> {
        long[] block = memory.longs(data, from, n);
        for (int i = 0; i < n; i++) {
          keys[i] = NumberKeys.key(Double.longBitsToDouble(block[i]));
        }
      }
    }
  }

  private void setIntegers(ArrowType type, MemorySegment data, long from, int n) {
    boolean isUnsigned = type instanceof ArrowType.Int(_, boolean signed) && !signed;
    switch (NumberKeys.byteWidth(type)) {
      case Byte.BYTES -> {
        byte[] block = memory.bytes(data, from, n);
        long mask = isUnsigned ? 0xFF : -1;
        for (int i = 0; i < n; i++) {
          keys[i] = block[i] & mask;
        }
      }
      case Short.BYTES -> {
        short[] block = memory.shorts(data, from, n);
        long mask = isUnsigned ? 0xFFFF : -1;
        for (int i = 0; i < n; i++) {
          keys[i] = block[i] & mask;
        }
      }
      case Integer.BYTES -> {
        int[] block = memory.ints(data, from, n);
        long mask = isUnsigned ? 0xFFFF_FFFFL : -1;
        for (int i = 0; i < n; i++) {
          keys[i] = block[i] & mask;
        }
      }
      default -> {
        long[] block = memory.longs(data, from, n);
        long flip = isUnsigned ? Long.MIN_VALUE : 0;
        for (int i = 0; i < n; i++) {
          keys[i] = block[i] ^ flip;
        }
      }
    }
  }

  private void readWide(ArrayData array, long length, SlotMask mask, ValueSink sink) {
    int wordCount = NumberKeys.byteWidth(array.field().type()) / Long.BYTES;
    MemorySegment data = array.buffer(BufferRole.DATA);
    int blockLength = KEYS / wordCount;
    for (long from = 0; from < length; from += blockLength) {
      int n = (int) Math.min(blockLength, length - from);
      int considered = considered(mask, from, n, sink);
      if (considered == 0) {
        continue;
      }
      long[] words = memory.longs(data, from * wordCount, n * wordCount);
      if (BlockMemory.narrow(words, wordCount, n, keys)) {
        sink.addKeys(keys, n, considered == n ? null : mask.words());
        continue;
      }
      for (int i = 0; i < n; i++) {
        if (considered == n || isSet(mask, i)) {
          addWide(words, i * wordCount, wordCount, 1, sink);
        }
      }
    }
  }

  private void addWide(long[] words, int from, int wordCount, long count, ValueSink sink) {
    boolean fits = true;
    for (int i = 1; i < wordCount; i++) {
      fits &= words[from + i] == words[from] >> 63;
    }
    if (fits) {
      sink.addKey(words[from], count);
    } else {
      NumberKeys.putOrdered(words, from, wordCount, ordered);
      sink.addBytes(ordered, 0, wordCount * Long.BYTES, count);
    }
  }

  static boolean isSet(SlotMask mask, int i) {
    return (mask.words()[i >>> 6] >>> (i & 63) & 1) != 0;
  }

  private void readRuns(ArrayData array, long length, SlotMask mask, ValueSink sink) {
    ArrayData values = array.children().getLast();
    Integers ends = Integers.of(array.children().getFirst(), BufferRole.DATA);
    long start = 0;
    for (long run = 0; start < length; run++) {
      long end = Math.min(length, ends.get(run));
      long count = mask.isAll() ? end - start : countSet(mask, start, end);
      sink.addNulls(end - start - count);
      if (count > 0) {
        addSlot(values, run, count, sink);
      }
      start = end;
    }
  }

  private static long countSet(SlotMask mask, long start, long end) {
    long count = 0;
    for (long slot = start; slot < end; slot++) {
      count += mask.isSet(slot) ? 1 : 0;
    }
    return count;
  }

  private void readDictionaryEncoded(ArrayData array, long length, SlotMask mask, ValueSink sink) {
    Array.FixedWidth indices = ((Array.DictionaryEncoded) Array.of(array)).indices();
    ArrayData values = array.dictionary();
    long valueCount = values == null ? 0 : values.length();
    boolean isCounted =
        valueCount <= Math.max(SHORT_DICTIONARY_LENGTH, LONG_DICTIONARY_FACTOR * length);
    if (counts.length < (isCounted ? valueCount : length)) {
      counts = new long[(int) (isCounted ? valueCount : length)];
    }
    if (isCounted) {
      Arrays.fill(counts, 0, (int) valueCount, 0);
    }
    int used = 0;
    for (long from = 0; from < length; from += KEYS) {
      int n = (int) Math.min(KEYS, length - from);
      int considered = considered(mask, from, n, sink);
      for (int i = 0; i < n && considered > 0; i++) {
        if (considered == n || isSet(mask, i)) {
          long index = indices.integer(from + i);
          if (isCounted) {
            counts[(int) index]++;
          } else {
            counts[used++] = index;
          }
        }
      }
    }
    if (isCounted) {
      for (int i = 0; i < valueCount; i++) {
        if (counts[i] > 0) {
          addSlot(Objects.requireNonNull(values), i, counts[i], sink);
        }
      }
      return;
    }
    Arrays.sort(counts, 0, used);
    int end;
    for (int start = 0; start < used; start = end) {
      end = start + 1;
      while (end < used && counts[end] == counts[start]) {
        end++;
      }
      addSlot(Objects.requireNonNull(values), counts[start], end - start, sink);
    }
  }

  /// Adds the value of one slot.
  ///
  /// @param count how often it occurs
  private void addSlot(ArrayData array, long slot, long count, ValueSink sink) {
    switch (Array.of(array)) {
      case Array.Null _ -> sink.addNulls(count);
      case Array.DictionaryEncoded encoded when !encoded.isNull(slot) ->
          addSlot(encoded.dictionary().data(), encoded.index(slot), count, sink);
      case Array.RunEndEncoded runs -> addSlot(runs.values().data(), runs.run(slot), count, sink);
      case Array.Union _ -> sink.addNulls(isNull(array, slot) ? count : 0);
      case Array other when other.isNull(slot) -> sink.addNulls(count);
      case Array.Bool bool -> sink.addKey(bool.get(slot) ? 1 : 0, count);
      case Array.FixedWidth fixed -> addFixedWidth(fixed, slot, count, sink);
      case Array.Bytes bytes -> addSegment(bytes.bytes(slot), count, sink);
      default -> {
        // A nested value is not compared.
      }
    }
  }

  private void addFixedWidth(Array.FixedWidth fixed, long slot, long count, ValueSink sink) {
    ArrowType type = fixed.data().field().type();
    switch (ValueKind.of(type)) {
      case INTEGER -> {
        long integer = fixed.integer(slot);
        sink.addKey(NumberKeys.isFlipped(type) ? integer ^ Long.MIN_VALUE : integer, count);
      }
      case FLOATING_POINT -> sink.addKey(NumberKeys.key(fixed.floatingPoint(slot)), count);
      case WIDE -> {
        int wordCount = (int) fixed.byteWidth() / Long.BYTES;
        addWide(
            memory.longs(fixed.values(), slot * wordCount, wordCount), 0, wordCount, count, sink);
      }
      default -> addSegment(fixed.bytes(slot), count, sink);
    }
  }

  private void addSegment(MemorySegment bytes, long count, ValueSink sink) {
    if (bytes.byteSize() > BlockMemory.TEXT_BYTE_SIZE) {
      sink.addSegment(bytes, count);
    } else {
      int byteSize = (int) bytes.byteSize();
      sink.addBytes(memory.bytes(bytes, 0, byteSize), 0, byteSize, count);
    }
  }

  /// Returns whether a slot is null, or refers to a null.
  private static boolean isNull(ArrayData array, long slot) {
    return switch (Array.of(array)) {
      case Array.Null _ -> true;
      case Array.DictionaryEncoded encoded ->
          encoded.isNull(slot) || isNull(encoded.dictionary().data(), encoded.index(slot));
      case Array.RunEndEncoded runs -> isNull(runs.values().data(), runs.run(slot));
      case Array.Union union ->
          isNull(union.child(union.childIndex(slot)).data(), union.childSlot(slot));
      case Array other -> other.isNull(slot);
    };
  }
}
