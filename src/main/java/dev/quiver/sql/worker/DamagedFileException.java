package dev.quiver.sql.worker;

/// Thrown for corrupt bytes of a mapped file.
final class DamagedFileException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient DamagedRange range;

  DamagedFileException(DamagedRange range) {
    super("Expected the bytes of " + range + " as they were stored but found others");
    this.range = range;
  }

  DamagedRange range() {
    return range;
  }
}
