package dev.quiver.formats.parquet.column;

import dev.quiver.formats.parquet.page.HeapBudget;
import java.util.Arrays;

/// The definition and repetition levels of consecutive slots.
///
/// A byte without a sign holds a level, since the depth of a schema is limited.
public final class SlotLevels {

  private static final int CAPACITY_MINIMUM = 1024;
  private static final int CAPACITY_MAXIMUM = Integer.MAX_VALUE - 8;

  private final HeapBudget budget;
  private byte[] definition = {};
  private byte[] repetition = {};
  private int count;

  /// @param budget from which the levels are taken until [#release]
  SlotLevels(HeapBudget budget) {
    this.budget = budget;
  }

  /// Returns the number of slots.
  public int count() {
    return count;
  }

  public int definition(int slot) {
    return definition[slot] & 0xFF;
  }

  public int repetition(int slot) {
    return repetition[slot] & 0xFF;
  }

  /// Appends a slot within the reserved ones.
  void append(int definitionLevel, int repetitionLevel) {
    definition[count] = (byte) definitionLevel;
    repetition[count++] = (byte) repetitionLevel;
  }

  /// Makes room for more slots.
  void reserve(int added) {
    int needed = Math.addExact(count, added);
    if (needed > definition.length) {
      long preferred = Math.max(CAPACITY_MINIMUM, 2L * definition.length);
      int capacity = (int) Math.min(CAPACITY_MAXIMUM, Math.max(needed, preferred));
      // Both arrays live until the levels are copied.
      int former = definition.length;
      budget.take(2L * capacity);
      definition = Arrays.copyOf(definition, capacity);
      repetition = Arrays.copyOf(repetition, capacity);
      budget.take(-2L * former);
    }
  }

  /// Removes all slots, and keeps the memory.
  void clear() {
    count = 0;
  }

  /// Gives the memory back.
  public void release() {
    budget.take(-2L * definition.length);
    definition = new byte[0];
    repetition = new byte[0];
    count = 0;
  }
}
