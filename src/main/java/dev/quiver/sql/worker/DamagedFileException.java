package dev.quiver.sql.worker;

/// Thrown for bytes of a mapped file that are not those that were stored.
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
