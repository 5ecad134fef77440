package dev.quiver.arrow.statistics;

/// The number of occurrences of each of some keys.
final class KeyTable {

  private static final int SLOTS_MINIMUM = 256;

  /// The part of the slots that may be taken, which keeps [ValueCounts#DISTINCT_MAXIMUM] keys
  /// within twice as many slots.
  private static final int LOAD_NUMERATOR = 5;

  private static final int LOAD_DENOMINATOR = 8;

  private final Hashes hashes;
  private long[] keys = new long[SLOTS_MINIMUM];

  /// The counts of the keys, 0 where a slot is free.
  private long[] counts = new long[SLOTS_MINIMUM];

  private int size;

  KeyTable(Hashes hashes) {
    this.hashes = hashes;
  }

  /// Receives the keys and their counts.
  interface Visitor {
    void visit(long key, long count);
  }

  /// @return whether the key is new
  boolean add(long key, long count) {
    int slot = slot(key);
    if (counts[slot] != 0) {
      counts[slot] += count;
      return false;
    }
    keys[slot] = key;
    counts[slot] = count;
    size++;
    if (size > keys.length / LOAD_DENOMINATOR * LOAD_NUMERATOR) {
      grow();
    }
    return true;
  }

  int size() {
    return size;
  }

  void forEach(Visitor visitor) {
    for (int i = 0; i < keys.length; i++) {
      if (counts[i] != 0) {
        visitor.visit(keys[i], counts[i]);
      }
    }
  }

  void clear() {
    keys = new long[SLOTS_MINIMUM];
    counts = new long[SLOTS_MINIMUM];
    size = 0;
  }

  long heapByteSize() {
    return 2L * Long.BYTES * keys.length;
  }

  private int slot(long key) {
    int mask = keys.length - 1;
    int slot = (int) hashes.of(key) & mask;
    while (counts[slot] != 0 && keys[slot] != key) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private void grow() {
    long[] oldKeys = keys;
    long[] oldCounts = counts;
    keys = new long[oldKeys.length * 2];
    counts = new long[oldKeys.length * 2];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldCounts[i] != 0) {
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        counts[slot] = oldCounts[i];
      }
    }
  }
}
