package dev.quiver.arrow.statistics;

import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.memory.LittleEndian;
import java.util.Arrays;

/// The number of occurrences of each of some byte sequences.
final class BytesTable {

  private static final int SLOTS_MINIMUM = 256;
  private static final int BYTES_MINIMUM = 4096;

  private final Hashes hashes;

  /// The numbers of entries from 1 on, 0 where a slot is free.
  private int[] slots = new int[SLOTS_MINIMUM];

  private long[] entryHashes = new long[SLOTS_MINIMUM / 2];
  private long[] counts = new long[SLOTS_MINIMUM / 2];

  /// The end of each entry in the bytes. An entry starts at the end of the one before.
  private int[] ends = new int[SLOTS_MINIMUM / 2 + 1];

  private byte[] bytes = new byte[BYTES_MINIMUM];
  private int size;

  BytesTable(Hashes hashes) {
    this.hashes = hashes;
  }

  /// Receives the entries and their counts.
  interface Visitor {

    /// @param bytes an array with [ValueSink#PADDING_BYTE_SIZE] bytes after the entry
    void visit(byte[] bytes, int start, int length, long count);
  }

  /// Adds a value unless it is new and would make the entries too large.
  ///
  /// @param source an array with [ValueSink#PADDING_BYTE_SIZE] bytes after the value
  /// @param byteSizeMaximum the maximum size of all entries
  /// @return whether it was added
  boolean add(byte[] source, int start, int length, long count, int byteSizeMaximum) {
    long hash = hashes.of(source, start, length);
    int slot = slot(hash, source, start, length);
    if (slots[slot] != 0) {
      counts[slots[slot] - 1] += count;
      return true;
    }
    if (length > byteSizeMaximum - byteSize()) {
      return false;
    }
    insert(slot, hash, source, start, length, count);
    return true;
  }

  int size() {
    return size;
  }

  /// Returns the size of all entries.
  int byteSize() {
    return ends[size];
  }

  void forEach(Visitor visitor) {
    for (int i = 0; i < size; i++) {
      visitor.visit(bytes, ends[i], ends[i + 1] - ends[i], counts[i]);
    }
  }

  void clear() {
    slots = new int[SLOTS_MINIMUM];
    entryHashes = new long[SLOTS_MINIMUM / 2];
    counts = new long[SLOTS_MINIMUM / 2];
    ends = new int[SLOTS_MINIMUM / 2 + 1];
    bytes = new byte[BYTES_MINIMUM];
    size = 0;
  }

  long heapByteSize() {
    return (long) slots.length * Integer.BYTES
        + (long) counts.length * (2 * Long.BYTES + Integer.BYTES)
        + bytes.length;
  }

  private int slot(long hash, byte[] source, int start, int length) {
    int mask = slots.length - 1;
    int slot = (int) hash & mask;
    while (slots[slot] != 0 && !isAt(slots[slot] - 1, hash, source, start, length)) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private boolean isAt(int entry, long hash, byte[] source, int start, int length) {
    return entryHashes[entry] == hash
        && ends[entry + 1] - ends[entry] == length
        && isEqual(bytes, ends[entry], source, start, length);
  }

  /// Compares words, which is faster than [Arrays#equals] where most values are short.
  private static boolean isEqual(byte[] a, int aStart, byte[] b, int bStart, int length) {
    int i = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      if (LittleEndian.getInt64(a, aStart + i) != LittleEndian.getInt64(b, bStart + i)) {
        return false;
      }
    }
    return BlockMemory.bigEndianWord(a, aStart + i, length - i)
        == BlockMemory.bigEndianWord(b, bStart + i, length - i);
  }

  private void insert(int slot, long hash, byte[] source, int start, int length, long count) {
    int end = byteSize();
    int needed = end + length + ValueSink.PADDING_BYTE_SIZE;
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, bytes.length + (bytes.length >> 1)));
    }
    System.arraycopy(source, start, bytes, end, length);
    entryHashes[size] = hash;
    counts[size] = count;
    size++;
    ends[size] = end + length;
    slots[slot] = size;
    if (size == counts.length) {
      grow();
    }
  }

  private void grow() {
    entryHashes = Arrays.copyOf(entryHashes, size * 2);
    counts = Arrays.copyOf(counts, size * 2);
    ends = Arrays.copyOf(ends, size * 2 + 1);
    slots = new int[slots.length * 2];
    int mask = slots.length - 1;
    for (int entry = 0; entry < size; entry++) {
      int slot = (int) entryHashes[entry] & mask;
      while (slots[slot] != 0) {
        slot = slot + 1 & mask;
      }
      slots[slot] = entry + 1;
    }
  }
}
