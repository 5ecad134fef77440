package dev.quiver.server.write;

import dev.quiver.server.http.Problem;
import org.jspecify.annotations.Nullable;

/// The problems that failures of writes are.
public interface WriteProblems {

  /// Returns the problem of the failure of a job, which is that of the response had the request
  /// waited.
  ///
  /// @param requestId the id of that request
  Problem of(Throwable failure, String requestId);

  /// Returns the problem of a failure, or null if it is an internal error.
  @Nullable Problem find(Exception failure);
}
