package dev.quiver.dataset.write;

/// When appends are compacted without being asked to.
///
/// @param extents how many a version should have at most; 0 compacts nothing unless asked
/// @param batches how many it should have at most, as far as its batches are small
public record CompactionPolicy(int extents, int batches) {

  public static final CompactionPolicy DEFAULT = new CompactionPolicy(256, 2_000);

  /// Nothing is compacted unless it is asked for.
  public static final CompactionPolicy NEVER = new CompactionPolicy(0, 0);

  /// @throws IllegalArgumentException if a component is negative
  public CompactionPolicy {
    if (extents < 0) {
      throw refused(extents, "extents");
    }
    if (batches < 0) {
      throw refused(batches, "batches");
    }
  }

  boolean isNever() {
    return extents == 0;
  }

  private static IllegalArgumentException refused(int found, String name) {
    return new IllegalArgumentException("Expected 0 or more but found " + found + " at " + name);
  }
}
