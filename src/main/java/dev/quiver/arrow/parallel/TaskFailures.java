package dev.quiver.arrow.parallel;

import java.io.IOException;
import java.util.concurrent.ExecutionException;

/// Failures of tasks, as whoever waits for them gets them.
public final class TaskFailures {

  private TaskFailures() {}

  /// Throws what a task has thrown.
  ///
  /// @return never; for the `throw` of a caller
  public static IllegalStateException rethrown(ExecutionException ended) throws IOException {
    switch (ended.getCause()) {
      case IOException failure -> throw failure;
      case RuntimeException failure -> throw failure;
      case Error failure -> throw failure;
      case null, default -> throw new IllegalStateException(ended);
    }
  }
}
