package dev.quiver.arrow.parallel;

import java.io.IOException;
import java.util.concurrent.ExecutionException;

/// Rethrows a task's failure to the thread that awaits it.
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
