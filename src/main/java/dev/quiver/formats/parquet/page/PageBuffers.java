package dev.quiver.formats.parquet.page;

/// Arrays that the columns of one task share: for bytes of the file, and for dictionaries before
/// they are decoded.
public final class PageBuffers {

  private final HeapBudget budget;
  private byte[] input = {};
  private byte[] dictionary = {};

  /// The column whose bytes are in the input.
  private Object user = this;

  public PageBuffers(HeapBudget budget) {
    this.budget = budget;
  }

  /// Returns whether the input holds bytes of `column`.
  boolean isUsedBy(Object column) {
    return user == column;
  }

  /// Returns the array for bytes of the file.
  byte[] input() {
    return input;
  }

  /// Returns the array for bytes of the file, from now on for `column`. Its content is undefined.
  byte[] input(Object column, int capacity) {
    user = column;
    if (input.length < capacity) {
      input = larger(input, capacity);
    }
    return input;
  }

  /// Returns the array for a dictionary, which is valid until the next one. Its content is
  /// undefined.
  byte[] dictionary(int capacity) {
    if (dictionary.length < capacity) {
      dictionary = larger(dictionary, capacity);
    }
    return dictionary;
  }

  private byte[] larger(byte[] array, int capacity) {
    // Both arrays live for a moment.
    budget.take(capacity);
    byte[] larger = new byte[capacity];
    budget.take(-array.length);
    return larger;
  }
}
