package dev.quiver.store.write;

/// The limits above which appends are compacted automatically.
///
/// @param extents the maximum number of extents in a version, or 0 to compact only on request
/// @param batches the maximum number of small batches in a version
public record CompactionPolicy(int extents, int batches) {

  public static final CompactionPolicy DEFAULT = new CompactionPolicy(256, 2_000);

  /// A policy of compacting only on request.
  public static final CompactionPolicy NEVER = new CompactionPolicy(0, 0);

  /// @throws IllegalArgumentException if a component is negative
  public CompactionPolicy {
    if (extents < 0) {
      throw invalid(extents, "extents");
    }
    if (batches < 0) {
      throw invalid(batches, "batches");
    }
  }

  boolean isNever() {
    return extents == 0;
  }

  private static IllegalArgumentException invalid(int found, String name) {
    return new IllegalArgumentException("Expected 0 or more but found " + found + " at " + name);
  }
}
