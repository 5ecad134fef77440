package dev.quiver.arrow.parallel;

import java.util.HashMap;
import java.util.Map;

/// An amount of bytes that [Claimant]s share. Shared by threads.
///
/// A claimant has at most three quarters of what others leave, unless it is alone. However many of
/// them take as much as they can, some remains for the next one.
public final class SharedBytes {

  private final long maximum;

  /// The bytes of claimants that have any.
  private final Map<Claimant, Long> shares = new HashMap<>();

  private long taken;

  public SharedBytes(long maximum) {
    this.maximum = maximum;
  }

  /// Returns the bytes that a claimant may have while others have none.
  public long maximum(Claimant claimant) {
    return share(claimant, maximum);
  }

  private static long share(Claimant claimant, long left) {
    return claimant.isAlone() ? left : left - left / 4;
  }

  /// Returns the bytes of all claimants.
  public synchronized long taken() {
    return taken;
  }

  /// Takes bytes, or none if these are more than the claimant may have now.
  public synchronized boolean tryTake(Claimant claimant, long byteSize) {
    long own = shares.getOrDefault(claimant, 0L);
    if (byteSize > share(claimant, maximum - (taken - own)) - own) {
      return false;
    }
    add(claimant, byteSize);
    return true;
  }

  /// Takes bytes as [#tryTake] does, or none if all claimants together would then have more than
  /// `most`.
  public synchronized boolean tryTakeWithin(long most, Claimant claimant, long byteSize) {
    return byteSize <= most - taken && tryTake(claimant, byteSize);
  }

  public synchronized void giveBack(Claimant claimant, long byteSize) {
    add(claimant, -byteSize);
  }

  /// Returns whether a claimant may take bytes once another one has given back all of its own.
  public synchronized boolean fitsWithout(Claimant other, Claimant claimant, long byteSize) {
    long own = shares.getOrDefault(claimant, 0L);
    long left = maximum - (taken - own - shares.getOrDefault(other, 0L));
    return byteSize <= share(claimant, left) - own;
  }

  /// Charges bytes to another claimant than before, or not if they exceed its share.
  public synchronized boolean tryPass(Claimant from, Claimant to, long byteSize) {
    add(from, -byteSize);
    boolean fits = tryTake(to, byteSize);
    if (!fits) {
      add(from, byteSize);
    }
    return fits;
  }

  private void add(Claimant claimant, long byteSize) {
    taken += byteSize;
    long own = shares.getOrDefault(claimant, 0L) + byteSize;
    if (own == 0) {
      shares.remove(claimant);
    } else {
      shares.put(claimant, own);
    }
  }
}
