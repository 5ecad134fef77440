package dev.quiver.arrow.parallel;

import org.jspecify.annotations.Nullable;

/// The one on whose account work is done: a principal, or the address of an anonymous client.
/// Claimants share each limited resource, however much work each of them has.
///
/// It is bound where a request or a job begins, and applies to all work of that thread.
/// [Cancellation#carried(Runnable)] takes it to other threads.
///
/// @param id distinguishes it from others
/// @param isAlone whether there is no other one, so that it may have all of everything
public record Claimant(String id, boolean isAlone) {

  /// The service itself, for work that no request causes.
  public static final Claimant SERVICE = new Claimant("", /* isAlone= */ true);

  private static final ScopedValue<Claimant> CURRENT = ScopedValue.newInstance();

  /// Returns the claimant of the work of this thread, or [#SERVICE] if none is bound.
  public static Claimant current() {
    return CURRENT.orElse(SERVICE);
  }

  /// Does work on the account of this claimant, in place of that of the caller.
  public <T extends @Nullable Object, X extends Throwable> T call(
      ScopedValue.CallableOp<? extends T, X> work) throws X {
    return ScopedValue.where(CURRENT, this).call(work);
  }

  /// Does work on the account of this claimant, in place of that of the caller.
  public void run(Runnable work) {
    ScopedValue.where(CURRENT, this).run(work);
  }
}
