package dev.quiver.predicate;

/// Counts of slots that are still selected.
final class SelectedSlots {

  private SelectedSlots() {}

  /// Returns the number of bits that are set in some words.
  static int count(long[] selected, int first, int words) {
    int count = 0;
    for (int i = first; i < first + words; i++) {
      count += Long.bitCount(selected[i]);
    }
    return count;
  }
}
