package dev.quiver.server.access;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.server.transfer.Pace;
import dev.quiver.store.access.PrincipalLimits;
import org.jspecify.annotations.Nullable;

/// The requests and statements that one principal has in progress. Guarded by [PrincipalUsages].
final class PrincipalUsage {

  private final PrincipalLimits limits;
  private final @Nullable Pace pace;
  private int requests;
  private int statements;

  PrincipalUsage(PrincipalLimits limits) {
    this.limits = limits;
    this.pace =
        PrincipalLimits.isSet(limits.bytesPerSecond())
            ? new Pace(limits.bytesPerSecond().maximum())
            : null;
  }

  /// Returns the pace of the responses to the principal, or null if it has no limit.
  @Nullable Pace pace() {
    return pace;
  }

  /// Begins a request, unless a limit is reached.
  ///
  /// @return the limit that is reached, or null
  @Nullable Limit begin(boolean statement) {
    if (PrincipalLimits.isReached(limits.requests(), requests)) {
      return limits.requests();
    }
    if (statement && PrincipalLimits.isReached(limits.statements(), statements)) {
      return limits.statements();
    }
    requests++;
    statements += statement ? 1 : 0;
    return null;
  }

  /// Begins a statement of a request in progress, unless the limit is reached.
  ///
  /// @return whether it has begun
  boolean beginStatement() {
    if (PrincipalLimits.isReached(limits.statements(), statements)) {
      return false;
    }
    statements++;
    return true;
  }

  Limit statementLimit() {
    return limits.statements();
  }

  void endRequest() {
    requests--;
  }

  void endStatement() {
    statements--;
  }

  /// Returns whether the principal has nothing in progress, so that this object can be dropped.
  boolean isAtRest() {
    return requests == 0 && statements == 0 && (pace == null || pace.isAtRest());
  }
}
