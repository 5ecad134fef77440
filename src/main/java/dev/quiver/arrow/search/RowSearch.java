package dev.quiver.arrow.search;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Slices;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/// A [TextSearch] through the batches of a version. Used by one thread.
public final class RowSearch {

  private static final int INDICES = BlockMemory.BYTE_SIZE / Long.BYTES;

  private final TextSearch search;
  private final TextScanner scanner;
  private final BlockMemory memory = new BlockMemory();
  private final int[] indices = new int[INDICES];

  RowSearch(TextSearch search, TextScanner scanner) {
    this.search = search;
    this.scanner = scanner;
  }

  /// Returns a bit for each row of a batch, which is set if the row has the literal.
  ///
  /// @param batch the [TextSearch#columns] of a batch, whose values are valid. A dictionary has the
  ///   same values in all batches.
  public long[] find(RecordBatch batch) {
    long[] all = all(batch.length());
    long[] found = new long[all.length];
    for (ArrayData column : batch.columns()) {
      find(column, batch.length(), all, found);
    }
    return found;
  }

  private static long[] all(long length) {
    long[] words = new long[Math.toIntExact(Math.ceilDiv(length, (long) Long.SIZE))];
    setRange(words, 0, length);
    return words;
  }

  /// Adds the wanted slots with the literal to the found ones.
  private void find(ArrayData array, long length, long[] wanted, long[] found) {
    if (!TextSearch.hasText(array.field())) {
      return;
    }
    long[] open = open(array, length, wanted, found);
    if (isEmpty(open)) {
      return;
    }
    DictionaryEncoding dictionary = array.field().dictionary();
    if (dictionary != null) {
      findInDictionary(array, dictionary.id(), length, open, found);
    } else if (TextSearch.isText(array.field())) {
      scanner.find(array, length, open, found);
    } else {
      switch (array.field().type()) {
        case ArrowType.Struct() ->
            array.children().forEach(child -> find(child, length, open, found));
        case ArrowType.RunEndEncoded() -> findInRuns(array, length, open, found);
        default -> findInLists((Array.Lists) Array.of(array), length, open, found);
      }
    }
  }

  /// Returns the wanted slots that are neither null nor found.
  private static long[] open(ArrayData array, long length, long[] wanted, long[] found) {
    long[] open = wanted.clone();
    MemorySegment validity = array.validity();
    if (validity.byteSize() != 0) {
      Bitmaps.readWords(validity, 0, length, open);
    }
    for (int i = 0; i < open.length; i++) {
      open[i] &= wanted[i] & ~found[i];
    }
    return open;
  }

  private void findInDictionary(ArrayData array, long id, long length, long[] open, long[] found) {
    // Open slots are not null, so there is a dictionary.
    ArrayData values = values(array.field(), Objects.requireNonNull(array.dictionary()));
    long[] matching = search.dictionary(id, _ -> findAll(values));
    if (isEmpty(matching)) {
      return;
    }
    MemorySegment data = array.buffer(BufferRole.DATA);
    int byteWidth = (int) ((Array.DictionaryEncoded) Array.of(array)).indices().byteWidth();
    for (long from = 0; from < length; from += INDICES) {
      int n = (int) Math.min(INDICES, length - from);
      readIndices(data, byteWidth, from, n);
      int first = (int) (from >>> 6);
      for (int word = 0; word << 6 < n; word++) {
        for (long rest = open[first + word]; rest != 0; rest &= rest - 1) {
          int slot = Long.numberOfTrailingZeros(rest);
          int index = indices[(word << 6) + slot];
          found[first + word] |= (matching[index >>> 6] >>> index & 1) << slot;
        }
      }
    }
  }

  /// Returns the values of a dictionary with the extension type of the field that refers to them,
  /// which the field of a dictionary in a file does not have.
  private static ArrayData values(Field field, ArrayData values) {
    return new ArrayData(
        values.field().withMetadata(field.metadata()),
        values.length(),
        values.nullCount(),
        values.buffers(),
        values.children(),
        values.dictionary());
  }

