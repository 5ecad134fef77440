package dev.quiver.web.job;

import dev.quiver.web.problem.Problem;

/// The problems that failures of jobs are.
@FunctionalInterface
public interface JobProblems {

  /// Returns the problem that the response would have been, had the request waited.
  ///
  /// @param requestId the id of that request
  Problem of(Throwable failure, String requestId);
}
