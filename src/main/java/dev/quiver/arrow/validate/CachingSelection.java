package dev.quiver.arrow.validate;

/// A selection that caches the latest run, and the gap before it.
///
/// A combined selection returns to the same run or gap of one part for every short run of another,
/// and finding a long one takes a scan. With the cache, an upward walk scans each only once.
final class CachingSelection implements ObservedRange {

  private final ObservedRange selection;

  /// No slot is selected from `gapStart` to `runStart`, and all are from there to `runEnd`. The run
  /// may be longer until `ended` is set.
  private long gapStart;

  private long runStart;
  private long runEnd;
  private boolean ended;

  private CachingSelection(ObservedRange selection) {
    this.selection = selection;
  }

  /// Returns a cached selection, or the selection itself if it needs no scans.
  static ObservedRange of(ObservedRange selection) {
    return selection instanceof All || selection instanceof CachingSelection
        ? selection
        : new CachingSelection(selection);
  }

  @Override
  public long length() {
    return selection.length();
  }

  @Override
  public long next(long from) {
    if (gapStart <= from && from < runEnd) {
      return Math.max(from, runStart);
    }
    long found = selection.next(from);
    gapStart = from;
    runStart = found;
    runEnd = found + 1;
    ended = false;
    return found;
  }

  @Override
  public long runEnd(long start) {
    boolean inside = runStart <= start && start < runEnd;
    if (inside && ended) {
      return runEnd;
    }
    if (!inside) {
      gapStart = start;
      runStart = start;
    }
    runEnd = selection.runEnd(start);
    ended = true;
    return runEnd;
  }
}
