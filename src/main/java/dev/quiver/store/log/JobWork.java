package dev.quiver.store.log;

import java.util.Map;

/// The work of a job.
public interface JobWork extends AutoCloseable {

  /// Returns the id of the request that the work is for.
  String requestId();

  /// Returns the id of the principal that the work is for.
  String principal();

  /// Does the work.
  ///
  /// @throws JobEndedException if the monitor does
  JobResult run(JobMonitor monitor) throws Exception;

  /// Returns the members of the problem that a failure of [#run] is.
  Map<String, Object> problem(Throwable failure);

  /// Takes note that the job was cancelled or lost: it has neither a result nor a problem.
  void stopped();

  /// Frees everything that the work holds. Called once, whether or not it was run.
  @Override
  void close();
}
