package dev.quiver.store.blob;

import java.util.BitSet;

/// The parts of a local copy that have been compared with their checksums since it was fetched,
/// identified by their index. Shared by threads.
public final class ComparedParts {

  private final BitSet parts = new BitSet();

  /// Returns whether all parts from `start` to before `end` have been compared.
  public synchronized boolean contains(int start, int end) {
    return parts.nextClearBit(start) >= end;
  }

  /// Takes note that all parts from `start` to before `end` have been compared.
  public synchronized void add(int start, int end) {
    parts.set(start, end);
  }
}