  /// Returns the slots of an array with the literal.
  private long[] findAll(ArrayData array) {
    long[] all = all(array.length());
    long[] found = new long[all.length];
    find(array, array.length(), all, found);
    return found;
  }

  private void readIndices(MemorySegment data, int byteWidth, long from, int n) {
    switch (byteWidth) {
      case Byte.BYTES -> {
        byte[] block = memory.bytes(data, from, n);
        for (int i = 0; i < n; i++) {
          indices[i] = block[i] & 0xFF;
        }
      }
      case Short.BYTES -> {
        short[] block = memory.shorts(data, from, n);
        for (int i = 0; i < n; i++) {
          indices[i] = block[i] & 0xFFFF;
        }
      }
      case Integer.BYTES -> System.arraycopy(memory.ints(data, from, n), 0, indices, 0, n);
      default -> {
        long[] block = memory.longs(data, from, n);
        for (int i = 0; i < n; i++) {
          indices[i] = (int) block[i];
        }
      }
    }
  }

  private void findInRuns(ArrayData array, long length, long[] open, long[] found) {
    ArrayData runEnds = array.children().getFirst();
    Integers ends = Integers.of(runEnds, BufferRole.DATA);
    long[] matching = findAll(array.children().getLast());
    long[] slots = new long[open.length];
    long start = 0;
    for (long run = 0; run < runEnds.length() && start < length; run++) {
      long end = Math.min(length, ends.get(run));
      if (TextScanner.isSet(matching, run)) {
        setRange(slots, start, end);
      }
      start = end;
    }
    for (int i = 0; i < open.length; i++) {
      found[i] |= slots[i] & open[i];
    }
  }

  private void findInLists(Array.Lists lists, long length, long[] open, long[] found) {
    long start = Long.MAX_VALUE;
    long end = 0;
    for (long slot = 0; slot < length; slot++) {
      if (TextScanner.isSet(open, slot) && lists.start(slot) < lists.end(slot)) {
        start = Math.min(start, lists.start(slot));
        end = Math.max(end, lists.end(slot));
      }
    }
    if (end == 0) {
      return;
    }
    long[] items = new long[Math.toIntExact(Math.ceilDiv(end - start, (long) Long.SIZE))];
    for (long slot = 0; slot < length; slot++) {
      if (TextScanner.isSet(open, slot)) {
        setRange(items, lists.start(slot) - start, lists.end(slot) - start);
      }
    }
    long[] matching = new long[items.length];
    try (Arena arena = Arena.ofConfined()) {
      ArrayData values = lists.data().children().getFirst();
      find(Slices.slice(values, start, end - start, arena), end - start, items, matching);
    }
    for (long slot = 0; slot < length; slot++) {
      if (TextScanner.isSet(open, slot)
          && hasAny(matching, lists.start(slot) - start, lists.end(slot) - start)) {
        TextScanner.set(found, slot);
      }
    }
  }

  private static boolean isEmpty(long[] words) {
    return Arrays.stream(words).allMatch(word -> word == 0);
  }

  private static void setRange(long[] words, long start, long end) {
    for (long slot = start; slot < end; ) {
      int word = (int) (slot >>> 6);
      words[word] |= mask(slot, end);
      slot = word + 1L << 6;
    }
  }

  private static boolean hasAny(long[] words, long start, long end) {
    for (long slot = start; slot < end; ) {
      int word = (int) (slot >>> 6);
      if ((words[word] & mask(slot, end)) != 0) {
        return true;
      }
      slot = word + 1L << 6;
    }
    return false;
  }

  /// Returns the bits of the word of a slot from that slot on, up to `end`.
  private static long mask(long slot, long end) {
    long fromStart = -1L << slot;
    return end > (slot | 63) ? fromStart : fromStart & -1L >>> -end;
  }
}
