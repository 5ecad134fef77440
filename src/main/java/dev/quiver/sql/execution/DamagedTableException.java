package dev.quiver.sql.execution;

import dev.quiver.sql.worker.DamagedRange;

/// Thrown if a worker finds damaged bytes in a table of its statement.
public final class DamagedTableException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient DamagedRange range;

  DamagedTableException(DamagedRange range) {
    super("Expected the bytes of a table as they were stored but found " + range);
    this.range = range;
  }

  public DamagedRange range() {
    return range;
  }
}
