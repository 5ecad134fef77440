package dev.quiver;

/// The number of trials of random tests, which have the tag `random`.
///
/// `mvn verify` runs a tenth of them, always the same ones, and `mvn verify -Plong` all. The
/// property `trials.percent` chooses another part; above 100, seeds are tried that no other run
/// has.
public final class Trials {

  private static final int PERCENT = Integer.getInteger("trials.percent", 10);

  private Trials() {}

  /// Returns the distance of the bytes, offsets or values that a test tries in turn: 1 to try all,
  /// otherwise an odd number.
  public static int stride() {
    return Math.max(100 / PERCENT, 1) | 1;
  }

  /// Returns the number of trials to run, at least one.
  ///
  /// @param complete the number that is thorough
  public static int of(int complete) {
    return Math.toIntExact(Math.max(Math.ceilDiv((long) complete * PERCENT, 100L), 1));
  }
}
