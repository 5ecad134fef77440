package dev.quiver.store.access;

import dev.quiver.arrow.memory.Limit;

/// The limits of one principal. A maximum of 0 means unlimited.
///
/// @param requests its requests that are in progress
/// @param statements requests and jobs that run SQL, conditions or statistics
/// @param bytesPerSecond the bytes of response bodies that are sent to it, on average
/// @param storedBytes the bytes in the store that its versions have, and as many that the parts of
///   its resumable uploads have
/// @param uploads its resumable uploads that are open
public record PrincipalLimits(
    Limit requests, Limit statements, Limit bytesPerSecond, Limit storedBytes, Limit uploads) {

  /// Returns whether anything about its requests is limited.
  public boolean areOfRequests() {
    return isSet(requests) || isSet(statements) || isSet(bytesPerSecond);
  }

  public static boolean isSet(Limit limit) {
    return limit.maximum() > 0;
  }

  /// Returns whether no further item fits.
  public static boolean isReached(Limit limit, long found) {
    return isSet(limit) && found >= limit.maximum();
  }
}
