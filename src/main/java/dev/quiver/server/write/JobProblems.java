package dev.quiver.server.write;

import dev.quiver.server.http.Problem;

/// The problems that failures of jobs are.
@FunctionalInterface
public interface JobProblems {

  /// Returns the problem that the response would have been, had the request waited.
  ///
  /// @param requestId the id of that request
  Problem of(Throwable failure, String requestId);
}
