package dev.quiver.validate;

/// A selection that remembers the run that it found last, and the gap before that.
///
/// A selection made of others comes back to the same run or gap of one of them for every short run
/// of another, and finding a long one takes a scan. Remembered, each is scanned once in a walk
/// upwards.
final class CachingSelection implements ObservedRange {

  private final ObservedRange selection;

  /// No slot is selected from `gapStart` to `runStart`, all are from there to `runEnd`. The run may
  /// go on after its end while that was not asked for.
  private long gapStart;

  private long runStart;
  private long runEnd;
  private boolean ended;

  private CachingSelection(ObservedRange selection) {
    this.selection = selection;
  }

  /// The selection itself where nothing is scanned.
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
