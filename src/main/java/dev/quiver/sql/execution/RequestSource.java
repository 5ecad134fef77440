package dev.quiver.sql.execution;

import dev.quiver.sql.worker.RunRequest;
import java.io.IOException;
import java.io.UncheckedIOException;

/// The request to run a statement.
@FunctionalInterface
public interface RequestSource {

  /// Returns the statement and the places of its stored files at this moment.
  RunRequest request() throws IOException;

  /// Returns the request with the places where the stored files are now, for a worker that has not
  /// found one of them.
  default RunRequest again() {
    try {
      return request();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
