package dev.quiver.inspect;

/// How many bytes parts of a report may still take.
final class ReportBudget {

  private long remaining;

  ReportBudget(long byteSize) {
    this.remaining = byteSize;
  }

  boolean tryTake(long byteSize) {
    if (byteSize > remaining) {
      return false;
    }
    remaining -= byteSize;
    return true;
  }

  void giveBack(long byteSize) {
    remaining += byteSize;
  }
}
