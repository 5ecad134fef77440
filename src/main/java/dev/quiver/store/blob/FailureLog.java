package dev.quiver.store.blob;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A log of failures of work that no request awaits. A store that is lost or full is one line, as
/// it concerns the operator of the store; only other failures have a stack trace.
public final class FailureLog {

  private FailureLog() {}

  /// Logs a failure.
  ///
  /// @param message the work that failed
  public static void log(Logger log, Level level, String message, Throwable failure) {
    IOException ofStore = ofStore(failure);
    if (ofStore == null) {
      log.log(level, message, failure);
    } else {
      log.log(level, message + ": " + ofStore.getMessage());
    }
  }

  /// Returns the failure of a lost or full store among a failure and its causes, or null if absent.
  public static @Nullable IOException ofStore(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
        .filter(cause ->
            cause instanceof StoreUnavailableException || cause instanceof StorageFullException)
        .map(IOException.class::cast)
        .findFirst()
        .orElse(null);
  }
}
