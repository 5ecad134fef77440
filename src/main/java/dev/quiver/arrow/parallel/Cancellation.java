package dev.quiver.arrow.parallel;

import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A request to end work early, since its result is no longer wanted: the client has left, a job
/// was cancelled, or the service stops.
///
/// It is bound where a request or a job begins, and applies to all work of that thread. Other
/// threads do not inherit it: work for them is [carried][#carried(Runnable)].
///
/// Asking may take a system call. A loop gets [#current] once and asks now and then, not for each
/// row.
public final class Cancellation {

  /// A cancellation that is never requested, which protects work that must not end early.
  public static final Cancellation NEVER = new Cancellation(() -> false);

  private static final ScopedValue<Cancellation> CURRENT = ScopedValue.newInstance();

  private final BooleanSupplier requested;

  /// Whether the work was once found to be cancelled.
  private volatile boolean found;

  private Cancellation(BooleanSupplier requested) {
    this.requested = requested;
  }

  /// @param requested returns whether the work is to end, from any thread that does it
  public static Cancellation when(BooleanSupplier requested) {
    return new Cancellation(requested);
  }

  /// Returns the cancellation of the work of this thread, or [#NEVER] if none is bound.
  public static Cancellation current() {
    return CURRENT.orElse(NEVER);
  }

  /// Returns whether the work is to end. Once that is so, it stays so, whatever the source says
  /// later. Otherwise work could skip a part and then go on as if that part did not exist.
  public boolean isRequested() {
    if (!found && requested.getAsBoolean()) {
      found = true;
    }
    return found;
  }

  /// @throws CancelledException if the work is to end
  public void throwIfRequested() {
    if (isRequested()) {
      throw new CancelledException();
    }
  }

  /// Does work to which this cancellation applies, in place of that of the caller.
  public <T extends @Nullable Object, X extends Throwable> T call(
      ScopedValue.CallableOp<? extends T, X> work) throws X {
    return ScopedValue.where(CURRENT, this).call(work);
  }

  /// Returns work for another thread, to which this cancellation applies, on the account of the
  /// caller's [Claimant].
  public Runnable carried(Runnable work) {
    Claimant claimant = Claimant.current();
    return isUnbound(claimant)
        ? work
        : () -> claimant.run(() -> ScopedValue.where(CURRENT, this).run(work));
  }

  /// Returns work for another thread, to which this cancellation applies, on the account of the
  /// caller's [Claimant].
  public <T> Callable<T> carried(Callable<T> work) {
    Claimant claimant = Claimant.current();
    return isUnbound(claimant)
        ? work
        : () -> claimant.<T, Exception>call(() -> this.<T, Exception>call(work::call));
  }

  /// Returns whether another thread has all that applies to work anyway.
  private boolean isUnbound(Claimant claimant) {
    return this == NEVER && claimant.equals(Claimant.SERVICE);
  }
}
