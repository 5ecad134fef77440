package dev.quiver;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// The number of trials of random tests, which have the tag `random`.
///
/// `mvn verify` runs a tenth of them, always the same ones, and `mvn verify -Plong` all. The
/// property `trials.percent` chooses another part; above 100, seeds are tried that no other run
/// has.
public final class Trials {

  private static final int PERCENT = Integer.getInteger("trials.percent", 10);

  /// The seed of the trial that the thread of a test runs.
  private static final ThreadLocal<@Nullable Integer> SEED = new ThreadLocal<>();

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

  /// Returns the seeds of the trials to run, from 0. A failure names the seed of its trial.
  ///
  /// @param complete the number that is thorough
  public static Iterable<Integer> seeds(int complete) {
    return () -> new Seeds(of(complete));
  }

  /// Returns the seed of the trial that this thread runs, or null if absent.
  static @Nullable Integer seed() {
    return SEED.get();
  }

  /// Forgets the seed of a trial that failed before.
  static void forgetSeed() {
    SEED.remove();
  }

  private static final class Seeds implements Iterator<Integer> {

    private final int count;
    private int next;

    Seeds(int count) {
      this.count = count;
    }

    @Override
    public boolean hasNext() {
      SEED.remove();
      return next < count;
    }

    @Override
    public Integer next() {
      if (next == count) {
        throw new NoSuchElementException();
      }
      SEED.set(next);
      return next++;
    }
  }
}
