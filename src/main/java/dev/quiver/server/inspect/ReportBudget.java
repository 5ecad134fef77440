package dev.quiver.server.inspect;

/// The number of bytes left for a part of a report.
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
