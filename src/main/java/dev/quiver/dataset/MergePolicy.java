package dev.quiver.dataset;

/// When appends are merged without being asked to.
///
/// @param extents how many a version should have at most; 0 merges nothing unless asked
/// @param batches how many it should have at most, as far as its batches are small
public record MergePolicy(int extents, int batches) {

  public static final MergePolicy DEFAULT = new MergePolicy(256, 2_000);

  /// Nothing is merged unless it is asked for.
  public static final MergePolicy NEVER = new MergePolicy(0, 0);

  /// @throws IllegalArgumentException which names the key of what cannot be
  public MergePolicy {
    if (extents < 0) {
      throw refused(extents, "quiver.merge.extents");
    }
    if (batches < 0) {
      throw refused(batches, "quiver.merge.batches");
    }
  }

  boolean isNever() {
    return extents == 0;
  }

  private static IllegalArgumentException refused(int found, String key) {
    return new IllegalArgumentException("Expected 0 or more but found " + found + " at " + key);
  }
}
